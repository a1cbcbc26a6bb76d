; Definitions
(function_declaration name: (identifier) @name body: (_) @body) @def.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @def.function
(class_declaration name: (type_identifier) @name body: (_) @body) @def.class
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @def.class
(interface_declaration name: (type_identifier) @name body: (_) @body) @def.class
(enum_declaration name: (identifier) @name body: (_) @body) @def.class
(method_definition name: (property_identifier) @name body: (_) @body) @def.method
(method_definition name: (private_property_identifier) @name body: (_) @body) @def.method
(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @def.function
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @def.function
(assignment_expression left: (member_expression property: (property_identifier) @name) right: (arrow_function body: (_) @body)) @def.function
(assignment_expression left: (member_expression property: (property_identifier) @name) right: (function_expression body: (_) @body)) @def.function
(pair key: (property_identifier) @name value: (arrow_function body: (_) @body)) @def.method
(pair key: (property_identifier) @name value: (function_expression body: (_) @body)) @def.method
(public_field_definition name: (property_identifier) @name value: (arrow_function body: (_) @body)) @def.method

; Calls
(call_expression function: (_) @callee arguments: (arguments) @arguments) @call
(new_expression constructor: (_) @callee arguments: (arguments)? @arguments) @call

; Imports
(import_statement source: (string (string_fragment) @module)) @import
(export_statement source: (string (string_fragment) @module)) @import
(call_expression function: (identifier) @is.require arguments: (arguments . (string (string_fragment) @module))) @import
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @module))) @import
(import_specifier name: (identifier) @imported.name alias: (identifier)? @imported.alias) @imported
(import_clause (identifier) @imported.default) @imported
(namespace_import (identifier) @imported.star) @imported
(variable_declarator name: (identifier) @imported.default value: (call_expression function: (identifier) @is.require arguments: (arguments (string)))) @imported
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @imported.name) value: (call_expression function: (identifier) @is.require arguments: (arguments (string)))) @imported

; Values
(variable_declarator name: (identifier) @variable value: (_) @value) @assigned
(assignment_expression left: (member_expression object: (this)) @variable right: (_) @value) @assigned
(assignment_expression left: (identifier) @variable right: (_) @value) @assigned
(pair key: (property_identifier) @field value: [(string) (template_string) (call_expression) (binary_expression) (identifier)] @value) @assigned
(required_parameter pattern: (identifier) @variable value: (_) @value) @assigned
(public_field_definition name: (property_identifier) @field value: (_) @value) @assigned

; Tokens
(string) @string
(template_string) @string
(identifier) @word
(property_identifier) @word
(private_property_identifier) @word
(shorthand_property_identifier) @word
(comment) @comment
(import_statement) @silent
(type_identifier) @word
(required_parameter pattern: (identifier) @param)
(optional_parameter pattern: (identifier) @param)
(class_heritage (extends_clause value: (_) @base))
(class_heritage (implements_clause (_) @base))
(interface_declaration (extends_type_clause (_) @base))
(decorator (identifier) @decorator)
(decorator (call_expression function: (_) @decorator))
