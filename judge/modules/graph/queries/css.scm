; Definitions
(class_selector (class_name) @name) @def.class
(id_selector (id_name) @name) @def.class

; Imports
(import_statement (string_value (string_content) @module)) @import
(import_statement (call_expression (arguments (_) @module))) @import

; Shown
(declaration (call_expression (function_name) @is.url (arguments (_) @shown)))

; Tokens
(string_value) @string
(comment) @comment
