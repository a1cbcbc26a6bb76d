; Definitions
(start_tag (attribute (attribute_name) @is.id (quoted_attribute_value (attribute_value) @name))) @def.class

; Imports
(script_element (start_tag (attribute (attribute_name) @is.script (quoted_attribute_value (attribute_value) @module)))) @import
([(start_tag (tag_name) @is.link (attribute (attribute_name) @is.href (quoted_attribute_value (attribute_value) @module))) (self_closing_tag (tag_name) @is.link (attribute (attribute_name) @is.href (quoted_attribute_value (attribute_value) @module)))] @import)

; Shown
(start_tag (tag_name) @is.tag (attribute (attribute_name) @is.shown (quoted_attribute_value (attribute_value) @shown)))
(self_closing_tag (tag_name) @is.tag (attribute (attribute_name) @is.shown (quoted_attribute_value (attribute_value) @shown)))
(start_tag (tag_name) @is.tag (attribute (attribute_name) @is.shown (attribute_value) @shown))

; Tokens
(comment) @comment
