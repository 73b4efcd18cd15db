// A tile at a time: some of the last dimension, whose elements become neighbours, times some of another one. That is
// the dimension in which the elements are neighbours already, if it isn't the last: then a tile is a small transpose,
// whose lines are fetched into a cache once and used up (M. S. Lam, E. E. Rothberg, M. E. Wolf, "The cache performance
// and optimizations of blocked algorithms", 1991).

#include "runtime/array/pack.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/host/cores.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// A dimension of the walk through both arrays. Steps are in bytes.
struct dimension {
  std::size_t extent;
  std::ptrdiff_t from, to;
};

// The layout's dimensions without those of extent 1; neighbours that can be walked without a jump are merged. There are
// always at least two.
std::vector<dimension> walk_through(const host_layout& layout, std::size_t element_bytes) {
  const auto bytes = static_cast<std::ptrdiff_t>(element_bytes);
  std::vector<dimension> walk;
  for (std::size_t d = 0; d < layout.extents.rank(); ++d) {
    const std::size_t extent = layout.extents[d];
    const std::ptrdiff_t step = layout.strides[d] * bytes;
    if (extent == 1) continue;
    if (!walk.empty() && walk.back().from == step * static_cast<std::ptrdiff_t>(extent))
      walk.back() = {walk.back().extent * extent, step, 0};
    else
      walk.push_back({extent, step, 0});
  }
  while (walk.size() < 2) walk.insert(walk.begin(), {1, 0, 0});
  std::ptrdiff_t step = bytes;
  for (auto d = walk.rbegin(); d != walk.rend(); ++d) {
    d->to = step;
    step *= static_cast<std::ptrdiff_t>(d->extent);
  }
  return walk;
}

// Copies rows x columns elements into rows. If Bytes isn't 0, it is the elements' size, as a constant.
template <std::size_t Bytes>
void copy_tile(char* to, std::ptrdiff_t to_row, const char* from, std::ptrdiff_t from_row, std::ptrdiff_t from_column,
               std::size_t rows, std::size_t columns, std::size_t element_bytes) {
  const std::size_t bytes = Bytes > 0 ? Bytes : element_bytes;
  for (std::size_t r = 0; r < rows; ++r, to += to_row, from += from_row) {
    if (from_column == static_cast<std::ptrdiff_t>(bytes)) {
      std::memcpy(to, from, columns * bytes);
      continue;
    }
    for (std::size_t c = 0; c < columns; ++c)
      std::memcpy(to + c * bytes, from + static_cast<std::ptrdiff_t>(c) * from_column, bytes);
  }
}

using tile_copy = decltype(&copy_tile<0>);
tile_copy tile_copy_for(std::size_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return copy_tile<1>;
    case 2:
      return copy_tile<2>;
    case 4:
      return copy_tile<4>;
    case 8:
      return copy_tile<8>;
    case 16:
      return copy_tile<16>;
    default:
      return copy_tile<0>;
  }
}

constexpr std::size_t line = 64, tile_bytes = std::size_t{32} << 10;

class packing {
 public:
  packing(char* to, const char* from, const host_layout& layout, std::size_t element_bytes)
      : to_(to), from_(from), walk_(walk_through(layout, element_bytes)), element_bytes_(element_bytes) {
    const auto step = [](const dimension& d) { return d.from < 0 ? -d.from : d.from; };
    const auto fastest = std::min_element(walk_.begin(), walk_.end(), [&](const dimension& a, const dimension& b) {
      return step(a) != 0 && (step(b) == 0 || step(a) < step(b));
    });
    const auto last = walk_.end() - 1;
    transposed_ = element_bytes < line && step(*fastest) != 0 && step(*fastest) < step(*last);
    if (transposed_) std::rotate(fastest, fastest + 1, last);  // the other dimensions keep their order
    // A small transpose reads eight lines of each column and writes four to each row.
    columns_ = std::clamp<std::size_t>((transposed_ ? 4 * line : tile_bytes) / element_bytes, 1, last->extent);
    const std::size_t rows =
        transposed_ ? std::min<std::size_t>(8 * line / element_bytes, 128) : tile_bytes / (columns_ * element_bytes);
    rows_ = std::clamp<std::size_t>(rows, 1, last[-1].extent);
  }

  std::size_t tiles() const {
    std::size_t n = 1;
    for (std::size_t d = 0; d < walk_.size(); ++d) n *= tiles_along(d);
    return n;
  }
  // With fewer tiles than this a second core doesn't pay.
  std::size_t grain() const { return std::max<std::size_t>(1, 4 * tile_bytes / bytes_of_a_tile()); }

  void run(std::size_t begin, std::size_t end) const {
    const tile_copy copy = tile_copy_for(element_bytes_);
    std::vector<std::size_t> tile(walk_.size());  // the tile's number along each dimension
    for (std::size_t d = walk_.size(), i = begin; d-- > 0; i /= tiles_along(d)) tile[d] = i % tiles_along(d);
    for (; begin < end; ++begin) {
      copy_tile_at(copy, tile);
      for (std::size_t d = walk_.size(); d-- > 0 && ++tile[d] == tiles_along(d);) tile[d] = 0;
    }
  }

 private:
  std::size_t bytes_of_a_tile() const { return rows_ * columns_ * element_bytes_; }
  std::size_t side(std::size_t d) const { return d + 1 == walk_.size() ? columns_ : d + 2 == walk_.size() ? rows_ : 1; }
  std::size_t tiles_along(std::size_t d) const { return (walk_[d].extent + side(d) - 1) / side(d); }

  void copy_tile_at(tile_copy copy, const std::vector<std::size_t>& tile) const {
    char* to = to_;
    const char* from = from_;
    for (std::size_t d = 0; d < walk_.size(); ++d) {
      const auto first = static_cast<std::ptrdiff_t>(tile[d] * side(d));
      to += first * walk_[d].to;
      from += first * walk_[d].from;
    }
    const dimension &row = walk_[walk_.size() - 2], &column = walk_.back();
    const std::size_t rows = std::min(rows_, row.extent - tile[walk_.size() - 2] * rows_);
    const std::size_t columns = std::min(columns_, column.extent - tile.back() * columns_);
    if (transposed_) fetch(from + static_cast<std::ptrdiff_t>(columns_) * column.from, row.from, column.from);
    copy(to, row.to, from, row.from, column.from, rows, columns, element_bytes_);
  }

  // Fetches the columns of the next small transpose during this one: they lie so far apart that the hardware doesn't
  // prefetch them. Past the end of an array this does nothing.
  void fetch(const char* from, std::ptrdiff_t row, std::ptrdiff_t column) const {
    const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(rows_) * row;
    const std::ptrdiff_t stride = std::max<std::ptrdiff_t>(line, row < 0 ? -row : row);
    auto address = reinterpret_cast<std::intptr_t>(from) + std::min<std::ptrdiff_t>(length, 0);
    for (std::size_t c = 0; c < columns_; ++c, address += column)
      for (std::ptrdiff_t at = 0; at < std::abs(length); at += stride)
        __builtin_prefetch(reinterpret_cast<const void*>(address + at), 0, 2);
  }

  char* to_;
  const char* from_;
  std::vector<dimension> walk_;
  std::size_t element_bytes_, rows_, columns_;
  bool transposed_;
};

[[noreturn]] void refuse_room(const host_layout& layout, std::size_t element_bytes) {
  throw machine_error(
      fmt::format("a strided host array of shape {}, {} bytes an element", to_string(layout.extents), element_bytes),
      "there is no memory for a row-major copy of it", "use a part of it at a time");
}

}  // namespace

std::shared_ptr<const void> pack(const void* from, const host_layout& layout, std::size_t element_bytes,
                                 bool on_all_cores) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(layout.extents.size(), element_bytes, &bytes)) refuse_room(layout, element_bytes);
  // New memory costs more than what is packed into it, unless it comes in large pages. It has just been cleared, and
  // its lines are in a cache: streaming stores would lose time.
  constexpr std::size_t large_page = std::size_t{2} << 20;
  const std::align_val_t alignment{bytes < 2 * large_page ? line : large_page};
  void* const to = ::operator new(bytes, alignment, std::nothrow);
  if (!to) refuse_room(layout, element_bytes);
  const std::shared_ptr<const void> packed(to, [alignment](void* p) { ::operator delete(p, alignment); });
  if (bytes >= 2 * large_page) madvise(to, bytes, MADV_HUGEPAGE);
  if (bytes == 0) return packed;
  const packing work(static_cast<char*>(to), static_cast<const char*>(from), layout, element_bytes);
  if (on_all_cores)
    for_pieces(work.tiles(), work.grain(), [&](std::size_t begin, std::size_t end) { work.run(begin, end); });
  else
    work.run(0, work.tiles());
  return packed;
}

}  // namespace gs::inline GS_FLAVOUR::detail
