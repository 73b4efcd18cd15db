#pragma once
// nvcc_text: what nvcc says of a learner's file, in the form of g++'s messages.

#include <string>

namespace exercises {

/// "FILE(12): error: ..." becomes "FILE:12: error: ...", and warnings likewise. Behind what is said of `file` stands
/// its line of `source`, the learner's text: nvcc would show it with its macros expanded. Before what is said of
/// another file stands the line of this one that led there. What counts or explains messages is left out.
std::string nvcc_as_gcc(const std::string& messages, const std::string& file, const std::string& source);

}  // namespace exercises
