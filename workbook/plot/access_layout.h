#pragma once
// The layout of an access picture, for the terminal and for pictures.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/instruments/device_model/memory_model.h"
#include "workbook/access_picture.h"

namespace workbook {

/// The lanes that touch a piece of memory, ascending; none if it is moved only as part of its sector.
using touching_lanes = std::vector<unsigned>;

/// A sector of global memory, or a wavefront of shared memory.
struct access_row {
  std::uint64_t address = 0;  ///< of the sector's first byte
  bool after_gap = false;     ///< the sector before it is not touched, but one further down is
  bool conflict = false;      ///< the wavefront is there because of a bank conflict
  /// The sector's bytes in pieces of access_layout::cell_bytes; the wavefront's 32 banks.
  std::vector<touching_lanes> cells = {};
};

struct access_layout {
  gs::memory_space space = gs::memory_space::global;
  gs::access_kind kind = gs::access_kind::read;
  std::vector<unsigned> lanes = {};  ///< the active ones, ascending
  gs::request_cost cost = {};
  unsigned cell_bytes = gs::bank_bytes;  ///< global memory: largest power of two that divides all addresses and sizes
  std::vector<access_row> rows = {};     ///< sectors by address; wavefronts in the order they are done
};

/// No rows if there is no such request, or if it goes to local memory. Throws gs::error for a request that no warp can
/// make.
access_layout layout_of(const access_picture& p);

/// "x: global read of 4 bytes at lesson.cpp:25, block (1, 0, 0), warp 0": as much of it as is known.
std::string subject_of(const access_picture& p);

/// "32 lanes, 4 sectors of 4 ideal, 128 of 128 bytes used".
std::string caption_of(const access_layout& layout);

/// "0 to 7, 9".
std::string list_of(const touching_lanes& lanes);

}  // namespace workbook
