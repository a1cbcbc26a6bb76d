; Definitions
(class_definition name: (_) @name) @def.class
(trait_definition name: (_) @name) @def.class
(object_definition name: (_) @name) @def.class
(enum_definition name: (_) @name) @def.class
(function_definition name: (_) @name body: (_) @body) @def.function

; Calls
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(instance_expression (_) @callee . arguments: (_) @arguments) @call

; Imports
(import_declaration) @use
(package_clause name: (_) @package)

; Values
(val_definition pattern: (identifier) @variable value: (_) @value) @assigned
(var_definition pattern: (identifier) @variable value: (_) @value) @assigned
(assignment_expression left: (_) @variable right: (_) @value) @assigned
(class_parameter name: (_) @variable type: (_) @type) @assigned

; Tokens
(string) @string
(interpolated_string_expression) @string
(identifier) @word
(type_identifier) @word
(comment) @comment
(block_comment) @comment
(parameter name: (_) @param)
(class_parameter name: (_) @param)
(extends_clause type: (_) @base)
(annotation name: (_) @decorator)
(package_clause name: (_) @silent)
