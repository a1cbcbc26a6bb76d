; Definitions
(class name: (_) @name) @def.class
(module name: (_) @name) @def.class
(method name: (_) @name body: (_)? @body) @def.function
(singleton_method name: (_) @name body: (_)? @body) @def.function

; Calls
(call arguments: (argument_list) @arguments) @call
(call receiver: (_) method: (_) !arguments) @call

; Values
(assignment left: [(identifier) (constant) (instance_variable) (global_variable) (class_variable)] @variable right: (_) @value) @assigned
(assignment left: (call receiver: (self)) @variable right: (_) @value) @assigned
(optional_parameter name: (identifier) @variable value: (_) @value) @assigned
(keyword_parameter name: (identifier) @variable value: (_) @value) @assigned
(operator_assignment left: [(identifier) (instance_variable)] @variable operator: "||=" right: (_) @value) @assigned
(binary left: (identifier) @is.file operator: "==" right: (global_variable) @_program) @runs

; Tokens
(string) @string
(identifier) @word
(constant) @word
(instance_variable) @word
(simple_symbol) @word
(hash_key_symbol) @word
(comment) @comment
(method_parameters (identifier) @param)
(method_parameters (optional_parameter name: (identifier) @param))
(method_parameters (keyword_parameter name: (identifier) @param))
(superclass (_) @base)
