#pragma once
// tile_bounds: raw pointers that leave the tile they were made for. A part of memcheck.

#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/instruments/checks/tile_walks.h"
#include "runtime/instruments/observing/observation.h"
#include "runtime/instruments/observing/observer.h"

namespace gs::inline GS_FLAVOUR::instruments {

class tile_bounds final : public observer {
 public:
  using observer::observer;
  bool wanted(const inspect_options& options) const override { return options.wants(instrument::memcheck); }

  void begin_inspection() override;
  void ask_for_places() override;
  void settle() override;

  void begin_launch(const launch_description& launch) override;
  void begin_run() override;
  void end_launch() override;
  void enter_block(std::size_t number, bool /*goes_on*/) override { walks_.enter_block(number); }
  void set_block_aside() override { walks_.set_block_aside(); }
  void go_back_to_block(std::size_t number) override { walks_.enter_block(number); }

  void index_formed(const indexing& i, noted_index& note) override;
  void pointer_made(std::uintptr_t data, std::size_t element_bytes, std::span<const std::size_t> extents) override;
  void shared_struct_taken() override;
  void before_plain_access(std::uintptr_t /*frame*/, const void* /*code*/) override { pointed_count_ = 0; }
  void before_range(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) override;
  void access(const observed_access& a) override {
    if (a.space == memory_space::shared && has_struct_ && observed_.in_thread) follow_pointer(a);
  }

 private:
  struct pointed_array {  // a tile to which a pointer was made, and nothing accessed since
    std::uintptr_t begin = 0, end = 0;
    std::size_t element_bytes = 1;
  };
  void point_to(std::uintptr_t data, std::size_t element_bytes, std::size_t elements);
  bool belongs_to(const noted_index& note, access_kind kind) const;
  void follow_pointer(const observed_access& a);
  void has_left(tile_walks::number tile, std::size_t offset, const observed_access& a, bool is_certain);

  std::array<pointed_array, 4> pointed_;  // the last ones, in the order in which they were made
  std::size_t pointed_count_ = 0;
  tile_walks walks_;
  bool has_struct_ = false;  // the launch has a shared one
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
