; Definitions
(function_item name: (identifier) @name body: (_) @body) @def.function
(struct_item name: (type_identifier) @name) @def.class
(enum_item name: (type_identifier) @name) @def.class
(union_item name: (type_identifier) @name) @def.class
(trait_item name: (type_identifier) @name body: (_) @body) @def.class
(macro_definition name: (identifier) @name) @def.function
(impl_item type: (type_identifier) @name) @virtual
(impl_item type: (generic_type type: (_) @name)) @virtual

; Calls
(call_expression function: (_) @callee arguments: (_) @arguments) @call
(macro_invocation macro: (_) @callee (token_tree) @arguments) @call
(token_tree (identifier) @callee @call . (token_tree) @arguments)

; Imports
(use_declaration) @use
(mod_item name: (identifier) @module !body) @import

; Values
(const_item name: (identifier) @variable value: (_) @value) @assigned
(static_item name: (identifier) @variable value: (_) @value) @assigned
(let_declaration pattern: (identifier) @variable value: (_) @value) @assigned
(let_declaration pattern: (mut_pattern (identifier) @variable) value: (_) @value) @assigned
(assignment_expression left: (_) @variable right: (_) @value) @assigned
(field_initializer field: (field_identifier) @field value: (_) @value) @assigned
(parameter pattern: (identifier) @variable type: (type_identifier) @type) @assigned

; Tokens
(string_literal) @string
(raw_string_literal) @string
(identifier) @word
(type_identifier) @word
(field_identifier) @word
(line_comment) @comment
(block_comment) @comment
(function_item parameters: (parameters (parameter pattern: (identifier) @param)))
(impl_item trait: (_) @base)
(trait_item bounds: (trait_bounds (_) @base))
(attribute_item (attribute . (_) @decorator))
