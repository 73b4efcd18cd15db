#pragma once
// ending_text: the message about a program that a signal has ended.

#include <string>

#include "programs/program_files.h"

namespace programs {

/// `status` is child_program::status(). Empty for a program that returned or exited, or that Ctrl-C ended.
std::string ending_text(int status, const program_files& files);

}  // namespace programs
