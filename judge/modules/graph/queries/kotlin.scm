; Definitions
(class_declaration name: (identifier) @name) @def.class
(object_declaration name: (identifier) @name) @def.class
(function_declaration name: (identifier) @name (function_body) @body) @def.function

; Calls
(call_expression (value_arguments) @arguments) @call
(call_expression . (_) @callee (annotated_lambda)) @call
(constructor_invocation (value_arguments) @arguments) @call

; Imports
(import) @use
(package_header (qualified_identifier) @package)

; Values
(property_declaration (variable_declaration . (identifier) @variable) "=" (_) @value) @assigned
(assignment left: (_) @variable right: (_) @value) @assigned
(class_parameter (identifier) @variable (user_type) @type) @assigned
(parameter (identifier) @variable (user_type) @type) @assigned

; Tokens
(string_literal) @string
(multiline_string_literal) @string
(identifier) @word
(line_comment) @comment
(block_comment) @comment
(function_value_parameters (parameter . (identifier) @param))
(class_parameters (class_parameter (identifier) @param))
(delegation_specifier (user_type) @base)
(delegation_specifier (constructor_invocation (user_type) @base))
(annotation (user_type) @decorator)
(annotation (constructor_invocation (user_type) @decorator))
(package_header) @silent
