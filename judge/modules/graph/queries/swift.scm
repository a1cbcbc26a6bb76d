; Definitions
(class_declaration name: (type_identifier) @name body: (_) @body) @def.class
(class_declaration name: (user_type) @name body: (_)) @virtual
(protocol_declaration name: (type_identifier) @name body: (_) @body) @def.class
(function_declaration name: (simple_identifier) @name body: (_) @body) @def.function
(init_declaration "init" @name body: (_) @body) @def.method

; Calls
(call_expression (call_suffix (value_arguments) @arguments)) @call
(call_expression . (_) @callee (call_suffix (lambda_literal))) @call

; Imports
(import_declaration) @use
(attribute (user_type (type_identifier) @is.main)) @runs

; Values
(property_declaration name: (pattern bound_identifier: (simple_identifier) @variable) value: (_) @value) @assigned
(assignment target: (_) @variable result: (_) @value) @assigned

; Tokens
(line_string_literal) @string
(multi_line_string_literal) @string
(raw_string_literal) @string
(simple_identifier) @word
(type_identifier) @word
(comment) @comment
(multiline_comment) @comment
(parameter name: (simple_identifier) @param)
(inheritance_specifier inherits_from: (_) @base)
(attribute (user_type (type_identifier) @decorator))
