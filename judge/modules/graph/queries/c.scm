; Definitions
(function_definition declarator: (function_declarator declarator: (_) @name) body: (_) @body) @def.function
(function_definition declarator: (pointer_declarator (function_declarator declarator: (_) @name)) body: (_) @body) @def.function
(function_definition declarator: (pointer_declarator (pointer_declarator (function_declarator declarator: (_) @name))) body: (_) @body) @def.function
(struct_specifier name: (type_identifier) @name body: (_) @body) @def.class
(union_specifier name: (type_identifier) @name body: (_) @body) @def.class
(enum_specifier name: (type_identifier) @name body: (_) @body) @def.class

; Calls
(call_expression function: (_) @callee arguments: (_) @arguments) @call

; Imports
(preproc_include path: (_) @module) @import

; Values
(preproc_def name: (identifier) @variable value: (_) @value) @assigned
(init_declarator declarator: (identifier) @variable value: (_) @value) @assigned
(init_declarator declarator: (pointer_declarator declarator: (identifier) @variable) value: (_) @value) @assigned
(init_declarator declarator: (array_declarator declarator: (identifier) @variable) value: (_) @value) @assigned
(assignment_expression left: [(identifier) (field_expression)] @variable right: (_) @value) @assigned

; Tokens
(string_literal) @string
(identifier) @word
(type_identifier) @word
(field_identifier) @word
(comment) @comment
(function_definition declarator: (function_declarator parameters: (parameter_list (parameter_declaration declarator: (identifier) @param))))
(function_definition declarator: (function_declarator parameters: (parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (identifier) @param)))))
(function_definition declarator: (pointer_declarator (function_declarator parameters: (parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (identifier) @param))))))
