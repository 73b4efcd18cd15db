#pragma once
// wait_graph: who waits for whom. Ranks that wait for each other, or for one that has ended, can never go on (Knapp,
// "Deadlock Detection in Distributed Databases", 1987: the AND and the OR model together).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// What a rank does, as it has told the others.
struct rank_state {
  enum class kind : std::int32_t { goes_on, waits, has_ended };
  kind is = kind::goes_on;
  std::uint32_t reports = 0;  ///< how often it has said so since it began to wait, a second apart
  /// Of a verb of all ranks: which group's, and the number of the call there. Ranks in the same call don't wait for
  /// each other. 0 for messages.
  std::uint64_t group = 0, turn = 0;
  bool for_any = false;    ///< one of `ranks` is enough
  std::vector<int> ranks;  ///< that it waits for
  std::string call;        ///< "receive at ring.cpp:12"
};

/// Which ranks can never go on. Those that have said less than `reports` times that they wait may.
std::vector<bool> stuck_ranks(std::span<const rank_state> all, std::uint32_t reports);

/// "rank 0 waits for rank 1 in receive at ring.cpp:12, rank 1 has ended".
std::string stuck_text(std::span<const rank_state> all, const std::vector<bool>& stuck);

/// A state as bytes, and back.
std::vector<char> packed_state(const rank_state& state);
rank_state unpacked_state(std::span<const char> bytes);

}  // namespace gs::inline GS_FLAVOUR::detail
