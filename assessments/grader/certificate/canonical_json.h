#pragma once
// JSON in canonical form, which is what gets signed: RFC 8785, the JSON Canonicalization Scheme.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace grader {

/// Members sorted by name, no spaces, UTF-8 as it is, numbers as ECMAScript writes them: the same value, the same
/// bytes. Names of members are sorted by their bytes, which is RFC 8785's order as long as they are ASCII. Throws
/// gs::error for a number that isn't finite, an integer beyond 2^53 (a double can't hold it) and text that isn't UTF-8.
std::string canonical_json(const nlohmann::json& value);

/// The one value that `text` holds. Stricter than JSON: no member may stand twice in an object, since readers differ in
/// which one they see, and nothing may be nested more than 16 deep. `asked` begins the error: "reading key.json".
/// Throws gs::error.
nlohmann::json read_json_strictly(std::string_view text, const std::string& asked);

}  // namespace grader
