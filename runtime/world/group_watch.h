#pragma once
// group_watch: what the checked flavour does for each call of a group's verbs: it looks whether all ranks make the same
// call, and waits so that a deadlock is found.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/world/deadlock_watch.h"
#include "runtime/world/rank_call.h"
#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {

#if GRIDSTRIDE_CHECKED
inline constexpr bool ranks_are_watched = true;
#else
inline constexpr bool ranks_are_watched = false;
#endif

/// How the counts of ranks belong together in a verb of all ranks.
enum class count_rule : std::uint8_t { alike, free };

class group_watch {
 public:
  using handle = transport_handle;
  /// Says what is wrong: what was found, and what to do.
  using failure = std::function<void(const std::string& found, const std::string& advice)>;

  /// All ranks of the group make one at the same time.
  group_watch(const transport& library, handle ranks);
  ~group_watch();
  group_watch(const group_watch&) = delete;
  group_watch& operator=(const group_watch&) = delete;

  /// Waits until all ranks have come to a verb of all ranks, and fails where they haven't come to the same.
  void agree(const rank_call& call, count_rule counts, const failure& fail);
  /// The same of a call that has begun and returns at once: finish() and test() look.
  void agree_later(const rank_call& call, handle pending);
  /// Waits for the call that has begun, or fails where it can never be done.
  int finish(handle& pending, const rank_call& call, receipt* came, const failure& fail);
  int test(handle& pending, bool* done, receipt* came, const failure& fail);
  /// Waits for the next message.
  int probe(const rank_call& call, receipt* comes, handle* message, const failure& fail);

 private:
  struct agreement;
  rank_state state_of(const rank_call& call, std::uint64_t turn) const;
  std::unique_ptr<agreement> begin_agreement(const rank_call& call, count_rule counts);
  bool is_settled(agreement& a, const failure& fail);
  template <class Done>
  void wait(const rank_state& state, Done done, const failure& fail);

  const transport& library_;
  handle ranks_;
  handle own_{};              // a communicator for these messages alone
  std::vector<int> members_;  // in the world
  std::uint64_t number_ = 0;  // of the group, for all of its ranks the same
  std::uint64_t turn_ = 0;    // verbs of all ranks so far
  std::map<handle, std::unique_ptr<agreement>> later_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
