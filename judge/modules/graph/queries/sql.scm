; Definitions
(create_table (object_reference) @name) @def.class
(create_view (object_reference) @name) @def.class
(create_materialized_view (object_reference) @name) @def.class
(create_type (object_reference) @name) @def.class
(create_function (object_reference) @name (function_body) @body) @def.function
(create_procedure (object_reference) @name (procedure_body) @body) @def.function
(create_trigger (object_reference) @name) @def.function

; Calls
(invocation (object_reference) @callee) @call
(insert (object_reference) @callee) @call
(relation (object_reference) @callee) @call

; Tokens
(literal) @string
(identifier) @word
(comment) @comment
(marginalia) @comment
