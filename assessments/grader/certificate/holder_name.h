#pragma once
// The name on a certificate: any script, but nothing that could make it look like something else.

#include <cstddef>
#include <string>

namespace grader {

inline constexpr std::size_t longest_name = 80;  ///< in characters

/// The name without spaces at its ends. Throws gs::error if nothing is left, if it is longer than `longest_name`, isn't
/// UTF-8, or has control characters (characters.h).
std::string holder_name(const std::string& text);

}  // namespace grader
