; Definitions
(function_definition (signature (call_expression . (_) @name)) @head) @def.function
(function_definition (signature (typed_expression (call_expression . (_) @name))) @head) @def.function
(function_definition (signature (where_expression (call_expression . (_) @name))) @head) @def.function
(function_definition (signature (where_expression (typed_expression (call_expression . (_) @name)))) @head) @def.function
(function_definition (signature (identifier) @name) @head) @def.function
(macro_definition (signature (call_expression . (_) @name)) @head) @def.function
(assignment . (call_expression . (_) @name) (operator) . (_) @body) @def.function
(assignment . (typed_expression (call_expression . (_) @name)) (operator) . (_) @body) @def.function
(struct_definition (type_head (identifier) @name)) @def.class
(struct_definition (type_head (binary_expression . (identifier) @name))) @def.class
(struct_definition (type_head (parametrized_type_expression . (identifier) @name))) @def.class
(struct_definition (type_head (binary_expression . (parametrized_type_expression . (identifier) @name)))) @def.class
(abstract_definition (type_head (identifier) @name)) @def.class
(abstract_definition (type_head (binary_expression . (identifier) @name))) @def.class

; Calls
(call_expression . (_) @callee (argument_list) @arguments) @call
(broadcast_call_expression . (_) @callee (argument_list) @arguments) @call
(macrocall_expression (macro_identifier) @callee) @call

; Imports
(using_statement) @use
(import_statement) @use
(module_definition name: (identifier) @package)

; Values
(assignment . (identifier) @variable (operator) . (_) @value) @assigned
(named_argument . (identifier) @variable (operator) . (_) @value) @assigned

; Tokens
(string_literal) @string
(prefixed_string_literal) @string
(identifier) @word
(line_comment) @comment
(block_comment) @comment
(signature (call_expression (argument_list (identifier) @param)))
(signature (call_expression (argument_list (typed_expression . (identifier) @param))))
(signature (call_expression (argument_list (named_argument . (identifier) @param))))
(signature (typed_expression (call_expression (argument_list (identifier) @param))))
(signature (typed_expression (call_expression (argument_list (typed_expression . (identifier) @param)))))
(type_head (binary_expression (operator) (_) @base))
