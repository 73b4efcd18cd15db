#pragma once
// fault_replay: which thread of a block has stopped with a fault.
//
// The threads of a block run as a loop that the compiler vectorises. A fault interrupts the loop, and nothing says at
// which thread: to keep its number would cost every launch. So the block is run again after its launch has failed,
// thread by thread, as the threads of a kernel that spins are. If the fault comes again, it is that of the thread which
// runs then. Where a thread has a fiber of its own, its number is known at once. Block style has no code for one
// thread; code of its own, with marks for the threads, runs the block again: see replay_marks.h.
//
// A copy of the process (fork) runs the block. What the launch has left in memory may lead it elsewhere: in the copy it
// may spin, crash or abort. It can't print, and its writes to memory are its own. It ends at its first fault, and after
// two seconds in any case.

#include "runtime/core/config.h"
#include "runtime/engine/thread_fault.h"

namespace gs::inline GS_FLAVOUR::detail {

class host_work;

/// Runs the work on all cores. If it throws an unnamed_fault, throws the fault with the number of its thread, where the
/// replay of the block tells. A program that calls leave_access_violations() has no replays: it may start no process.
void run_and_name_fault(host_work& work);

/// For the handlers of signals: whether this process is the copy that replays a block; what it has found, or nothing.
bool replays_fault();
[[noreturn]] void end_replay(const thread_fault* found);

}  // namespace gs::inline GS_FLAVOUR::detail
