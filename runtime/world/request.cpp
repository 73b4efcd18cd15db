#include "runtime/world/request.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#if GRIDSTRIDE_CHECKED
#include "runtime/world/lent_memory.h"
#endif

namespace gs::inline GS_FLAVOUR::detail {

void pending_call::began(transport_handle pending, [[maybe_unused]] bool is_written) {
  pending_ = pending, finished_ = false;
#if GRIDSTRIDE_CHECKED
  loan_ = instruments::lent_memory::lend(call_.memory.data, call_.memory.bytes(), is_written);
#endif
}

// The program has touched what is the library's until wait().
void pending_call::check_loan([[maybe_unused]] const rank_place& place) {
#if GRIDSTRIDE_CHECKED
  const std::string touched = instruments::lent_memory::take_back(loan_);
  if (!touched.empty())
    ranks_->fail(call_, fmt::format("a race: its array is {}, before wait() at {}", touched, to_text(place)),
                 "leave the elements alone until wait() has returned");
#endif
}

bool pending_call::test() {
  if (!finished_) finished_ = ranks_->test(pending_, call_);
  return finished_;
}

void pending_call::finish(const rank_place& place) {
  if (finished_) return check_loan(place);
  finished_ = true;
  ranks_->finish(pending_, call_, place);
  check_loan(place);
}

void refuse_empty_request(const rank_place& place) {
  throw error(fmt::format("wait at {}", to_text(place)),
              "the request has been waited for, was moved from, or never began",
              "wait once, for what a start_... function has returned");
}

}  // namespace gs::inline GS_FLAVOUR::detail
