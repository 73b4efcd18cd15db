#include "dialect/libraries/xorwow.h"

#include <bit>
#include <vector>

#include "runtime/engine/block_scheduler.h"
#include "runtime/observe/observe.h"
#include "runtime/random/linear_map.h"

namespace dialect::xorwow {
namespace {

using jump = gs::detail::linear_map<words>;

constexpr std::size_t bits_of_a_count = 64;

// powers(k)[i] is the step, 2^(k + i) times. On the heap: the stack of a kernel's thread is small.
std::vector<jump> powers(unsigned first) {
  std::vector<jump> result;
  result.reserve(bits_of_a_count);
  result.emplace_back([](words v) {
    step(v);
    return v;
  });
  for (unsigned k = 0; k < first; ++k) result.front() = result.front().squared();
  while (result.size() < bits_of_a_count) result.push_back(result.back().squared());
  return result;
}

words moved(words v, const std::vector<jump>& jumps, unsigned long long count) {
  for (; count != 0; count &= count - 1) v = jumps[static_cast<std::size_t>(std::countr_zero(count))](v);
  return v;
}

// From its construction to its end, what runs in a kernel's thread is the library: its tables are memory of the host.
class library_scope {
 public:
  library_scope() {
    if (in_kernel_) gs::instruments::leave_thread();
  }
  ~library_scope() {
    if (in_kernel_) gs::instruments::enter_thread(thread_);
  }
  library_scope(const library_scope&) = delete;
  library_scope& operator=(const library_scope&) = delete;

 private:
  const bool in_kernel_ = gs::detail::block_scheduler::running_here() != nullptr && gs::instruments::watching();
  const unsigned thread_ = in_kernel_ ? gs::instruments::running_thread() : 0;
};

}  // namespace

words jumped(words from, unsigned long long steps, unsigned long long subsequences) {
  const library_scope uses_tables;
  if (subsequences != 0) {
    static const std::vector<jump> of_subsequences = powers(log2_of_subsequence);
    from = moved(from, of_subsequences, subsequences);
  }
  if (steps != 0) {
    static const std::vector<jump> of_steps = powers(0);
    from = moved(from, of_steps, steps);
  }
  return from;
}

}  // namespace dialect::xorwow
