#pragma once
// code_lines: the lines of the source that pieces of a program were compiled from, by its debugging information.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/source_place.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The output of `addr2line -a -i -f` for the code at these offsets in a module (a program or shared library); empty if
/// there is none.
using line_finder = std::string (*)(const std::string& module, const std::vector<std::uintptr_t>& offsets);
/// Replaces addr2line by `find`, in a process that may not start it. Returns what it replaces.
line_finder find_lines_by(line_finder find);

/// The address that a call returns to, and the call's places in the source, the innermost inlined function first. Code
/// without debugging information, and what belongs to the runtime or the system, is left out. Columns are 0. What was
/// found is kept as long as the module stays the same file.
using code_lines = std::map<const void*, std::vector<source_place>>;
code_lines find_code_lines(std::span<const void* const> code);

/// Whether find_code_lines has been asked for this code before and has found a place. Asking it again starts nothing.
bool is_known_line(const void* code);

/// Of calls, innermost first, the place of the innermost that isn't the runtime's; line 0 if there is none.
source_place innermost_place(const code_lines& lines, std::span<const void* const> calls);

/// Whether a file is the runtime's own or one of the system's headers, where a learner doesn't look.
bool is_of_the_runtime(const std::string& file);

}  // namespace gs::inline GS_FLAVOUR::detail
