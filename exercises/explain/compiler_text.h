#pragma once
// compiler_text: messages of g++ and the linker, shortened to what the learner can act on.

#include <filesystem>
#include <string>
#include <string_view>

#include "runtime/instruments/results/finding.h"

namespace exercises {

/// Whether it is the line of a failed assertion in one of the runtime's headers, which is meant for those who read it.
bool is_runtime_assertion(std::string_view line);

struct learner_message {
  std::string text;
  gs::source_place place = {};  ///< what the first error is about, if it is such an assertion; line 0: not known
};

/// The first three errors of the messages, each with its lines of source if it is in the learner's file, else with the
/// lines that led there from it, and what it is about in `source`, the learner's text. What follows from a failed
/// assertion of the runtime's, in headers, is left out. `copy` is the file that was compiled, which is called `shown`.
/// Warnings and notes about other files are left out. Messages without an error (the linker's) are kept, up to 20
/// lines.
learner_message learner_messages(const std::string& messages, const std::filesystem::path& copy,
                                 const std::string& shown_name, const std::string& source);

/// A line of the source as g++ shows it, with a mark under the column.
std::string marked_line(const std::string& source, unsigned line, unsigned column);

}  // namespace exercises
