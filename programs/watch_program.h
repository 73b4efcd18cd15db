#pragma once
// watch_program: builds and runs a program at each save, until q.

#include "programs/program_files.h"

namespace programs {

/// Returns when the user quits. Throws gs::error if the folder is gone, gs::machine_error for what the machine lacks.
/// Without a keyboard it builds and runs once.
void watch_program(const program_files& files);

}  // namespace programs
