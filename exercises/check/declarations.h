#pragma once
// declarations_of: what a file's functions are called and take, without what they do. Checks that are compiled with it
// are linked with the file, and stay as they are while only what functions do changes.

#include <optional>
#include <string>

namespace exercises {

/// The file's declarations. Of a function that isn't inline, a template or constexpr, and whose type is written down,
/// the body is left out; what else holds code is kept, on its line. Nothing where that could be another program: with
/// variables that change, names of one file alone, macros, headers beside the file, or what isn't understood.
std::optional<std::string> declarations_of(const std::string& text);

}  // namespace exercises
