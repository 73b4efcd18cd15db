#include "runtime/instruments/checks/tile_walks.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "runtime/core/source_notes.h"
#include "runtime/instruments/results/place_text.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

constexpr std::size_t most_padding = 16;  // between members of a struct: less than that

}  // namespace

std::vector<std::ptrdiff_t> tile_walks::shape_of_tile::index_at(std::size_t offset) const {
  const auto bytes = static_cast<std::ptrdiff_t>(element_bytes);
  const auto divide = [](std::ptrdiff_t a, std::ptrdiff_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); };
  std::ptrdiff_t linear = divide(static_cast<std::ptrdiff_t>(offset) - static_cast<std::ptrdiff_t>(begin), bytes);
  std::vector<std::ptrdiff_t> index(extents.size());
  for (std::size_t d = extents.size(); d-- > 1;) {
    const auto extent = static_cast<std::ptrdiff_t>(extents[d]);
    const std::ptrdiff_t row = divide(linear, extent);
    index[d] = linear - row * extent;
    linear = row;
  }
  index[0] = linear;
  return index;
}

void tile_walks::begin_launch(std::size_t struct_bytes, unsigned threads, bool cooperative) {
  struct_bytes_ = struct_bytes;
  threads_ = threads;
  blocks_alternate_ = cooperative;
  too_many_ = false;
  tiles_.clear();
  last_ = none;
  walkers_.fill({});
  recent_uses_.fill({});
  recent_indices_.fill({});
}

void tile_walks::begin_run() {
  aside_.clear();
  in_block_ = false;
}

void tile_walks::enter_block(std::size_t block) {
  if (struct_bytes_ == 0) return;
  if (blocks_alternate_ && in_block_) set_block_aside();
  block_ = block;
  in_block_ = true;
  if (const auto known = aside_.find(block); known != aside_.end()) {
    now_ = std::move(known->second);
    aside_.erase(known);
    return;
  }
  now_.taken = now_.by_all = now_.indexed = 0;
  now_.struct_is_taken = false;
  now_.by_thread.assign(threads_, 0);
}

void tile_walks::set_block_aside() {
  if (struct_bytes_ == 0 || !in_block_) return;
  aside_[block_] = std::exchange(now_, {});
  in_block_ = false;
}

tile_walks::number tile_walks::find(std::size_t begin, std::size_t element_bytes,
                                    std::span<const std::size_t> extents) {
  std::size_t elements = 1;
  for (const std::size_t n : extents) elements *= n;
  const std::size_t end = begin + elements * element_bytes;
  if (end > struct_bytes_ || !in_block_) return none;
  if (last_ != none && tiles_[last_].begin == begin && tiles_[last_].end == end) return last_;
  for (std::size_t n = 0; n < tiles_.size(); ++n)
    if (tiles_[n].begin == begin && tiles_[n].end == end) return last_ = static_cast<number>(n);
  if (tiles_.size() == most_tiles) {
    too_many_ = true;
    return none;
  }
  tile one;
  one.begin = begin, one.end = end, one.element_bytes = element_bytes;
  one.extents.assign(extents.begin(), extents.end());
  for (tile& other : tiles_)
    if (other.begin < end && begin < other.end) other.overlaps = one.overlaps = true;
  tiles_.push_back(std::move(one));
  return last_ = static_cast<number>(tiles_.size() - 1);
}

void tile_walks::make_pointer(number n, unsigned thread, bool all) {
  now_.taken |= bit(n);
  if (all) now_.by_all |= bit(n);
  if (thread < now_.by_thread.size()) now_.by_thread[thread] |= bit(n);
}

tile_walks::number tile_walks::make_new_index(used_index& recent, std::size_t begin, std::size_t element_bytes,
                                              std::span<const std::size_t> extents, site where) {
  const number n = find(begin, element_bytes, extents);
  if (n == none) return none;
  use_of(n, where);
  recent = {.where = where, .tile = n, .begin = begin, .first_extent = extents[0]};
  now_.indexed |= bit(n);
  return n;
}

tile_walks::index_use& tile_walks::use_of(number n, site where) {
  std::vector<index_use>& uses = tiles_[n].uses;
  const auto known = std::ranges::find(uses, where, &index_use::where);
  return known != uses.end() ? *known : uses.emplace_back(index_use{where, {}});
}

void tile_walks::make_new_use(used_index& recent, number n, site where, const void* code) {
  recent = {.code = code, .where = where, .tile = n};
  std::vector<const void*>& codes = use_of(n, where).codes;
  if (std::ranges::find(codes, code) == codes.end() && codes.size() < most_codes) codes.push_back(code);
}

tile_walks::tile_set tile_walks::pointers_of(unsigned thread, bool all) const {
  if (all) return now_.by_all;
  return now_.by_all | (thread < now_.by_thread.size() ? now_.by_thread[thread] : 0);
}

tile_walks::number tile_walks::at(std::size_t offset) const {
  for (std::size_t n = 0; n < tiles_.size(); ++n)
    if (offset >= tiles_[n].begin && offset < tiles_[n].end) return static_cast<number>(n);
  return none;
}

bool tile_walks::are_neighbours(number a, number b) const {
  const tile &first = tiles_[a].begin < tiles_[b].begin ? tiles_[a] : tiles_[b],
             &second = tiles_[a].begin < tiles_[b].begin ? tiles_[b] : tiles_[a];
  return second.begin >= first.end && second.begin - first.end < most_padding;
}

void tile_walks::note_walk(number n, std::size_t offset, const void* code) {
  walker& one = walker_at(code);
  if (one.code != code) one = {.code = code};
  if (one.tiles & bit(n) && one.last != offset && at(one.last) == n) one.several |= bit(n);
  one.tiles |= bit(n);
  one.last = offset;
}

tile_walks::number tile_walks::walk(std::size_t offset, const void* code, unsigned thread, bool all) {
  if (tiles_.empty() || !in_block_ || offset >= struct_bytes_) return none;
  const number here = at(offset);
  if (here != none && now_.taken & bit(here)) {
    note_walk(here, offset, code);
    return none;
  }
  const tile_set known = pointers_of(thread, all) | now_.indexed;
  const walker& one = walker_at(code);
  if (one.code == code)
    for (tile_set left = one.tiles & known; left != 0; left &= left - 1) {
      const auto n = static_cast<number>(std::countr_zero(left));
      if (n == here) continue;
      const tile& home = tiles_[n];
      const bool beside = here != none ? are_neighbours(n, here) : offset >= home.end ? true : offset < home.begin;
      if (beside) return n;
    }
  if (here != none && known & bit(here)) note_walk(here, offset, code);
  return none;
}

tile_walks::number tile_walks::straddled(std::size_t offset, std::size_t bytes, unsigned thread, bool all) const {
  const number n = at(offset);
  if (n == none || tiles_[n].begin == offset || offset + bytes <= tiles_[n].end || tiles_[n].overlaps) return none;
  return pointers_of(thread, all) & bit(n) && !now_.struct_is_taken ? n : none;
}

void tile_walks::doubt(std::size_t finding, number left, std::size_t offset, const void* code, unsigned thread,
                       bool all) {
  const number into = at(offset);
  departures_.push_back({.finding = finding,
                         .code = code,
                         .left = left,
                         .offset = offset,
                         .by_pointer = (pointers_of(thread, all) & bit(left)) != 0,
                         .struct_is_taken = now_.struct_is_taken,
                         .into = into,
                         .uses_so_far = into == none ? 0 : tiles_[into].uses.size(),
                         .left_uses = {},
                         .other_uses = {}});
}

void tile_walks::end_launch() {
  for (departure& one : departures_) {
    if (one.settled) continue;
    one.settled = true;
    const number into = at(one.offset);
    const walker& by = walker_at(one.code);
    if (too_many_ || into == none || tiles_[into].overlaps || tiles_[one.left].overlaps || by.code != one.code)
      continue;
    if (!are_neighbours(one.left, into) || !(by.several & bit(one.left))) continue;
    one.may_stand = true;
    one.left_uses = tiles_[one.left].uses;
    const auto& uses = tiles_[into].uses;
    one.other_uses.assign(uses.begin(), uses.begin() + static_cast<std::ptrdiff_t>(one.uses_so_far));
  }
  in_block_ = false;
  struct_bytes_ = 0;
}

void tile_walks::ask_for_places(site_table& sites) {
  for (const departure& one : departures_) {
    if (!one.may_stand) continue;
    sites.number_of_code(one.code);
    for (const auto* uses : {&one.left_uses, &one.other_uses})
      for (const index_use& use : *uses)
        for (const void* code : use.codes) sites.number_of_code(code);
  }
}

// An index is one if each access that it was formed for stands in its line, and the source makes no pointer or
// reference of it. Else it has made an address.
bool tile_walks::makes_address(const std::vector<index_use>& uses, site_table& sites) {
  const auto notes = detail::source_notes::of_loaded_code();
  for (const index_use& use : uses) {
    const source_place& line = sites.place(use.where);
    const auto is_there = [&](const source_place& place) { return place.file == line.file && place.line == line.line; };
    bool is_used = false;
    for (const index_use& other : uses) {  // of several at one address, the last stands for all
      if (!is_there(sites.place(other.where))) continue;
      for (const void* code : other.codes) {
        if (!is_there(sites.place(sites.number_of_code(code)))) return true;
        is_used = true;
      }
      if (other.codes.size() == most_codes) return true;
    }
    const detail::noted_access* const written = notes->access_at(line);
    if (!is_used || !written || written->takes_address) return true;
  }
  return false;
}

std::string tile_walks::name_of(const std::vector<index_use>& uses, const site_table& sites) {
  std::string name;
  for (const index_use& use : uses) {
    const std::string object = detail::parts_of_access(sites.place(use.where)).object;
    if (object.empty() || (!name.empty() && name != object)) return "";
    name = object;
  }
  return name;
}

bool tile_walks::stands(const departure& one, site_table& sites) {
  if (!one.may_stand) return false;
  const source_place& place = sites.place(sites.number_of_code(one.code));
  if (place.line == 0) return false;
  const auto notes = detail::source_notes::of_loaded_code();
  if (notes->has_casts(place.file, place.line) || (one.struct_is_taken && notes->has_casts(place.file))) return false;
  if (!one.by_pointer && !makes_address(one.left_uses, sites)) return false;
  return !makes_address(one.other_uses, sites);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
