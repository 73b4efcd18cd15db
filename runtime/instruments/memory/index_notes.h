#pragma once
// index_notes: the indices that have been formed last, waiting for their accesses.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/site.h"
#include "runtime/observe/value_bytes.h"

#if GRIDSTRIDE_CHECKED

namespace gs::inline GS_FLAVOUR::instruments {

struct noted_index {
  static constexpr std::uint8_t no_tile = 0xff;

  std::uintptr_t address = 0;
  element_layout element;
  site where = unknown_site;
  std::uintptr_t data = 0;  ///< the array's first element
  std::size_t rank = 0;
  std::array<std::size_t, 4> extents{};
  bool takes_atomics = false;
  std::uint8_t tile = no_tile;                    ///< of the block's shared struct (checks/tile_walks.h)
  std::uint64_t turn = 0;                         ///< in which the thread formed it
  mutable bool is_read = false, is_done = false;  ///< it has been read; no more accesses are to come
};

class index_notes {
 public:
  /// The next note, for what is known of the index but its tile.
  noted_index& add(const indexing& i, std::uintptr_t address, site where, std::uint64_t turn) {
    noted_index& note = notes_[next_++ % notes_.size()];
    note.address = address;
    note.element = i.element;
    note.where = where;
    note.data = reinterpret_cast<std::uintptr_t>(i.data);
    note.takes_atomics = i.takes_atomics;
    note.rank = std::min(i.rank, note.extents.size());
    for (std::size_t d = 0; d < note.rank; ++d) note.extents[d] = i.extents[d];
    note.tile = noted_index::no_tile;
    note.turn = turn;
    note.is_read = note.is_done = false;
    return note;
  }
  /// The index formed last at an address is the one that the access belongs to; null if there is none.
  const noted_index* find(std::uintptr_t address) const {
    for (std::size_t back = 1; back <= notes_.size(); ++back) {
      const noted_index& note = notes_[(next_ - back) % notes_.size()];
      if (address - note.address < note.element.bytes) return &note;
    }
    return nullptr;
  }
  void forget() { notes_ = {}; }

 private:
  std::array<noted_index, 16> notes_{};
  std::size_t next_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
