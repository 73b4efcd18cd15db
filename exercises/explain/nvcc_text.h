#pragma once
// nvcc_text: nvcc's messages about a learner's file, in the form of g++'s.

#include <string>

namespace exercises {

/// "FILE(12): error: ..." becomes "FILE:12: error: ...", and warnings likewise. A message about `file` is followed
/// by its line of `source`, the learner's text: nvcc would show it with its macros expanded. A message about another
/// file is preceded by the line of this one that led there. Counts and explanations of messages are left out.
std::string nvcc_as_gcc(const std::string& messages, const std::string& file, const std::string& source);

}  // namespace exercises
