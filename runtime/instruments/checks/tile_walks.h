#pragma once
// tile_walks: raw pointers that leave the tile of a shared struct that they were made for, and go on in the next one.
//
// An access by a raw pointer doesn't say which array it means. It has left one if the same code goes through this tile
// and into its neighbour, if its thread has made a pointer to the one, and if nobody in its block has made a pointer to
// the other: by data(), begin() or end(), or by the address of an element, which only the source can tell from an
// index.

#if GRIDSTRIDE_CHECKED

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/places/site_table.h"

namespace gs::inline GS_FLAVOUR::instruments {

class tile_walks {
 public:
  /// A tile of the launch's shared struct. Offsets count from the block's first byte of shared memory.
  using number = std::uint8_t;
  static constexpr number none = 0xff;

  struct shape_of_tile {
    std::size_t begin = 0, end = 0, element_bytes = 1;
    std::vector<std::size_t> extents;
    /// The index that leads to an offset, also to one outside: rows before the first have negative numbers.
    std::vector<std::ptrdiff_t> index_at(std::size_t offset) const;
  };

  void begin_launch(std::size_t struct_bytes, unsigned threads, bool cooperative);
  void begin_run();
  void end_launch();
  void enter_block(std::size_t block);
  void set_block_aside();

  /// The tile there; none if it isn't one of the struct's.
  number find(std::size_t begin, std::size_t element_bytes, std::span<const std::size_t> extents);
  const shape_of_tile& shape(number n) const { return tiles_[n]; }
  /// The thread (or, outside of `each`, every thread) has made a pointer to the tile; to the whole struct; an index
  /// into the tile there, which is told as by find().
  void make_pointer(number n, unsigned thread, bool all);
  void make_pointer_to_struct() { now_.struct_is_taken = true; }
  number make_index(std::size_t begin, std::size_t element_bytes, std::span<const std::size_t> extents, site where) {
    used_index& recent = recent_indices_[where % recent_indices_.size()];
    if (recent.where != where || recent.begin != begin || recent.first_extent != extents[0])
      return make_new_index(recent, begin, element_bytes, extents, where);
    now_.indexed |= bit(recent.tile);
    return recent.tile;
  }
  /// The access by code `code` for which the index at `where` was formed.
  void use_index(number n, site where, const void* code) {
    used_index& recent = recent_uses_[reinterpret_cast<std::uintptr_t>(code) / 4 % recent_uses_.size()];
    if (recent.code != code || recent.where != where || recent.tile != n) make_new_use(recent, n, where, code);
  }

  /// An access without an index. Returns the tile that it may have left.
  number walk(std::size_t offset, const void* code, unsigned thread, bool all);
  /// An access that begins inside a tile, by a pointer to it, and ends behind it.
  number straddled(std::size_t offset, std::size_t bytes, unsigned thread, bool all) const;
  /// Whether walk() was right is known in the end: of the finding with this number.
  void doubt(std::size_t finding, number left, std::size_t offset, const void* code, unsigned thread, bool all);

  /// For settle(): asks for the places of the code that matters.
  void ask_for_places(site_table& sites);
  /// Calls tell(finding, stands, name of the tile) for each; the name is that of its indices, else empty.
  template <class Tell>
  void settle(site_table& sites, const Tell& tell) {
    for (const departure& one : departures_) tell(one.finding, stands(one, sites), name_of(one.left_uses, sites));
    departures_.clear();
  }
  void forget() { *this = tile_walks(); }

 private:
  static constexpr std::size_t most_tiles = 64, most_codes = 16;
  using tile_set = std::uint64_t;

  struct index_use {  // an index as it is written, and the code of the accesses that it was formed for
    site where = unknown_site;
    std::vector<const void*> codes;
  };
  struct tile : shape_of_tile {
    bool overlaps = false;  // another one, as in a union
    std::vector<index_use> uses;
  };
  struct walker {  // code that makes accesses without an index
    const void* code = nullptr;
    tile_set tiles = 0;    // that it has rightly been in
    tile_set several = 0;  // at more than one place
    std::size_t last = 0;
  };
  struct block_pointers {
    tile_set taken = 0;    // by any thread
    tile_set by_all = 0;   // made outside of `each`
    tile_set indexed = 0;  // by any thread
    bool struct_is_taken = false;
    std::vector<tile_set> by_thread;
  };
  struct used_index {
    const void* code = nullptr;
    site where = unknown_site;
    number tile = none;
    std::size_t begin = ~std::size_t{0}, first_extent = 0;  // of the tile
  };
  struct departure {
    std::size_t finding;
    const void* code;
    number left;
    std::size_t offset;
    bool by_pointer, struct_is_taken;
    number into;
    std::size_t uses_so_far;  // of the other tile
    bool settled = false, may_stand = false;
    std::vector<index_use> left_uses, other_uses;  // when the launch has ended
  };

  static tile_set bit(number n) { return tile_set{1} << n; }
  tile_set pointers_of(unsigned thread, bool all) const;
  number at(std::size_t offset) const;
  bool are_neighbours(number a, number b) const;
  walker& walker_at(const void* code) { return walkers_[reinterpret_cast<std::uintptr_t>(code) / 4 % walkers_.size()]; }
  number make_new_index(used_index& recent, std::size_t begin, std::size_t element_bytes,
                        std::span<const std::size_t> extents, site where);
  void make_new_use(used_index& recent, number n, site where, const void* code);
  index_use& use_of(number n, site where);
  void note_walk(number n, std::size_t offset, const void* code);
  static bool makes_address(const std::vector<index_use>& uses, site_table& sites);
  static std::string name_of(const std::vector<index_use>& uses, const site_table& sites);
  static bool stands(const departure& one, site_table& sites);

  std::size_t struct_bytes_ = 0;
  unsigned threads_ = 0;
  bool blocks_alternate_ = false;
  bool too_many_ = false;
  std::vector<tile> tiles_;
  number last_ = none;
  std::array<walker, 512> walkers_{};
  std::array<used_index, 256> recent_uses_{}, recent_indices_{};
  std::size_t block_ = 0;
  bool in_block_ = false;
  block_pointers now_;
  std::map<std::size_t, block_pointers> aside_;
  std::vector<departure> departures_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
