; Definitions
(class_declaration name: (identifier) @name body: (_) @body) @def.class
(struct_declaration name: (identifier) @name) @def.class
(record_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.class
(enum_declaration name: (identifier) @name) @def.class
(method_declaration name: (identifier) @name body: (_) @body) @def.method
(constructor_declaration name: (identifier) @name body: (_) @body) @def.method
(local_function_statement name: (identifier) @name body: (_) @body) @def.function

; Calls
(invocation_expression function: (_) @callee arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_) @arguments) @call

; Imports
(using_directive) @use
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)

; Values
(variable_declarator name: (identifier) @variable (_) @value) @assigned
(parameter name: (identifier) @variable (string_literal) @value) @assigned
(property_declaration name: (identifier) @variable value: (_) @value) @assigned
(assignment_expression left: (_) @variable right: (_) @value) @assigned
(parameter type: (identifier) @type name: (identifier) @variable) @assigned
(field_declaration (variable_declaration type: (identifier) @type (variable_declarator . name: (identifier) @variable .))) @assigned

; Tokens
(string_literal) @string
(verbatim_string_literal) @string
(raw_string_literal) @string
(interpolated_string_expression) @string
(identifier) @word
(comment) @comment
(parameter_list (parameter name: (identifier) @param))
(base_list (_) @base)
(attribute name: (_) @decorator)
(namespace_declaration name: (_) @silent)
(file_scoped_namespace_declaration name: (_) @silent)
