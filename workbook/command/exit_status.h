#pragma once
// How programs of the course end.

#include <string_view>

namespace workbook {

/// Exit statuses of all programs of the course.
enum exit_status { exit_fine = 0, exit_failed = 1, exit_wrong_usage = 2, exit_machine_lacks = 3 };

/// For a catch (...): says on standard error what the exception that is being handled says, after the program's name,
/// and returns the status it means: wrong usage for gs::error, what the machine lacks for gs::machine_error and all
/// others. Passes on what is no std::exception.
int said_exception(std::string_view program);

}  // namespace workbook
