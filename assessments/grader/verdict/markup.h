#pragma once
// Text in XML and HTML.

#include <string>
#include <string_view>

namespace grader {

/// The text, printable, with & < > " ' as entities: it can stand between tags and in quoted attributes.
std::string escaped(std::string_view text);

}  // namespace grader
