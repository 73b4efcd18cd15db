#pragma once
// ending_text: what is said of a program that a signal has ended.

#include <string>

#include "programs/program_files.h"

namespace programs {

/// `status` is that of child_program. Empty for a program that ended by itself or by Ctrl-C.
std::string ending_text(int status, const program_files& files);

}  // namespace programs
