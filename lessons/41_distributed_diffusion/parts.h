#pragma once
// How ranks share a field: a grid of rectangles, and who is whose neighbour.

#include <array>
#include <cstddef>
#include <limits>

namespace parts {

/// A rectangle of the field: rows top to top + rows - 1, columns left to left + columns - 1.
struct rectangle {
  std::size_t top = 0, left = 0, rows = 0, columns = 0;

  std::size_t cells() const { return rows * columns; }
};

enum side : std::size_t { above, below, before, after };
constexpr std::array all_sides{above, below, before, after};
constexpr side opposite(side s) { return static_cast<side>(s ^ 1u); }
constexpr bool is_row(side s) { return s == above || s == below; }

/// `down` times `across` ranks, numbered row by row.
struct grid {
  std::size_t down = 1, across = 1;

  std::size_t ranks() const { return down * across; }

  /// The rank on that side; -1: the field ends there.
  int neighbour(std::size_t rank, side s) const {
    const std::size_t row = rank / across, column = rank % across;
    const bool is_outermost = s == above    ? row == 0
                              : s == below  ? row + 1 == down
                              : s == before ? column == 0
                                            : column + 1 == across;
    if (is_outermost) return -1;
    return static_cast<int>(s == above    ? rank - across
                            : s == below  ? rank + across
                            : s == before ? rank - 1
                                          : rank + 1);
  }

  /// The rank's part of a field. Where the rows don't divide, the first ranks have one more; likewise the columns.
  rectangle part(std::size_t rank, std::size_t rows, std::size_t columns) const {
    const auto begin = [](std::size_t k, std::size_t n, std::size_t count) {
      return k * (n / count) + (k < n % count ? k : n % count);
    };
    const std::size_t row = rank / across, column = rank % across;
    const std::size_t top = begin(row, rows, down), left = begin(column, columns, across);
    return {.top = top,
            .left = left,
            .rows = begin(row + 1, rows, down) - top,
            .columns = begin(column + 1, columns, across) - left};
  }
};

inline grid by_rows(std::size_t ranks) { return {.down = ranks, .across = 1}; }

/// The grid in which a rank sends the fewest cells.
inline grid in_two_dimensions(std::size_t ranks, std::size_t rows, std::size_t columns) {
  grid best = by_rows(ranks);
  double fewest = std::numeric_limits<double>::max();
  const auto neighbours = [](std::size_t n) { return n > 2 ? 2.0 : static_cast<double>(n - 1); };  // along a line of n
  for (std::size_t across = 1; across <= ranks; ++across) {
    if (ranks % across != 0) continue;
    const std::size_t down = ranks / across;
    const double cells = neighbours(down) * static_cast<double>(columns) / static_cast<double>(across) +
                         neighbours(across) * static_cast<double>(rows) / static_cast<double>(down);
    if (cells < fewest) {
      fewest = cells;
      best = {.down = down, .across = across};
    }
  }
  return best;
}

/// What two rectangles have in common; no rows or no columns where they don't touch.
inline rectangle common(const rectangle& a, const rectangle& b) {
  const auto overlap = [](std::size_t a0, std::size_t an, std::size_t b0, std::size_t bn) {
    const std::size_t first = a0 > b0 ? a0 : b0, end = a0 + an < b0 + bn ? a0 + an : b0 + bn;
    return std::array{first, end > first ? end - first : 0};
  };
  const auto [top, rows] = overlap(a.top, a.rows, b.top, b.rows);
  const auto [left, columns] = overlap(a.left, a.columns, b.left, b.columns);
  return {.top = top, .left = left, .rows = rows, .columns = columns};
}

}  // namespace parts
