; Definitions
(function_declaration name: (identifier) @name body: (_) @body) @def.function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @owner (pointer_type (type_identifier) @owner) (generic_type type: (type_identifier) @owner) (pointer_type (generic_type type: (type_identifier) @owner))])) name: (field_identifier) @name body: (_) @body) @def.method
(type_spec name: (type_identifier) @name type: [(struct_type) (interface_type)] @body) @def.class

; Calls
(call_expression function: (_) @callee arguments: (_) @arguments) @call

; Imports
(import_spec path: (_) @module) @import
(import_spec name: (package_identifier) @imported.star) @imported
(package_clause (package_identifier) @package)

; Values
(const_spec name: (identifier) @variable value: (expression_list . (_) @value)) @assigned
(var_spec . name: (identifier) @variable value: (expression_list . (_) @value)) @assigned
(short_var_declaration left: (expression_list . (identifier) @variable) right: (expression_list . (_) @value)) @assigned
(assignment_statement left: (expression_list . (_) @variable) right: (expression_list . (_) @value)) @assigned
(keyed_element (literal_element (identifier) @field) (literal_element (_) @value)) @assigned

; Tokens
(interpreted_string_literal) @string
(raw_string_literal) @string
(identifier) @word
(type_identifier) @word
(field_identifier) @word
(comment) @comment
(function_declaration parameters: (parameter_list (parameter_declaration name: (identifier) @param)))
(method_declaration parameters: (parameter_list (parameter_declaration name: (identifier) @param)))
(function_declaration parameters: (parameter_list (variadic_parameter_declaration name: (identifier) @param)))
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base))))
(package_clause) @silent
