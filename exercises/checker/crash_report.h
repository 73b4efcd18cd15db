#pragma once
// crash_report: a crash reports its place before it ends the program.

namespace checker {

/// From now on a signal that would end the program is reported on the channel, with where the code was: offsets in the
/// program, innermost first. It then ends with 128 + the signal. SIGALRM comes after so many seconds; 0: never.
void report_crashes(unsigned seconds);

/// Restarts the timer of seconds_to_a_check of processor time, whose SIGPROF is reported, too.
void await_a_check();

}  // namespace checker
