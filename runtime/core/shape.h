#pragma once
// gs::shape: the extents of an n-dimensional array, row-major, rank 0 to 32 as in NumPy.

#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Extents of an array, outermost first. Rank 0 is a scalar: `size() == 1`.
/// Any range of integers converts to it. Throws gs::error for a negative extent, a rank over 32, or more elements than
/// a 64-bit size can count.
class shape {
 public:
  static constexpr std::size_t max_rank = 32;  ///< NumPy's

  shape() noexcept {}  // NOLINT: the extents beyond the rank stay without a value
  /// Copies of a shape copy the extents that it has.
  ///@{
  shape(const shape& other) noexcept { *this = other; }  // NOLINT
  shape& operator=(const shape& other) noexcept {
    ///@}
    rank_ = other.rank_;
    for (std::size_t d = 0; d < rank_; ++d) extents_[d] = other.extents_[d];
    return *this;
  }
  /// The extents one by one: shape({2, 3}).
  template <std::integral I>
  shape(std::initializer_list<I> extents) {  // NOLINT: `y({2, 3})` is how a shape is written
    for (I extent : extents) push_back_checked(extent);
  }
  /// The extents that a range holds.
  template <std::ranges::input_range R>
  requires(std::integral<std::ranges::range_value_t<R>> && !std::same_as<std::remove_cvref_t<R>, shape>)
  explicit shape(const R& extents) {
    for (auto extent : extents) push_back_checked(extent);
  }
  /// The shape (n,).
  template <std::integral I>
  shape(I n) {  // NOLINT: a one-dimensional array is asked for by its length
    push_back_checked(n);
  }

  std::size_t rank() const noexcept { return rank_; }  ///< how many dimensions
  /// The extent of dimension `d`, from 0 on; not checked.
  ///@{
  std::size_t operator[](std::size_t d) const noexcept { return extents_[d]; }
  std::size_t& operator[](std::size_t d) noexcept { return extents_[d]; }
  ///@}
  /// The extents, outermost first.
  ///@{
  const std::size_t* begin() const noexcept { return extents_.data(); }
  const std::size_t* end() const noexcept { return extents_.data() + rank_; }
  ///@}

  /// Number of elements: the product of the extents, 1 for rank 0. Throws gs::error if it does not fit.
  std::size_t size() const {
    std::size_t elements = 1;
    bool too_large = false;
    for (std::size_t extent : *this) {
      if (extent == 0) return 0;
      too_large |= __builtin_mul_overflow(elements, extent, &elements);
    }
    if (too_large) refuse_size();
    return elements;
  }

  /// One dimension more, as the innermost.
  void push_back(std::size_t extent) {
    if (rank_ == max_rank) refuse_rank();
    extents_[rank_++] = extent;
  }
  /// This shape without dimension `d`.
  shape without(std::size_t d) const;

  /// Whether ranks and extents are the same.
  friend bool operator==(const shape& a, const shape& b) noexcept {
    if (a.rank_ != b.rank_) return false;
    for (std::size_t d = 0; d < a.rank_; ++d)
      if (a.extents_[d] != b.extents_[d]) return false;
    return true;
  }

 private:
  template <std::integral I>
  void push_back_checked(I extent) {
    if constexpr (std::is_signed_v<I>) {
      if (extent < 0) refuse_negative(static_cast<long long>(extent));
    }
    push_back(static_cast<std::size_t>(extent));
  }
  [[noreturn]] static void refuse_negative(long long extent);
  [[noreturn]] static void refuse_rank();
  [[noreturn]] void refuse_size() const;

  std::size_t rank_ = 0;
  std::array<std::size_t, max_rank> extents_;  // only the first rank_ entries have a value
};

/// As Python writes it: "(3, 4)", "(5,)", "()".
std::string to_string(const shape& s);

}  // namespace gs::inline GS_FLAVOUR
