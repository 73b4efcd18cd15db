#include "viewer/plot/imgui_canvas.h"
#include "viewer/widgets.h"

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

using workbook::aligned;
using workbook::box;
using workbook::colour;
using workbook::font;
using workbook::position;

struct segment {
  position from, to;
};

// The part of a segment that lies within the box; Liang and Barsky, "A new concept and method for line clipping", 1984.
// Numbers in a float are too coarse for points far outside of the picture.
bool cut(segment& s, const box& b) {
  const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
  if (!std::isfinite(dx) || !std::isfinite(dy)) return false;
  double enter = 0, leave = 1;
  const auto edge = [&](double run, double room) {
    if (run == 0) return room >= 0;
    const double at = room / run;
    if (run < 0)
      enter = std::max(enter, at);
    else
      leave = std::min(leave, at);
    return enter <= leave;
  };
  if (!edge(-dx, s.from.x - b.left) || !edge(dx, b.right() - s.from.x) || !edge(-dy, s.from.y - b.top) ||
      !edge(dy, b.bottom() - s.from.y))
    return false;
  // With numbers this large, rounding could put the product anywhere.
  const auto within = [&b](double x, double y) {
    return position{std::clamp(x, b.left, b.right()), std::clamp(y, b.top, b.bottom())};
  };
  const position from = s.from, to = s.to;
  s.from = enter > 0 ? within(from.x + enter * dx, from.y + enter * dy) : within(from.x, from.y);
  s.to = leave < 1 ? within(from.x + leave * dx, from.y + leave * dy) : within(to.x, to.y);
  return true;
}

box common(const box& a, const box& b) {
  const double left = std::max(a.left, b.left), top = std::max(a.top, b.top);
  return {left, top, std::min(a.right(), b.right()) - left, std::min(a.bottom(), b.bottom()) - top};
}

// ImGui's joints are pointed: where a line turns back on itself they would be spikes.
bool sharp(const ImVec2& a, const ImVec2& b, const ImVec2& c) {
  const float ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
  return ux * vx + uy * vy < 0.5f * std::sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy));
}

}  // namespace

ImU32 imgui_colour(colour c) { return IM_COL32(c.red, c.green, c.blue, 0xff); }

imgui_canvas::imgui_canvas(ImDrawList& list, ImVec2 corner, double pixels, const theme& look, texture_list& textures)
    : list_(list), corner_(corner), pixels_(pixels), look_(look), textures_(textures) {}

ImVec2 imgui_canvas::pixel_of(position at) const {
  return {corner_.x + static_cast<float>(at.x * pixels_), corner_.y + static_cast<float>(at.y * pixels_)};
}

box imgui_canvas::seen(double margin) const {
  const ImVec2 least = list_.GetClipRectMin(), greatest = list_.GetClipRectMax();
  return {(least.x - corner_.x - margin) / pixels_, (least.y - corner_.y - margin) / pixels_,
          (greatest.x - least.x + 2 * margin) / pixels_, (greatest.y - least.y + 2 * margin) / pixels_};
}

void imgui_canvas::fill(const box& b, colour c) {
  const box part = common(b, seen(1));
  if (!(part.width > 0 && part.height > 0)) return;
  list_.AddRectFilled(pixel_of({part.left, part.top}), pixel_of({part.right(), part.bottom()}), imgui_colour(c));
}

void imgui_canvas::stroke(const std::vector<position>& line, colour c, double width, bool dashed) {
  if (line.size() < 2) return;
  const ImU32 ink = imgui_colour(c);
  const auto thickness = static_cast<float>(std::max(1.0, width * pixels_));
  const bool straight = line.size() == 2 && (line[0].x == line[1].x || line[0].y == line[1].y);
  if (straight && !dashed) {  // grids and ticks: whole pixels, not grey ones
    ImVec2 a = pixel_of(line[0]), b = pixel_of(line[1]);
    const float across = std::round(thickness);
    const bool upright = line[0].x == line[1].x;
    float& first = upright ? a.x : a.y;
    float& second = upright ? b.x : b.y;
    if (width <= 1) {
      first = std::floor(first + 0.5f - across / 2);
      second = first + across;
      list_.AddRectFilled(a, b, ink);
      return;
    }
  }
  const box room = seen(thickness);
  if (!dashed && stroke_as_columns(line, ink, thickness, room)) return;
  // A line of more vertices than ImGui's indices count is drawn in parts that share a point.
  constexpr std::size_t part = 4000;
  const auto finish = [&] {
    if (path_.size() > 1)
      list_.AddPolyline(path_.data(), static_cast<int>(path_.size()), ink, ImDrawFlags_None, thickness);
    path_.clear();
  };
  double gone = 0;  // along the line, for dashes
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    segment s{line[k], line[k + 1]};
    if (!cut(s, room)) {
      finish();
      continue;
    }
    const ImVec2 a = pixel_of(s.from), b = pixel_of(s.to);
    if (dashed) {
      constexpr double dash = 5, space = 4;
      const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y, length = std::hypot(dx, dy);
      if (!(length > 1e-3)) continue;
      const auto at = [&](double d) { return pixel_of({s.from.x + dx * d / length, s.from.y + dy * d / length}); };
      for (double d = -std::fmod(gone, dash + space); d < length; d += dash + space)
        if (d + dash > 0) list_.AddLine(at(std::max(d, 0.0)), at(std::min(d + dash, length)), ink, thickness);
      gone += length;
      continue;
    }
    const bool joined =
        !path_.empty() && std::abs(path_.back().x - a.x) <= 1e-3f && std::abs(path_.back().y - a.y) <= 1e-3f;
    if (!joined) finish();
    if (joined && path_.size() > 1 && sharp(path_[path_.size() - 2], a, b)) {
      finish();
      if (thickness > 2) list_.AddCircleFilled(a, thickness / 2, ink);
    }
    if (path_.size() >= part) finish();
    if (path_.empty()) path_.push_back(a);
    // ImGui can't tell the direction of tiny steps.
    if (const ImVec2 last = path_.back(); std::abs(last.x - b.x) + std::abs(last.y - b.y) > 1e-3f) path_.push_back(b);
  }
  finish();
}

// Noise goes up and down within every pixel column and looks like a bar from its lowest to its highest point: drawn as
// bars, it costs a twentieth. False if the line isn't like that.
bool imgui_canvas::stroke_as_columns(const std::vector<position>& line, ImU32 ink, float thickness, const box& room) {
  constexpr std::size_t many = 2000;
  constexpr double steep = 4;  // pixels up and down per pixel to the right
  if (line.size() < many) return false;
  double up_and_down = 0, across = 0;
  for (std::size_t k = 1; k < line.size(); ++k) {
    const double dx = line[k].x - line[k - 1].x;
    if (!(dx >= 0)) return false;
    across += dx;
    up_and_down +=
        std::abs(std::clamp(line[k].y, room.top, room.bottom()) - std::clamp(line[k - 1].y, room.top, room.bottom()));
  }
  if (!(up_and_down > steep * across)) return false;

  const float half = thickness / 2;
  float column = 0, low = 0, high = -1, last_y = 0;
  const auto finish = [&] {
    if (low <= high) list_.AddRectFilled({column, low - half}, {column + std::max(1.0f, thickness), high + half}, ink);
    high = low - 1;
  };
  for (std::size_t k = 1; k < line.size(); ++k) {
    segment s{line[k - 1], line[k]};
    if (!cut(s, room)) {
      finish();
      continue;
    }
    for (const ImVec2 p : {pixel_of(s.from), pixel_of(s.to)}) {
      const float of = std::floor(p.x);
      if (low > high || of != column) {
        // Two columns meet halfway.
        const float before = low > high ? p.y : (p.y + last_y) / 2;
        if (low <= high) {
          low = std::min(low, before);
          high = std::max(high, before);
        }
        finish();
        column = of;
        low = std::min(p.y, before);
        high = std::max(p.y, before);
      }
      low = std::min(low, p.y);
      high = std::max(high, p.y);
      last_y = p.y;
    }
  }
  finish();
  return true;
}

void imgui_canvas::marker(position centre, double radius, std::size_t shape, colour c) {
  const box room = seen(2 * radius * pixels_);
  if (!(centre.x >= room.left && centre.x <= room.right() && centre.y >= room.top && centre.y <= room.bottom())) return;
  const ImU32 ink = imgui_colour(c);
  const auto at = [&](double dx, double dy) { return pixel_of({centre.x + dx * radius, centre.y + dy * radius}); };
  switch (shape % 4) {
    case 0:
      list_.AddCircleFilled(at(0, 0), static_cast<float>(radius * pixels_), ink);
      break;
    case 1:
      list_.AddRectFilled(at(-0.88, -0.88), at(0.88, 0.88), ink);
      break;
    case 2:
      list_.AddTriangleFilled(at(0, -1.25), at(1.08, 0.625), at(-1.08, 0.625), ink);
      break;
    default:
      list_.AddQuadFilled(at(0, -1.25), at(1.25, 0), at(0, 1.25), at(-1.25, 0), ink);
      break;
  }
}

void imgui_canvas::image(const box& b, const std::vector<std::uint32_t>& pixels, int columns, int rows) {
  if (columns == 0 || rows == 0) return;
  if (painted_ == textures_.size()) textures_.emplace_back();
  texture& t = textures_[painted_++];
  t.set(pixels, columns, rows);
  const box part = common(b, seen(1));
  if (!(part.width > 0 && part.height > 0)) return;
  const auto place = [&b](position p) {
    return ImVec2(static_cast<float>((p.x - b.left) / b.width), static_cast<float>((p.y - b.top) / b.height));
  };
  const position first{part.left, part.top}, last{part.right(), part.bottom()};
  list_.AddImage(t.id(), pixel_of(first), pixel_of(last), place(first), place(last));
}

// Letters are drawn as large as they were made if that is about the size wanted: other sizes are blurred. Where others
// count the em square, ImGui counts a whole line, which is 1.21 em of Inter.
imgui_canvas::chosen_font imgui_canvas::choose(font f) const {
  const auto pixels = static_cast<float>(1.21 * f.size * pixels_);
  ImFont* best = nullptr;
  const auto distance = [pixels](const ImFont& candidate) { return std::abs(candidate.FontSize - pixels); };
  const auto consider = [&](ImFont* candidate) {
    if (candidate != nullptr && (best == nullptr || distance(*candidate) < distance(*best))) best = candidate;
  };
  if (f.bold) {
    consider(look_.bold);
    consider(look_.heading);
  } else {
    consider(look_.text);
    consider(look_.small);
  }
  if (best == nullptr) best = ImGui::GetFont();
  return {best, distance(*best) < 0.15f * pixels ? best->FontSize : pixels};
}

double imgui_canvas::width_of(std::string_view text, font f) {
  text = drawable(text);
  const auto [letters, size] = choose(f);
  return letters->CalcTextSizeA(size, FLT_MAX, 0, text.data(), text.data() + text.size()).x / pixels_;
}

ImVec2 imgui_canvas::start_of(position at, std::string_view text, font f, aligned a) {
  const auto [letters, size] = choose(f);
  const double width = a == aligned::left ? 0 : width_of(text, f);
  ImVec2 start = pixel_of({at.x - (a == aligned::centre ? width / 2 : width), at.y});
  start.y -= letters->Ascent * size / letters->FontSize;  // ImGui places a line's upper edge, not its base
  return {std::round(start.x), std::round(start.y)};
}

void imgui_canvas::text(position at, std::string_view text, font f, colour c, aligned a) {
  if (text.empty()) return;
  text = drawable(text);
  const auto [letters, size] = choose(f);
  list_.AddText(letters, size, start_of(at, text, f, a), imgui_colour(c), text.data(), text.data() + text.size());
}

void imgui_canvas::text_on_data(position at, std::string_view text, font f, colour c, colour rim, aligned a) {
  if (text.empty()) return;
  text = drawable(text);
  const auto [letters, size] = choose(f);
  const ImVec2 start = start_of(at, text, f, a);
  const auto around = static_cast<float>(std::max(1.0, 1.5 * pixels_));
  for (const float dx : {-around, 0.0f, around})
    for (const float dy : {-around, 0.0f, around})
      list_.AddText(letters, size, {start.x + dx, start.y + dy}, imgui_colour(rim), text.data(),
                    text.data() + text.size());
  list_.AddText(letters, size, start, imgui_colour(c), text.data(), text.data() + text.size());
}

std::shared_ptr<void> imgui_canvas::clip(const box& b) {
  list_.PushClipRect(pixel_of({b.left, b.top}), pixel_of({b.right(), b.bottom()}), true);
  return {nullptr, [list = &list_](void*) { list->PopClipRect(); }};
}

}  // namespace viewer
