#pragma once
// Ctrl-C while a lesson runs.

#include <string>
#include <string_view>

namespace workbook {

/// From now on SIGINT ends the lesson, which runs on the main thread: an inspected kernel at its next access, where it
/// has one within five seconds; everything else stands still, and the gs::crash_report that lives is told of SIGINT.
/// Where none lives, and the second time, it ends the program at once, after a line that names the kernel that runs.
/// `program` must live as long as the process.
void tell_of_interruption(std::string_view program);

/// To be called when the inspection is over: what follows takes what time it needs.
void inspection_has_ended();

/// For the report of SIGINT: "interrupted while kernel add runs".
std::string text_of_interruption();

/// Ends the program by SIGINT, so that shells and scripts see it (status 130).
[[noreturn]] void end_by_interruption();
/// The same if SIGINT has ended an inspection, else nothing.
void end_if_interrupted();

/// Where the launcher has started this program: it ends with the launcher, however that ends.
void end_with_launcher();

}  // namespace workbook
