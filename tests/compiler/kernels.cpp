// What the plugin says of a kernel, at the line of its first barrier: says.sh compares it with the comments here.

#include <atomic>
#include <cstring>
#include <source_location>

#include "runtime/gs.h"

struct numbers {
  gs::tile<float, 1024> of;
};
using input = gs::view<const float>;
using output = gs::view<float>;

// --- split -----------------------------------------------------------------------------------------------------------

GS_FN void computes_again(gs::thread t, gs::shared<numbers> s, input x, output y) {
  const std::size_t i = t.grid();
  if (i < x.size()) s->of[t.thread_rank()] = x[i];
  t.sync();  // says: split at 1 barrier, across which each thread keeps 0 numbers
  if (i < x.size()) y[i] = s->of[t.block_size() - 1 - t.thread_rank()];
}

GS_FN void keeps_a_sum(gs::thread t, gs::shared<numbers> s, input x, output y) {
  const unsigned me = t.thread_rank();
  float sum = 0;
  for (std::size_t k = 0; k < x.size(); k += t.block_size()) {
    s->of[me] = k + me < x.size() ? x[k + me] : 0;
    t.sync();  // says: split at 2 barriers, across which each thread keeps 1 number
    for (unsigned i = 0; i <= me; ++i) sum += s->of[i];
    t.sync();
  }
  y[t.grid()] = sum;
}

GS_FN void keeps_what_it_read(gs::thread t, output y) {
  const float a = y[t.grid()], b = y[t.gridsize() - 1 - t.grid()];
  t.sync();  // says: split at 1 barrier, across which each thread keeps 2 numbers
  y[t.grid()] = a - b;
}

// An atomic operation in a counting loop isn't a wait; nor is a compare_exchange that is retried with the value it
// found, as in fetch_max.
GS_FN void counts_and_compares(gs::thread t, gs::view<int> bins, output y) {
  for (auto i : t.grid_stride(bins.size())) gs::atomic_ref(bins[i]).fetch_add(1);
  t.sync();  // says: split at 1 barrier, across which each thread keeps 0 numbers
  gs::atomic_ref(bins[0]).fetch_max(3);
  y[t.grid()] = 1;
}

GS_FN void counts_in_shared_memory(gs::thread t, gs::dynamic_shared<unsigned> own, input x, gs::view<unsigned> bins) {
  for (std::size_t k = t.thread_rank(); k < own.size(); k += t.block_size()) own[k] = 0;
  t.sync();  // says: split at 2 barriers, across which each thread keeps 0 numbers
  for (std::size_t i = t.grid(); i < x.size(); i += t.gridsize())
    gs::atomic_ref(own[static_cast<unsigned>(x[i])]).fetch_add(1u);
  t.sync();
  for (std::size_t b = t.thread_rank(); b < bins.size(); b += t.block_size()) gs::atomic_ref(bins[b]).fetch_add(own[b]);
}

GS_FN void multiplies_what_it_finds(gs::thread t, input x, gs::view<unsigned> bins, output y) {
  for (unsigned seen = bins[0];;) {
    const auto product = static_cast<unsigned>(static_cast<float>(seen) * x[t.grid()]);
    const unsigned found = gs::atomic_ref(bins[0]).compare_exchange(seen, product);
    if (found == seen) break;
    seen = found;
  }
  t.sync();  // says: split at 1 barrier, across which each thread keeps 0 numbers
  y[t.grid()] = 1;
}

GS_FN void counts_up_to_what_it_reads(gs::thread t, gs::view<const unsigned> last, gs::view<int> bins, output y) {
  for (std::size_t i = t.grid(); i < last[0]; i += t.gridsize()) gs::atomic_ref(bins[i]).fetch_add(1);
  t.sync();  // says: split at 1 barrier, across which each thread keeps 0 numbers
  y[t.grid()] = 1;
}

GS_FN void counts_by_powers(gs::thread t, gs::view<const unsigned> last, gs::view<int> bins, output y) {
  for (unsigned i = 1; i < last[0]; i *= 2) gs::atomic_ref(bins[i]).fetch_add(1);
  t.sync();  // says: split at 1 barrier, across which each thread keeps 0 numbers
  y[t.grid()] = 1;
}

GS_FN void exchanges_as_the_standard_does(gs::thread t, gs::view<unsigned> bins, output y) {
  unsigned seen = bins[1];
  while (!std::atomic_ref(bins[1]).compare_exchange_strong(seen, 2 * seen)) {
  }
  t.sync();  // says: split at 1 barrier, across which each thread keeps 0 numbers
  y[t.grid()] = 1;
}

GS_FN void walks_at_random(gs::thread t, gs::view<int> visits, output y) {
  for (std::size_t at = t.grid(); at != 1; at = at % 2 == 1 ? 3 * at + 1 : at / 2)
    gs::atomic_ref(visits[at]).fetch_add(1);
  t.sync();  // says: split at 1 barrier, across which each thread keeps 0 numbers
  y[t.grid()] = 1;
}

// The compiler knows bounds of an index into shared memory, but these don't end the loop.
GS_FN void walks_through_shared_memory(gs::thread t, gs::dynamic_shared<unsigned> own, input x, output y) {
  for (std::size_t at = t.grid(); at != 1; at = at % 2 == 1 ? 3 * at + 1 : at / 2)
    gs::atomic_ref(own[static_cast<unsigned>(x[at])]).fetch_add(1u);
  t.sync();  // says: split at 1 barrier, across which each thread keeps 0 numbers
  y[t.grid()] = 1;
}

GS_FN void has_an_array_between_barriers(gs::thread t, input x, output y) {
  t.sync();  // says: split at 2 barriers, across which each thread keeps 0 numbers
  float own[8];
  for (unsigned i = 0; i < 8; ++i) own[i] = x[t.grid() + i];
  for (unsigned i = 0; i < 8; ++i) y[t.grid()] += own[static_cast<unsigned>(x[i]) % 8];
  t.sync();
}

// --- not split -------------------------------------------------------------------------------------------------------

GS_FN void asks_its_warp(gs::thread t, input x, output y) {
  t.sync();  // says: not split at its barriers: it does what only fibers can
  y[t.grid()] = t.shuffle_down(x[t.grid()], 1);
}

GS_FN void votes(gs::thread t, input x, output y) {
  t.sync();  // says: not split at its barriers: it does what only fibers can
  y[t.grid()] = t.sync_or(x[t.grid()] > 0) ? 1 : 0;
}

GS_FN void keeps_an_array(gs::thread t, input x, output y) {
  float own[8];
  for (unsigned i = 0; i < 8; ++i) own[i] = x[t.grid() + i];
  t.sync();  // says: not split at its barriers: a thread keeps memory across a barrier: own
  for (unsigned i = 0; i < 8; ++i) y[t.grid()] += own[static_cast<unsigned>(x[i]) % 8];
}

// Its elements are reached by pointers, computed from that of a member.
GS_FN void keeps_a_local_array(gs::thread t, gs::shared<numbers> s, std::size_t rounds, output y) {
  gs::local_array<float, 32> sums;
  for (unsigned c = 0; c < 32; ++c) sums[c] = 0;
  for (std::size_t k = 0; k < rounds; ++k) {
    s->of[t.thread_rank()] = y[t.grid()];
    t.sync();  // says: not split at its barriers: a thread keeps memory across a barrier: sums
    for (unsigned c = 0; c < 32; ++c) sums[c] += static_cast<float>(t.grid() + 1) * s->of[c];
    t.sync();
  }
  for (unsigned c = 0; c < 32; ++c) y[32 * t.grid() + c] = sums[c];
}

// A call gets such a pointer, which was computed before the barrier.
GS_FN void copies_into_a_local_array(gs::thread t, gs::shared<numbers> s, std::size_t count, output y) {
  gs::local_array<float, 32> copied;
  float* const begin = &copied[static_cast<unsigned>(count % 7)];
  std::memcpy(begin, y.data() + t.grid(), count);
  s->of[t.thread_rank()] = y[t.grid()];
  t.sync();  // says: not split at its barriers: a thread keeps memory across a barrier: copied
  std::memcpy(y.data() + 32 * t.grid(), begin, count);
}

GS_FN void fills_a_local_array_anew(gs::thread t, gs::shared<numbers> s, std::size_t rounds, output y) {
  for (std::size_t k = 0; k < rounds; ++k) {
    s->of[t.thread_rank()] = y[t.grid()];
    t.sync();  // says: split at 2 barriers, across which each thread keeps 0 numbers
    gs::local_array<float, 32> own;
    for (unsigned c = 0; c < 32; ++c) own[c] = s->of[(t.thread_rank() + c * c) % 1024];
    float sum = 0;
    for (unsigned c = 0; c < 32; ++c) sum += own[static_cast<unsigned>(own[c]) % 32];
    y[t.grid()] = sum;
    t.sync();
  }
}

float computed_elsewhere(float x) noexcept;
GS_FN void calls_what_is_elsewhere(gs::thread t, input x, output y) {
  t.sync();  // says: not split at its barriers: it calls computed_elsewhere
  y[t.grid()] = computed_elsewhere(x[t.grid()]);
}

GS_FN void waits_for_a_block(gs::thread t, gs::view<int> flags, output y) {
  if (t.thread_rank() == 0)
    while (gs::atomic_ref(flags[t.block_rank()]).load() == 0) {
    }
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

GS_FN void waits_until_two_agree(gs::thread t, gs::view<int> flags, output y) {
  while (gs::atomic_ref(flags[0]).load() != gs::atomic_ref(flags[1]).load()) {
  }
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

GS_FN void waits_for_a_change(gs::thread t, gs::view<int> flags, output y) {
  int before = flags[1];
  for (int now; (now = gs::atomic_ref(flags[0]).load()) == before;) before = now;
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

GS_FN void waits_for_a_lock(gs::thread t, gs::view<unsigned> lock, output y) {
  while (gs::atomic_ref(lock[0]).compare_exchange(0u, 1u) != 0) {
  }
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

GS_FN void waits_until_one_follows_the_other(gs::thread t, gs::view<int> flags, output y) {
  for (int seen = 0; gs::atomic_ref(flags[0]).load() != seen;) seen = gs::atomic_ref(flags[1]).load();
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

GS_FN void waits_for_three_steps(gs::thread t, gs::view<int> flags, output y) {
  for (int step = 0; step < 3;)
    if (gs::atomic_ref(flags[0]).load() == 5 * step) ++step;
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

GS_FN void waits_for_all_flags(gs::thread t, gs::view<const int> flags, output y) {
  std::size_t up = 0;
  while (up != flags.size()) {
    t.device_fence();
    for (up = 0; up != flags.size() && flags[up] != 0;) ++up;
  }
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

// Alternates between two numbers: what others write to `last` decides which of them is left at the end.
GS_FN void swings(gs::thread t, gs::view<const unsigned> last, gs::view<int> bins, output y) {
  for (unsigned i = 1; i < last[0]; i = 7 - i) gs::atomic_ref(bins[i]).fetch_add(1);
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

GS_FN void stops_the_program(gs::thread t, gs::view<int> flags, output y) {
  if (y[t.grid()] > 0)
    while (true)
      if (gs::atomic_ref(flags[0]).load() != 0) __builtin_trap();
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

GS_FN void waits_in_a_loop_inside(gs::thread t, gs::view<int> flags, output y) {
  int turns = 0;
  for (bool open = false; !open;) {
    for (int tries = 0; tries < 10 && !open; ++tries) open = gs::atomic_ref(flags[0]).load() != 0;
    ++turns;
  }
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = static_cast<float>(turns);
}

GS_FN void waits_for_a_volatile_flag(gs::thread t, gs::view<int> flags, output y) {
  volatile int* const flag = &flags[0];
  while (*flag == 0) {
  }
  t.sync();  // says: not split at its barriers: a thread waits for others in a loop
  y[t.grid()] = 1;
}

struct function {
  float (*of)(float) noexcept;
};
GS_FN void calls_by_address(gs::thread t, input x, output y, function f) {
  t.sync();  // says: not split at its barriers: it calls a function by its address
  y[t.grid()] = f.of(x[t.grid()]);
}

float throws_perhaps(float x);
GS_FN void catches(gs::thread t, input x, output y) {
  try {
    y[t.grid()] = throws_perhaps(x[t.grid()]);
  } catch (...) {
  }
  t.sync();  // says: not split at its barriers: it handles exceptions
}

GS_FN void computes_the_place(gs::thread t, input x) {
  const auto here = std::source_location::current(), there = std::source_location::current();
  t.sync(x[0] > 0 ? here : there);  // says: not split at its barriers: the place of a barrier is computed
}

template <unsigned Barriers>
GS_FN void waits(gs::thread t, output y) {
  t.sync();  // says: not split at its barriers: it has more than 31 barriers
  y[t.grid()] += Barriers;
  if constexpr (Barriers > 1) waits<Barriers - 1>(t, y);
}

void launch_all(input x, output y, function f, gs::view<int> n, gs::view<unsigned> bins) {
  const gs::launch_options one{.grid = 1, .block = 64};
  gs::launch<computes_again>(one, x, y);
  gs::launch<keeps_a_sum>(one, x, y);
  gs::launch<keeps_what_it_read>(one, y);
  gs::launch<counts_and_compares>(one, n, y);
  gs::launch<counts_in_shared_memory>({.grid = 1, .block = 64, .shared_bytes = 256}, x, bins);
  gs::launch<multiplies_what_it_finds>(one, x, bins, y);
  gs::launch<counts_up_to_what_it_reads>(one, bins, n, y);
  gs::launch<counts_by_powers>(one, bins, n, y);
  gs::launch<exchanges_as_the_standard_does>(one, bins, y);
  gs::launch<walks_at_random>(one, n, y);
  gs::launch<walks_through_shared_memory>({.grid = 1, .block = 64, .shared_bytes = 256}, x, y);
  gs::launch<has_an_array_between_barriers>(one, x, y);
  gs::launch<asks_its_warp>(one, x, y);
  gs::launch<votes>(one, x, y);
  gs::launch<keeps_an_array>(one, x, y);
  gs::launch<keeps_a_local_array>(one, std::size_t{3}, y);
  gs::launch<copies_into_a_local_array>(one, std::size_t{3}, y);
  gs::launch<fills_a_local_array_anew>(one, std::size_t{3}, y);
  gs::launch<waits_for_a_block>(one, n, y);
  gs::launch<waits_until_two_agree>(one, n, y);
  gs::launch<waits_for_a_change>(one, n, y);
  gs::launch<waits_for_a_lock>(one, bins, y);
  gs::launch<waits_until_one_follows_the_other>(one, n, y);
  gs::launch<waits_for_three_steps>(one, n, y);
  gs::launch<waits_for_all_flags>(one, n, y);
  gs::launch<swings>(one, bins, n, y);
  gs::launch<stops_the_program>(one, n, y);
  gs::launch<waits_in_a_loop_inside>(one, n, y);
  gs::launch<waits_for_a_volatile_flag>(one, n, y);
  gs::launch<calls_what_is_elsewhere>(one, x, y);
  gs::launch<calls_by_address>(one, x, y, f);
  gs::launch<catches>(one, x, y);
  gs::launch<computes_the_place>(one, x);
  gs::launch<waits<32>>(one, y);
}

// --- marks that no kernel has ----------------------------------------------------------------------------------------

void without_a_loop() {
  if (!gridstride_split_works()) return;
  gridstride_split_wait(nullptr);  // says: not split at its barriers: there is no loop over threads
}
void waits_before_the_body(std::byte* memory, const void** places, unsigned n) {
  if (!gridstride_split_works()) return;
  gridstride_split_sweep(static_cast<unsigned>(gridstride_split_bytes(n)), memory, n, places, 31);
  for (unsigned i = 0; i < n; ++i) {
    gridstride_split_wait(nullptr);  // says: not split at its barriers: a barrier lies outside of it
    gridstride_split_resume(0, i, i, 0);
    memory[i] = std::byte{1};
    memory[n] = static_cast<std::byte>(gridstride_split_left());
  }
}
void has_no_thread_loop(std::byte* memory, const void** places, unsigned n) {
  if (!gridstride_split_works()) return;
  gridstride_split_sweep(static_cast<unsigned>(gridstride_split_bytes(n)), memory, n, places, 31);
  gridstride_split_resume(0, 0, 0, 0);
  gridstride_split_wait(nullptr);  // says: not split at its barriers: there is no loop over threads
  memory[n] = static_cast<std::byte>(gridstride_split_left());
}
void a_value_leaves(std::byte* memory, const void** places, unsigned n) {
  if (!gridstride_split_works()) return;
  gridstride_split_sweep(static_cast<unsigned>(gridstride_split_bytes(n)), memory, n, places, 31);
  for (unsigned i = 0; i < n; ++i) {
    gridstride_split_resume(0, i, i, 0);
    const std::byte value = memory[i];
    gridstride_split_wait(nullptr);  // says: not split at its barriers: a value leaves it
    memory[n] = static_cast<std::byte>(gridstride_split_left());
    memory[i + n] = value;
  }
}
