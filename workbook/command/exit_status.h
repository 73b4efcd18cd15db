#pragma once
// How programs of the course end.

#include <string_view>

namespace workbook {

/// Exit statuses of all programs of the course.
enum exit_status { exit_fine = 0, exit_failed = 1, exit_wrong_usage = 2, exit_machine_lacks = 3 };

/// For a catch (...): prints the program's name and the current exception's message to standard error and returns the
/// status: exit_wrong_usage for gs::error, exit_machine_lacks for gs::machine_error and all others. Rethrows what isn't
/// a std::exception.
int said_exception(std::string_view program);

}  // namespace workbook
