#include "runtime/world/request.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

bool pending_call::test() {
  if (!finished_) finished_ = ranks_->test(pending_, call_);
  return finished_;
}

void pending_call::finish(const rank_place& place) {
  if (finished_) return;
  finished_ = true;
  ranks_->finish(pending_, call_, place);
}

void refuse_empty_request(const rank_place& place) {
  throw error(fmt::format("wait at {}", to_text(place)),
              "the request has been waited for, was moved from, or never began",
              "wait once, for what a start_... function has returned");
}

}  // namespace gs::inline GS_FLAVOUR::detail
