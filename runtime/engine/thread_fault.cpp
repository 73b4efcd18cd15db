#include "runtime/engine/thread_fault.h"

#include <fmt/format.h>

#include <string>

#include "runtime/core/code_lines.h"
#include "runtime/engine/kernel_faults.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// What lies below belongs to nobody on Linux (vm.mmap_min_addr): null pointers, and elements near them.
constexpr std::uintptr_t lowest_address = std::uintptr_t{1} << 16;

// A vector is accessed at one address, its elements at others that are less than this away.
constexpr std::uintptr_t vector_bytes = 64;

// "3", or "(3, 1)" in two dimensions.
std::string position_text(const index3& extent, std::size_t number) {
  const index3 at = position_in(extent, number);
  if (extent.z > 1) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
  if (extent.y > 1) return fmt::format("({}, {})", at.x, at.y);
  return fmt::format("{}", at.x);
}

// The line of the kernel; line 0 if it isn't known.
source_place line_of(const fault_signal& signal) {
  return innermost_place(find_code_lines(signal.calls()), signal.calls());
}

// What was found, and what to do.
struct explanation {
  std::string found, advice;
};

explanation explain_access(const thread_fault& fault) {
  const fault_signal& signal = fault.signal;
  const std::string advice =
      fault.thread ? "let the checked flavour observe it with gs::inspect: where an index is wrong, it names the array"
                   : "let the checked flavour observe it with gs::inspect: its finding names the thread, too";
  if (signal.number == SIGILL || signal.number == trap_signal)
    return {fmt::format("came to what is no instruction ({})", signal.number == SIGILL ? "SIGILL" : "SIGTRAP"),
            "look for a function that ends without its return, and for __builtin_trap()"};
  const std::string name = signal.number == SIGBUS ? "SIGBUS" : "SIGSEGV";
#if defined(__x86_64__) || defined(__aarch64__)
  const std::string_view did = signal.writes ? "wrote to" : "read from";
#else
  constexpr std::string_view did = "used";
#endif
  const auto address = reinterpret_cast<std::uintptr_t>(signal.address);
  // A general protection fault comes without the address.
  if (signal.number == SIGSEGV && signal.code == SI_KERNEL)
    return {fmt::format("used an address that no memory can have, or one that isn't aligned ({})", name), advice};
  if (address < lowest_address)
    return {fmt::format("{} address {:#x}, near a null pointer ({})", did, address, name), advice};
  return {fmt::format("{} address {:#x}, where {} ({})", did, address,
                      signal.code == SEGV_ACCERR && signal.number == SIGSEGV
                          ? "that isn't allowed"
                          : (signal.number == SIGBUS ? "a file or the memory ends" : "there is no memory"),
                      name),
          advice};
}

explanation explain(const thread_fault& fault) {
  switch (fault.what) {
    case thread_fault::kind::division:
      return {"divided an integer by zero, or the most negative one by -1",
              "check the divisor first: on a GPU the quotient would be some number"};
    case thread_fault::kind::overflow:
      return {fmt::format("needs more than its stack of {} KiB", fault.stack_bytes / 1024),
              "make its local arrays smaller or its recursion shallower"};
    default:
      return explain_access(fault);
  }
}

}  // namespace

kernel_fault describe_fault(const thread_fault& fault) {
  std::string where;
  if (!leaves_access_violations())
    if (const source_place place = line_of(fault.signal); place.line != 0)
      where = fmt::format(", at {}:{}", place.file, place.line);
  const std::string thread = fault.thread ? "thread " + position_text(fault.block, *fault.thread) : "a thread";
  const auto& [found, advice] = explain(fault);
  return {
      fmt::format("kernel {}", fault.kernel),
      fmt::format("{} of block {} {}{}", thread, position_text(fault.grid, fault.block_number), found, where),
      advice,
  };
}

std::exception_ptr as_exception(const thread_fault& fault) {
  return fault.thread ? std::make_exception_ptr(describe_fault(fault)) : std::make_exception_ptr(unnamed_fault(fault));
}

bool has_address_of_its_own(const thread_fault& fault) {
  const fault_signal& signal = fault.signal;
  const bool has_address = (signal.number == SIGSEGV && signal.code != SI_KERNEL) || signal.number == SIGBUS;
  return fault.what == thread_fault::kind::access && has_address &&
         reinterpret_cast<std::uintptr_t>(signal.address) >= lowest_address;
}

bool is_repeated(const thread_fault& first, const thread_fault& second) {
  const fault_signal &one = first.signal, &other = second.signal;
  if (first.block_number != second.block_number || first.what != second.what || one.number != other.number ||
      one.code != other.code || one.writes != other.writes)
    return false;
  if (first.what == thread_fault::kind::overflow) return first.stack_bytes == second.stack_bytes;
  if (has_address_of_its_own(first)) {
    const auto a = reinterpret_cast<std::uintptr_t>(one.address), b = reinterpret_cast<std::uintptr_t>(other.address);
    return (a < b ? b - a : a - b) < vector_bytes;
  }
  return line_of(one) == line_of(other);
}

}  // namespace gs::inline GS_FLAVOUR::detail
