; Definitions
(class_declaration name: (identifier) @name body: (_) @body) @def.class
(interface_declaration name: (identifier) @name body: (_) @body) @def.class
(enum_declaration name: (identifier) @name body: (_) @body) @def.class
(record_declaration name: (identifier) @name) @def.class
(annotation_type_declaration name: (identifier) @name body: (_) @body) @def.class
(method_declaration name: (identifier) @name body: (_) @body) @def.method
(constructor_declaration name: (identifier) @name body: (_) @body) @def.method

; Calls
(method_invocation arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_) @arguments) @call
(method_reference) @call

; Imports
(import_declaration) @use
(package_declaration (_) @package)

; Values
(variable_declarator name: (_) @variable value: (_) @value) @assigned
(resource name: (identifier) @variable value: (_) @value) @assigned
(assignment_expression left: [(identifier) (field_access)] @variable right: (_) @value) @assigned
(formal_parameter type: (type_identifier) @type name: (identifier) @variable) @assigned
(field_declaration type: (type_identifier) @type declarator: (variable_declarator name: (identifier) @variable !value)) @assigned

; Tokens
(string_literal) @string
(identifier) @word
(type_identifier) @word
(line_comment) @comment
(block_comment) @comment
(formal_parameter name: (identifier) @param)
(spread_parameter (variable_declarator name: (identifier) @param))
(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))
(marker_annotation name: (_) @decorator)
(annotation name: (_) @decorator)
(package_declaration) @silent
