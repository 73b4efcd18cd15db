#pragma once
// The colours of a picture that aren't its data's.

#include "workbook/picture/canvas.h"

namespace workbook {

struct look {
  colour paper = white;
  colour ink = workbook::ink;
  colour faint_ink = workbook::faint_ink;  ///< numbers and notes
  colour axis = axis_ink;
  colour grid = grid_ink;
  colour unused{0xdd, 0xdd, 0xdd};  ///< unused cells of memory, hidden series
  colour thread{0xc4, 0xc4, 0xc4};  ///< many thin lines
};

inline constexpr look light_look{};
inline constexpr look dark_look{.paper = {0x1b, 0x1d, 0x21},
                                .ink = {0xe6, 0xe7, 0xe9},
                                .faint_ink = {0xa3, 0xa7, 0xae},
                                .axis = {0x6b, 0x70, 0x78},
                                .grid = {0x2c, 0x2f, 0x35},
                                .unused = {0x3a, 0x3e, 0x45},
                                .thread = {0x52, 0x57, 0x60}};

}  // namespace workbook
