#include "runtime/instruments/checks/tile_bounds.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/threads/shared_window.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

// From the block's first byte of it.
std::size_t offset_in_shared(std::uintptr_t address) {
  return (address - detail::shared_window_start) % detail::shared_slot::stride;
}

}  // namespace

void tile_bounds::begin_inspection() {
  walks_.forget();
  has_struct_ = false;
}

void tile_bounds::ask_for_places() {
  if (has_struct_) walks_.end_launch();  // that didn't end
  walks_.ask_for_places(observed_.sites);
}

void tile_bounds::settle() {
  walks_.settle(observed_.sites, [&](std::size_t finding, bool stands, std::string name) {
    if (!stands) observed_.log[finding].count = 0;
    observed_.log[finding].array = std::move(name);
  });
}

void tile_bounds::begin_launch(const launch_description& launch) {
  has_struct_ = launch.static_shared_bytes > 0;
  if (has_struct_)
    walks_.begin_launch(launch.static_shared_bytes, static_cast<unsigned>(launch.block.size()), launch.cooperative);
}

void tile_bounds::begin_run() {
  if (has_struct_) walks_.begin_run();
}

void tile_bounds::end_launch() {
  if (std::exchange(has_struct_, false)) walks_.end_launch();
}

void tile_bounds::index_formed(const indexing& i, noted_index& note) {
  if (!detail::in_shared_memory(i.data)) return;
  std::size_t elements = 1;
  for (std::size_t d = 0; d < i.rank; ++d) elements *= i.extents[d];
  point_to(note.data, i.element.bytes, elements);
  if (has_struct_ && i.is_fixed_array)
    note.tile = walks_.make_index(offset_in_shared(note.data), i.element.bytes, {i.extents, i.rank}, note.where);
}

void tile_bounds::pointer_made(std::uintptr_t data, std::size_t element_bytes, std::span<const std::size_t> extents) {
  std::size_t elements = 1;
  for (const std::size_t n : extents) elements *= n;
  point_to(data, element_bytes, elements);
  if (!has_struct_ || !observed_.in_thread || !detail::in_shared_memory(reinterpret_cast<const void*>(data))) return;
  const tile_walks::number tile = walks_.find(offset_in_shared(data), element_bytes, extents);
  if (tile != tile_walks::none) walks_.make_pointer(tile, observed_.time.thread(), observed_.all_threads > 1);
}

void tile_bounds::point_to(std::uintptr_t data, std::size_t element_bytes, std::size_t elements) {
  const pointed_array one{data, data + elements * element_bytes, element_bytes};
  if (pointed_count_ > 0 && pointed_[(pointed_count_ - 1) % pointed_.size()].begin == data) --pointed_count_;
  pointed_[pointed_count_++ % pointed_.size()] = one;
}

// What goes through the whole of it begins in its first tile.
void tile_bounds::shared_struct_taken() {
  pointed_count_ = 0;
  if (has_struct_ && observed_.in_thread) walks_.make_pointer_to_struct();
}

// What begins in a tile, by the pointer to it that was made for the call, has to end there: behind it lies the next
// member of the block's struct, as much its own.
void tile_bounds::before_range(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  observation& o = observed_;
  if (!o.in_thread) return;
  for (std::size_t n = 0; n < std::min(pointed_count_, pointed_.size()); ++n) {
    const pointed_array& one = pointed_[n];
    if (address - one.begin >= one.end - one.begin || bytes <= one.end - address) continue;
    const finding_log::key key{finding_kind::outside_shape, o.time.work().kernel, o.sites.number_of_code(code),
                               unknown_site, kind};
    if (o.log.count_again(key) != finding_log::no_finding) return;
    finding f = o.finding_here(finding_kind::outside_shape, kind);
    f.space =
        detail::in_shared_memory(reinterpret_cast<const void*>(address)) ? memory_space::shared : memory_space::local;
    f.extents = {(one.end - one.begin) / one.element_bytes};
    f.index = {static_cast<std::ptrdiff_t>(f.extents[0])};
    o.log.add(key, std::move(f));
    return;
  }
}

// Whether the index was formed for the access, and not for one before it: a read, a write, or the two of an update.
bool tile_bounds::belongs_to(const noted_index& note, access_kind kind) const {
  if (note.turn != observed_.turns || note.is_done || (note.is_read && kind == access_kind::read)) return false;
  note.is_read = true;
  note.is_done = kind != access_kind::read;
  return true;
}

// By the index that was formed for the access, or by a raw pointer.
void tile_bounds::follow_pointer(const observed_access& a) {
  if (a.note && belongs_to(*a.note, a.kind)) {
    if (a.note->tile != tile_walks::none) walks_.use_index(a.note->tile, a.note->where, a.code);
    return;
  }
  if (!a.code || observed_.range.contains(a.address)) return;
  const unsigned thread = observed_.time.thread();
  const bool all = observed_.all_threads > 1;
  tile_walks::number left = walks_.straddled(a.offset(), a.bytes, thread, all);
  if (left != tile_walks::none) return has_left(left, walks_.shape(left).end, a, true);
  left = walks_.walk(a.offset(), a.code, thread, all);
  if (left != tile_walks::none) has_left(left, a.offset(), a, false);
}

void tile_bounds::has_left(tile_walks::number tile, std::size_t offset, const observed_access& a, bool is_certain) {
  observation& o = observed_;
  // Findings that may be withdrawn are kept apart from others at the same place.
  const site other = is_certain ? unknown_site : o.sites.number_of_text("beyond a tile");
  const finding_log::key key{finding_kind::outside_shape, o.time.work().kernel, o.sites.number_of_code(a.code), other,
                             a.kind};
  if (o.log.count_again(key) != finding_log::no_finding) return;
  finding f = o.finding_here(finding_kind::outside_shape, a.kind);
  f.space = memory_space::shared;
  f.extents = walks_.shape(tile).extents;
  f.index = walks_.shape(tile).index_at(offset);
  const std::size_t number = o.log.add(key, std::move(f));
  if (!is_certain) walks_.doubt(number, tile, offset, a.code, o.time.thread(), o.all_threads > 1);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
