#include "workbook/plot/colour.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace workbook {
namespace {

using anchors = std::array<colour, 11>;

// Eleven points of each map, evenly spaced; between them colours are interpolated. Viridis and inferno are by Stéfan
// van der Walt and Nathaniel Smith, in the public domain (CC0).
constexpr anchors viridis{{{0x44, 0x01, 0x54},
                           {0x48, 0x24, 0x75},
                           {0x41, 0x44, 0x87},
                           {0x35, 0x5f, 0x8d},
                           {0x2a, 0x78, 0x8e},
                           {0x21, 0x91, 0x8c},
                           {0x22, 0xa8, 0x84},
                           {0x44, 0xbf, 0x70},
                           {0x7a, 0xd1, 0x51},
                           {0xbd, 0xdf, 0x26},
                           {0xfd, 0xe7, 0x25}}};
constexpr anchors inferno{{{0x00, 0x00, 0x04},
                           {0x16, 0x0b, 0x39},
                           {0x42, 0x0a, 0x68},
                           {0x6a, 0x17, 0x6e},
                           {0x93, 0x26, 0x67},
                           {0xbc, 0x37, 0x54},
                           {0xdd, 0x51, 0x3a},
                           {0xf3, 0x78, 0x19},
                           {0xfc, 0xa5, 0x0a},
                           {0xf6, 0xd7, 0x46},
                           {0xfc, 0xff, 0xa4}}};

// From cool to warm by Kenneth Moreland's way through Msh ("Diverging Color Maps for Scientific Visualization", 2009),
// from (59, 76, 192) to (180, 4, 38).
constexpr anchors diverging{{{0x3b, 0x4c, 0xc0},
                             {0x5a, 0x77, 0xe3},
                             {0x7b, 0x9f, 0xf9},
                             {0x9f, 0xbe, 0xff},
                             {0xc0, 0xd4, 0xf5},
                             {0xdd, 0xdd, 0xdd},
                             {0xf2, 0xcb, 0xb7},
                             {0xf7, 0xad, 0x8f},
                             {0xee, 0x85, 0x68},
                             {0xd7, 0x53, 0x44},
                             {0xb4, 0x04, 0x26}}};

const anchors& anchors_of(colour_map map) {
  if (map == colour_map::diverging) return diverging;
  return map == colour_map::viridis ? viridis : inferno;
}

std::uint8_t mix(std::uint8_t a, std::uint8_t b, double t) {
  return static_cast<std::uint8_t>(std::lround(a + t * (b - a)));
}

}  // namespace

colour series_colour(std::size_t k) {
  // Okabe and Ito's yellow can't be seen on white nor their black on black: grey stands for both.
  static constexpr std::array<colour, 7> palette{{{0x00, 0x72, 0xb2},
                                                  {0xd5, 0x5e, 0x00},
                                                  {0x00, 0x9e, 0x73},
                                                  {0xcc, 0x79, 0xa7},
                                                  {0xe6, 0x9f, 0x00},
                                                  {0x56, 0xb4, 0xe9},
                                                  {0x76, 0x76, 0x76}}};
  return palette[k % palette.size()];
}

colour map_colour(colour_map map, double position) {
  position = std::clamp(position, 0.0, 1.0);
  if (map == colour_map::grey) {
    const std::uint8_t level = mix(0, 255, position);
    return {level, level, level};
  }
  const anchors& points = anchors_of(map);
  const double at = position * static_cast<double>(points.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), points.size() - 2);
  const double t = at - static_cast<double>(k);
  const colour &a = points[k], &b = points[k + 1];
  return {mix(a.red, b.red, t), mix(a.green, b.green, t), mix(a.blue, b.blue, t)};
}

int palette_index(colour c) {
  // The palette is a 6 x 6 x 6 cube from 16 on, and 24 greys from 232 on.
  static constexpr std::array<int, 6> levels{0, 95, 135, 175, 215, 255};
  const auto nearest = [](int v) {
    int best = 0;
    for (int k = 1; k < 6; ++k)
      if (std::abs(levels[static_cast<std::size_t>(k)] - v) < std::abs(levels[static_cast<std::size_t>(best)] - v))
        best = k;
    return best;
  };
  const auto distance = [&c](int r, int g, int b) {
    return (r - c.red) * (r - c.red) + (g - c.green) * (g - c.green) + (b - c.blue) * (b - c.blue);
  };
  const int r = nearest(c.red), g = nearest(c.green), b = nearest(c.blue);
  const auto level = [](int k) { return levels[static_cast<std::size_t>(k)]; };
  const int grey = std::clamp(((c.red + c.green + c.blue) / 3 - 3) / 10, 0, 23);
  const int grey_level = 8 + 10 * grey;
  if (distance(grey_level, grey_level, grey_level) < distance(level(r), level(g), level(b))) return 232 + grey;
  return 16 + 36 * r + 6 * g + b;
}

}  // namespace workbook
