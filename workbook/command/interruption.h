#pragma once
// Ctrl-C while a lesson runs.

#include <string>
#include <string_view>

namespace workbook {

/// From now on SIGINT ends the lesson, which runs on the main thread. An inspected kernel ends at its next access, if
/// one comes within five seconds; otherwise the program stops where it is, and the current gs::detail::crash_report
/// gets the SIGINT. Without a crash report, and the second time, SIGINT ends the program at once, after a line that
/// names the running kernel. `program` must live as long as the process.
void tell_of_interruption(std::string_view program);

/// Call this when the inspection is over: what follows has no time limit.
void inspection_has_ended();

/// For the report of SIGINT: "interrupted while kernel add runs".
std::string text_of_interruption();

/// Ends the program by SIGINT, so that shells and scripts see it (status 130).
[[noreturn]] void end_by_interruption();
/// The same if SIGINT has ended an inspection, else nothing.
void end_if_interrupted();

/// If the launcher started this program, the program ends when the launcher does, however that ends.
void end_with_launcher();

}  // namespace workbook
