#pragma once
// How programs of the course end.

namespace workbook {

/// Exit statuses of all programs of the course.
enum exit_status { exit_fine = 0, exit_failed = 1, exit_wrong_usage = 2, exit_machine_lacks = 3 };

}  // namespace workbook
