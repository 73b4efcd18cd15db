#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "bench/world/bare_mpi.h"
#include "bench/world/duels.h"
#include "runtime/gs.h"
#include "runtime/world/world.h"

namespace bench {
namespace {

// What a verb reads and where its result goes, the same memory for both sides.
struct arrays {
  arrays(const gs::communicator& world, std::size_t input, std::size_t output)
      : rank(world.rank()), in(input), out(output) {}

  void begin_anew() {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 1013) / 7 + static_cast<float>(rank);
    std::ranges::fill(out, -77.0f);  // no result has this value
  }

  int rank;
  std::vector<float> in, out;
};
using shared_arrays = std::shared_ptr<arrays>;

duel make_duel(const char* verb, std::size_t bytes, const shared_arrays& a, std::function<void()> ours,
               std::function<void()> bare) {
  const auto result = [a] {
    std::vector<float> all = a->in;  // of the verbs that work in place
    all.insert(all.end(), a->out.begin(), a->out.end());
    return all;
  };
  a->begin_anew();
  return {.verb = verb,
          .bytes = bytes,
          .ours = std::move(ours),
          .bare = std::move(bare),
          .begin_anew = [a] { a->begin_anew(); },
          .our_result = result,
          .bare_result = result};
}

// There and back between ranks 0 and 1; the others wait.
duel ping_pong(const gs::communicator& world, std::size_t n) {
  const auto a = std::make_shared<arrays>(world, n, n);
  duel d = make_duel(
      "send, receive", n * sizeof(float), a,
      [a, &world] {
        if (world.rank() == 0) world.send(a->in, 1);
        if (world.rank() <= 1) world.receive(a->out, 1 - world.rank());
        if (world.rank() == 1) world.send(a->in, 0);
      },
      [a] {
        if (a->rank == 0) bare_mpi::send(a->in, 1);
        if (a->rank <= 1) bare_mpi::receive(a->out, 1 - a->rank);
        if (a->rank == 1) bare_mpi::send(a->in, 0);
      });
  d.messages = 2;
  return d;
}

}  // namespace

std::vector<duel> verbs(const gs::communicator& world, std::size_t bytes) {
  const std::size_t n = bytes / sizeof(float), all = n * static_cast<std::size_t>(world.size());
  const auto same = std::make_shared<arrays>(world, n, n), place = std::make_shared<arrays>(world, n, 0);
  const auto to_all = std::make_shared<arrays>(world, all, n), from_all = std::make_shared<arrays>(world, n, all);
  const auto both = std::make_shared<arrays>(world, all, all);
  return {
      ping_pong(world, n),
      make_duel(
          "broadcast", bytes, place, [place, &world] { world.broadcast(place->in); },
          [place] { bare_mpi::broadcast(place->in); }),
      make_duel(
          "reduce", bytes, same, [same, &world] { world.reduce(same->in, gs::out(same->out)); },
          [same] { bare_mpi::reduce(same->in, same->out); }),
      make_duel(
          "allreduce", bytes, same, [same, &world] { world.allreduce(same->in, gs::out(same->out)); },
          [same] { bare_mpi::allreduce(same->in, same->out); }),
      make_duel(
          "scan", bytes, same, [same, &world] { world.scan(same->in, gs::out(same->out)); },
          [same] { bare_mpi::scan(same->in, same->out); }),
      make_duel(
          "gather", bytes, from_all, [from_all, &world] { world.gather(from_all->in, gs::out(from_all->out)); },
          [from_all] { bare_mpi::gather(from_all->in, from_all->out); }),
      make_duel(
          "allgather", bytes, from_all, [from_all, &world] { world.allgather(from_all->in, gs::out(from_all->out)); },
          [from_all] { bare_mpi::allgather(from_all->in, from_all->out); }),
      make_duel(
          "scatter", bytes, to_all, [to_all, &world] { world.scatter(to_all->in, gs::out(to_all->out)); },
          [to_all] { bare_mpi::scatter(to_all->in, to_all->out); }),
      make_duel(
          "alltoall", bytes, both, [both, &world] { world.alltoall(both->in, gs::out(both->out)); },
          [both] { bare_mpi::alltoall(both->in, both->out); }),
      make_duel(
          "start_broadcast", bytes, place, [place, &world] { world.start_broadcast(std::span(place->in)).wait(); },
          [place] { bare_mpi::start_broadcast(place->in); }),
      // The maximum stays what it is, however often it is taken in place.
      make_duel(
          "start_allreduce", bytes, place,
          [place, &world] { world.start_allreduce(std::span(place->in), gs::fold::maximum).wait(); },
          [place] { bare_mpi::start_allreduce_maximum(place->in); }),
  };
}

std::vector<duel> verbs_without_message(const gs::communicator& world) {
  const auto none = std::make_shared<arrays>(world, 0, 0);
  return {make_duel("barrier", 0, none, [&world] { world.barrier(); }, [] { bare_mpi::barrier(); })};
}

duel halo_exchange(const gs::communicator& world, std::size_t bytes) {
  const std::size_t n = bytes / sizeof(float);
  const auto a = std::make_shared<arrays>(world, 2 * n, 2 * n);
  std::vector<bare_mpi::neighbour> neighbours;
  for (const int side : {0, 1}) {
    const int rank = world.rank() + (side == 0 ? -1 : 1);
    if (rank < 0 || rank == world.size()) continue;
    const std::size_t first = static_cast<std::size_t>(side) * n;
    neighbours.push_back({rank, std::span(a->in).subspan(first, n), std::span(a->out).subspan(first, n)});
  }
  return make_duel(
      "halo exchange", bytes, a,
      [a, neighbours, &world] {
        std::array<gs::request<std::span<float>>, 2> comes, sent;
        for (std::size_t k = 0; k < neighbours.size(); ++k)
          comes[k] = world.start_receive(std::span(neighbours[k].comes), neighbours[k].rank);
        for (std::size_t k = 0; k < neighbours.size(); ++k)
          sent[k] = world.start_send(std::span(neighbours[k].sent), neighbours[k].rank);
        for (std::size_t k = 0; k < neighbours.size(); ++k) comes[k].wait(), sent[k].wait();
      },
      [a, neighbours] { bare_mpi::exchange(neighbours); });
}

}  // namespace bench
