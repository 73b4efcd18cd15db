#pragma once
// The plain flavour's part of observe.h: nobody is told anything, and the compiler leaves the calls out. What has a
// result says that nothing is watched.

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::instruments {

constexpr bool watching() { return false; }
constexpr bool given_up() { return false; }
constexpr bool watched_after_free(const void*) { return false; }
constexpr std::size_t whose_turn(std::size_t turn, std::size_t /*n*/) { return turn; }
constexpr unsigned running_thread() { return 0; }

struct block_stopped {};  // is never thrown
struct waiting_thread {
  unsigned thread;
  std::source_location where;
};
constexpr bool divergent_barrier(const waiting_thread&, const waiting_thread*) { return false; }

// What queued work comes after: nobody asks.
struct work_order {};
struct queued_work {};
struct stream_clock {
  [[no_unique_address]] work_order order;
};
constexpr queued_work note_queued(stream_clock&) { return {}; }
struct work_scope {
  constexpr explicit work_scope(const queued_work&) {}
  constexpr ~work_scope() {}
};
struct host_function_scope {
  constexpr host_function_scope() {}
  constexpr ~host_function_scope() {}
};
struct trap_pause {
  constexpr trap_pause() {}
  constexpr ~trap_pause() {}
};

enum class fence_scope : std::uint8_t { block, device };
constexpr void note_fence(fence_scope) {}

enum class meeting_place : std::uint8_t { warp, block, grid };

// Whatever they are told.
template <class... T>
constexpr void arrive(const T&...) {}
template <class... T>
constexpr void enter_block(const T&...) {}
template <class... T>
constexpr void enter_thread(const T&...) {}
template <class... T>
constexpr void exit_before_grid_sync(const T&...) {}
template <class... T>
constexpr void go_back_to_block(const T&...) {}
template <class... T>
constexpr void name_work(const T&...) {}
template <class... T>
constexpr void note_allocated(const T&...) {}
template <class... T>
constexpr void note_copy_reads(const T&...) {}
template <class... T>
constexpr void note_copy_writes(const T&...) {}
template <class... T>
constexpr void note_device_variable(const T&...) {}
template <class... T>
constexpr void note_pinned(const T&...) {}
template <class... T>
constexpr void note_queued_copy_to_device(const T&...) {}
template <class... T>
constexpr void note_queued_copy_to_host(const T&...) {}
template <class... T>
constexpr void note_copy_to_device(const T&...) {}
template <class... T>
constexpr void note_copy_to_host(const T&...) {}
template <class... T>
constexpr void note_copy_within_device(const T&...) {}
template <class... T>
constexpr void note_waited(const T&...) {}
template <class... T>
constexpr bool stopped_by(const T&...) {
  return false;
}
template <class... T>
constexpr void read_of_absent_lane(const T&...) {}
template <class... T>
constexpr void warp_has_met(const T&...) {}
constexpr void block_has_met() {}
constexpr void grid_has_met() {}
constexpr void leave_thread() {}
constexpr void note_freed(const void*) {}
constexpr void note_lent(const void*) {}
constexpr void note_read(const void*, std::size_t) {}
constexpr void note_written(const void*, std::size_t) {}
constexpr void set_block_aside() {}
constexpr void share_device_variables() {}

}  // namespace gs::inline GS_FLAVOUR::instruments
