#pragma once
// What is timed: the verbs, the exchange of halos, and diffusion on rows that ranks share.

#include <cstddef>
#include <vector>

#include "bench/world/duel.h"

namespace bench {

/// Each verb with a message, or a rank's part, of so many bytes.
std::vector<duel> verbs(const gs::communicator& world, std::size_t bytes);
/// The verbs that send nothing.
std::vector<duel> verbs_without_message(const gs::communicator& world);
/// Rows of so many bytes go to the neighbours on both sides, as in lesson 41.
duel halo_exchange(const gs::communicator& world, std::size_t bytes);
/// A step of lesson 41's diffusion, by rows: so many rows of so many cells on each rank.
duel diffusion(const gs::communicator& world, std::size_t rows, std::size_t columns);

}  // namespace bench
