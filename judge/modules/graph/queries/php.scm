; Definitions
(class_declaration name: (name) @name body: (_) @body) @def.class
(interface_declaration name: (name) @name body: (_) @body) @def.class
(trait_declaration name: (name) @name body: (_) @body) @def.class
(enum_declaration name: (name) @name body: (_) @body) @def.class
(function_definition name: (name) @name body: (_) @body) @def.function
(method_declaration name: (name) @name body: (_) @body) @def.method

; Calls
(function_call_expression function: (_) @callee arguments: (_) @arguments) @call
(member_call_expression arguments: (_) @arguments) @call
(nullsafe_member_call_expression arguments: (_) @arguments) @call
(scoped_call_expression arguments: (_) @arguments) @call
(object_creation_expression [(name) (qualified_name)] @callee (arguments) @arguments) @call
(require_expression "require" @callee (_) @arguments) @call
(require_once_expression "require_once" @callee (_) @arguments) @call
(include_expression "include" @callee (_) @arguments) @call
(include_once_expression "include_once" @callee (_) @arguments) @call

; Imports
(namespace_use_declaration) @use
(namespace_definition name: (_) @package)

; Values
(assignment_expression left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @variable right: (_) @value) @assigned
(const_element (name) @variable (_) @value) @assigned
(simple_parameter name: (variable_name) @variable default_value: (_) @value) @assigned
(property_element name: (variable_name) @variable default_value: (_) @value) @assigned
(function_call_expression function: (name) @is.define arguments: (arguments . (argument (_) @variable) . (argument (_) @value))) @assigned

; Tokens
(string) @string
(encapsed_string) @string
(name) @word
(comment) @comment
(formal_parameters (simple_parameter name: (variable_name) @param))
(formal_parameters (property_promotion_parameter name: (variable_name) @param))
(base_clause (_) @base)
(class_interface_clause (_) @base)
(use_declaration (_) @base)
(attribute (_) @decorator)
(namespace_definition name: (_) @silent)
