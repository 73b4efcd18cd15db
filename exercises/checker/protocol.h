#pragma once
// What the program around an exercise's checks says to the one that started it: lines of JSON on a socket, sent
// at once, so that what was found before a crash isn't lost.
//
//   {"check": NAME, "passed": true, "expected": TEXT, "got": TEXT, "file": FILE, "line": 12}
//   {"inspection": an inspection as in workbook/json/inspection_json.h, with its findings alone}
//   {"stopped": TEXT}                                  an exception ended what was inspected; the checks went on
//   {"lines_of": {"module": FILE, "offsets": [...]}}   asks for addr2line's text, which is answered as {"text": TEXT}
//   {"exception": TEXT, "out_of_memory": false}        it left the checks
//   {"crash": 11, "call": 0, "frames": [...]}          a signal; SIGSYS's system call; offsets in the program
//   {"device": TEXT}                                   where kernels run, in a program that can't observe them
//   {"no_device": TEXT}                                there is none, and the checks didn't begin
//   {"seed": 1}                                        the checks' random data has this seed; once, where they have any
//   {"done": true}                                     the checks have ended

namespace checker {

inline constexpr int channel_fd = 3;  ///< SOCK_STREAM

/// Processor time that a check may take before SIGPROF stops the program. On a busy machine that is longer in
/// wall-clock time.
inline constexpr int seconds_to_a_check = 4;

}  // namespace checker
