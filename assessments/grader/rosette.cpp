#include "assessments/grader/rosette.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace grader {
namespace {

constexpr workbook::colour blue{0x00, 0x72, 0xb2}, gold{0xa8, 0x83, 0x2f}, navy{0x14, 0x2b, 0x4d};

// Waves around a circle: the same curve several times, each turned a little further, between two radii.
struct ring {
  double inside, outside;  // shares of the radius
  int petals, curves;
  double turn;
  workbook::colour ink;
};

void paint(workbook::drawing& d, workbook::position centre, double radius, const ring& r) {
  const double mean = (r.inside + r.outside) / 2, swing = (r.outside - r.inside) / 2;
  const int steps = 24 * r.petals;
  for (int curve = 0; curve < r.curves; ++curve) {
    std::vector<workbook::position> line;
    for (int k = 0; k <= steps; ++k) {
      const double angle = 2 * std::numbers::pi * k / steps;
      const double phase = r.petals * angle + 2 * std::numbers::pi * (r.turn + static_cast<double>(curve) / r.curves);
      const double at = radius * (mean + swing * std::sin(phase));
      line.push_back({centre.x + at * std::cos(angle), centre.y + at * std::sin(angle)});
    }
    d.stroke(line, r.ink, 0.35);
  }
}

}  // namespace

void paint_rosette(workbook::drawing& d, workbook::position centre, double radius, std::string_view signature) {
  const auto digit = [&](std::size_t k) {  // 0 to 15
    const char c = signature[k];
    return c <= '9' ? c - '0' : c - 'a' + 10;
  };
  const auto share = [&](std::size_t k) { return (16 * digit(k) + digit(k + 1)) / 256.0; };
  paint(d, centre, radius, {0.80, 1.00, 16 + digit(0), 3, share(1), gold});
  paint(d, centre, radius, {0.46 + 0.1 * share(3), 0.86, 6 + digit(5) / 2, 5, share(6), blue});
  paint(d, centre, radius, {0.12 + 0.1 * share(8), 0.60, 4 + digit(10) / 3, 5, share(11), navy});
}

}  // namespace grader
