#pragma once
// nowhere: memory that belongs to nobody, for accesses that may go nowhere else. `y[i] = x[i]` forms two indices before
// it accesses either: each has a piece of its own.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/core/config.h"
#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::instruments::nowhere {

inline constexpr std::size_t piece_bytes = std::size_t{1} << 16, pieces = 8;
alignas(64) inline std::byte memory[pieces * piece_bytes];

inline bool contains(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(memory) < sizeof memory;
}
/// The number of the piece that an address in it lies in.
inline std::size_t piece_of(std::uintptr_t address) {
  return (address - reinterpret_cast<std::uintptr_t>(memory)) / piece_bytes;
}
/// The beginning of a piece, with zeros for an element of that size.
inline void* cleared(std::size_t piece, std::size_t bytes) {
  if (bytes > piece_bytes)
    throw error("an element under inspection", "it has more than 64 KiB", "use smaller elements");
  return std::memset(memory + piece * piece_bytes, 0, bytes);
}

}  // namespace gs::inline GS_FLAVOUR::instruments::nowhere
