#pragma once
// crash_report: a crash says where it happened before it ends the program.

namespace checker {

/// From now on a signal that would end the program is reported on the channel, with where the code was: offsets in the
/// program, innermost first. It then ends with 128 + the signal. After so many seconds SIGALRM is one; 0: it never is.
void report_crashes(unsigned seconds);

/// From now on seconds_to_a_check of processor time may go by before SIGPROF, which is reported, too.
void await_a_check();

}  // namespace checker
