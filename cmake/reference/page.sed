# What Doxygen reads of a page: links to pages that aren't part of the reference as their text, and code with a quotation mark in
# it as code.
s/\[([^]]*)\]\([^)]*README\.md\)/\1/g
s/`([^`]+)`/``\1``/g
