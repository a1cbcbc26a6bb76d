; Definitions
(function_definition declarator: (function_declarator declarator: (_) @name) body: (_) @body) @def.function
(function_definition declarator: (pointer_declarator (function_declarator declarator: (_) @name)) body: (_) @body) @def.function
(function_definition declarator: (pointer_declarator (pointer_declarator (function_declarator declarator: (_) @name))) body: (_) @body) @def.function
(struct_specifier name: (type_identifier) @name body: (_) @body) @def.class
(union_specifier name: (type_identifier) @name body: (_) @body) @def.class
(enum_specifier name: (type_identifier) @name body: (_) @body) @def.class
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name)) body: (_) @body) @def.function
(class_specifier name: (_) @name body: (_) @body) @def.class

; Calls
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(new_expression type: (_) @callee arguments: (_) @arguments) @call
(declaration type: (_) @callee declarator: (init_declarator value: [(argument_list) (initializer_list)] @arguments)) @call
(compound_statement (declaration type: [(qualified_identifier) (type_identifier)] @callee declarator: (function_declarator declarator: (identifier) parameters: (_) @arguments)) @call)
(compound_literal_expression type: (_) @callee value: (_) @arguments) @call

; Imports
(preproc_include path: (_) @module) @import

(namespace_definition name: (_) @package)

; Values
(preproc_def name: (identifier) @variable value: (_) @value) @assigned
(init_declarator declarator: (identifier) @variable value: (_) @value) @assigned
(init_declarator declarator: (pointer_declarator declarator: (identifier) @variable) value: (_) @value) @assigned
(init_declarator declarator: (array_declarator declarator: (identifier) @variable) value: (_) @value) @assigned
(assignment_expression left: [(identifier) (field_expression)] @variable right: (_) @value) @assigned

(declaration type: [(qualified_identifier) (type_identifier)] @type declarator: (identifier) @variable) @assigned
(field_declaration type: [(qualified_identifier) (type_identifier)] @type declarator: (field_identifier) @variable) @assigned
(field_declaration declarator: (field_identifier) @variable default_value: (_) @value) @assigned
(declaration type: (qualified_identifier) @type declarator: (init_declarator declarator: (identifier) @variable value: (argument_list))) @assigned

(field_initializer (field_identifier) @field (argument_list (_) @value)) @assigned
(optional_parameter_declaration declarator: (identifier) @variable default_value: (_) @value) @assigned

; Tokens
(string_literal) @string
(identifier) @word
(type_identifier) @word
(field_identifier) @word
(comment) @comment
(function_definition declarator: (function_declarator parameters: (parameter_list (parameter_declaration declarator: (identifier) @param))))
(function_definition declarator: (function_declarator parameters: (parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (identifier) @param)))))
(function_definition declarator: (pointer_declarator (function_declarator parameters: (parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (identifier) @param))))))
(function_definition declarator: (function_declarator parameters: (parameter_list (parameter_declaration declarator: (reference_declarator (identifier) @param)))))
(function_definition declarator: (function_declarator parameters: (parameter_list (optional_parameter_declaration declarator: (identifier) @param))))
(raw_string_literal) @string
(namespace_identifier) @word
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
