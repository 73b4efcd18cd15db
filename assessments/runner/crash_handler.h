#pragma once
// crash_handler: what the runner still says when a submission brings it down.

#include <cstdint>

namespace runner {

/// Memory that crashes are told apart by: the read-only inputs.
struct address_range {
  std::uintptr_t begin = 0, end = 0;
};

/// From now on a signal that ends the program (an access violation, abort, a refused system call, ...) is first
/// reported to the grader, with the calls that lie in the module (workshop::tell_crashes_of).
void report_crashes(address_range inputs);
/// Which request a report would answer.
void answer_with(std::uint64_t nonce);

}  // namespace runner
