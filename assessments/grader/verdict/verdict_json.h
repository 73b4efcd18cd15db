#pragma once
// Verdicts as JSON, and back. assessments/README.md describes the document.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "assessments/grader/verdict/verdict.h"

namespace grader {

inline constexpr int verdict_schema_version = 1;

/// "schema": "gridstride-verdict". Bytes that aren't UTF-8 are replaced when it is written out.
nlohmann::ordered_json verdict_json(const verdict& v);

/// The document as text, indented by two spaces, with a line break at its end.
std::string to_json(const verdict& v);

/// What verdict_json() wrote; members that it doesn't know are passed over. Throws gs::error, with `name` in it, for
/// another document, another version, a member that is missing or isn't what it should be.
verdict read_verdict(std::string_view document, const std::string& name = "a verdict");

/// The kind's name as in mishap.h, which is what documents say: "wrong_answer".
std::string_view name_of(mishap_kind kind);

}  // namespace grader
