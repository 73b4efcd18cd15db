#pragma once
// defined_names: the names that a submission's object defines, and which of them it must not.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// A name that an object file exports.
struct defined_name {
  std::string linked;    ///< as the linker sees it: "_ZN2gs5plain12ledger_totalEv"
  std::string name;      ///< as the source says it: "gs::plain::ledger_total()"
  bool is_weak = false;  ///< an inline function or a template, which many objects may define
};

/// What `nm --extern-only --defined-only --portability` printed.
std::vector<defined_name> read_names(std::string_view nm_output);

/// The same names, corrected by what `nm --extern-only --defined-only --format=sysv` printed about the same file: a
/// weak name without a section of its own isn't an inline function or a template but was declared weak, so is_weak
/// becomes false.
void demote_declared_weak(std::vector<defined_name>& names, std::string_view nm_output);

/// The first name that belongs to the C library, the C++ library or the runtime, or stands for the program's start: a
/// submission that defines it could change what others do. Functions that the headers of those bring along don't count;
/// those of `runtime`, which its libraries alone define, do, even if they are weak or inline.
std::optional<defined_name> taken_name(const std::vector<defined_name>& names,
                                       const std::set<std::string>& runtime = {});

}  // namespace grader
