#pragma once
// Shadow memory: what the instruments know about each element of device memory.

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/instruments/site.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// A stretch of a block's run from one barrier to the next. Numbered over the whole program in the order in which they
/// run, which is block after block; 0 is before everything.
using phase = std::uint32_t;

/// One access, as it is remembered.
struct mark {
  phase when = 0;
  site where = unknown_site;
  std::uint32_t thread : 10 = 0;     ///< in its block
  std::uint32_t warp_time : 17 = 0;  ///< barriers of the warp before it, in this phase
  std::uint32_t atomic : 1 = 0;      ///< of those kept as reads: an atomic load
  std::uint32_t fences : 4 = 0;      ///< of the thread before it, in this phase; 15: that many or more
};

/// What is known about one element, or a part of one. Of reads (atomic loads among them) and of atomic operations that
/// write, which don't race among themselves, two are kept: the last one, and one of another thread, of another block
/// where there is one. A later access that races with an earlier one mostly races with one of these, or the race was
/// found before; three or more blocks, some of which have handed over what they did, may hide one.
struct cell {
  mark write;
  mark read, other_read;
  mark atomic, other_atomic;
  std::uint32_t written = 0;
};
static_assert(sizeof(cell) == 64);

/// The cells of a piece of memory. They stand for as many bytes as the smallest access so far.
class shadow {
 public:
  explicit shadow(std::size_t bytes) : bytes_(bytes) {}
  ~shadow() {
    if (cells_) munmap(cells_, mapped_);
  }
  shadow(const shadow&) = delete;
  shadow& operator=(const shadow&) = delete;

  bool touched() const { return cells_ != nullptr; }
  std::size_t granule() const { return std::size_t{1} << shift_; }

  /// Calls visit(cell) for every cell that the access touches. The access lies inside.
  template <class Visit>
  void visit(std::size_t offset, std::size_t bytes, const Visit& visit) {
    // The largest power of two that divides both, so that accesses share a cell only if they share bytes.
    const int unit = std::countr_zero(offset | bytes | largest_granule);
    if (unit < shift_) refine(unit);
    const std::size_t end = (offset + bytes + granule() - 1) >> shift_;
    for (std::size_t i = offset >> shift_; i < end; ++i) visit(cells_[i]);
  }
  /// The cell of one byte, or null if nothing was ever noted.
  const cell* find(std::size_t offset) const { return cells_ ? &cells_[offset >> shift_] : nullptr; }

 private:
  static constexpr std::size_t largest_granule = 16;

  [[gnu::noinline]] void refine(int shift) {
    const std::size_t mapped = (((bytes_ - 1) >> shift) + 1) * sizeof(cell);
    void* made = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
      throw machine_error("shadow memory of an array, 64 bytes per element", "the system gives no more memory",
                          "inspect with smaller arrays");
    auto* cells = static_cast<cell*>(made);
    if (cells_) {
      for (std::size_t i = 0; i < mapped / sizeof(cell); ++i) cells[i] = cells_[(i << shift) >> shift_];
      munmap(cells_, mapped_);
    }
    cells_ = cells, mapped_ = mapped, shift_ = shift;
  }

  std::size_t bytes_;
  int shift_ = std::countr_zero(2 * largest_granule);  // of a granule's bytes; none yet
  cell* cells_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
