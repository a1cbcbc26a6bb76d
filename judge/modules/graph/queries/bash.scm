; Definitions
(function_definition name: (word) @name body: (_) @body) @def.function

; Calls
(command name: (command_name) @callee) @call @command
(file_redirect destination: (_) @arguments) @call

; Values
(variable_assignment name: (variable_name) @variable value: (_) @value) @assigned

; Tokens
(string) @string
(raw_string) @string
(command argument: (word) @string)
(command_name (word) @word)
(variable_name) @word
(comment) @comment
