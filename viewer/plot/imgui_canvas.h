#pragma once
// The canvas of the window: plots painted by ImGui with the theme's fonts.

#include <imgui.h>

#include <vector>

#include "viewer/plot/texture.h"
#include "viewer/theme.h"
#include "workbook/picture/canvas.h"

namespace viewer {

/// The pictures that a plot consists of, in the order they are painted; kept from frame to frame.
using texture_list = std::vector<texture>;

/// Lives for the painting of one picture in one frame.
class imgui_canvas final : public workbook::canvas {
 public:
  /// The picture's corner is at `corner` in pixels; a point is `pixels` wide.
  imgui_canvas(ImDrawList& list, ImVec2 corner, double pixels, const theme& look, texture_list& textures);

  void fill(const workbook::box& b, workbook::colour c) override;
  void stroke(const std::vector<workbook::position>& line, workbook::colour c, double width,
              bool dashed = false) override;
  void marker(workbook::position centre, double radius, std::size_t shape, workbook::colour c) override;
  void image(const workbook::box& b, const std::vector<std::uint32_t>& pixels, int columns, int rows) override;
  void text(workbook::position at, std::string_view text, workbook::font f, workbook::colour c,
            workbook::aligned a = workbook::aligned::left) override;
  void text_on_data(workbook::position at, std::string_view text, workbook::font f, workbook::colour c,
                    workbook::colour rim, workbook::aligned a) override;
  double width_of(std::string_view text, workbook::font f) override;
  std::shared_ptr<void> clip(const workbook::box& b) override;
  double pixels_per_point() const override { return pixels_; }

  ImVec2 pixel_of(workbook::position at) const;

 private:
  struct chosen_font {
    ImFont* font;
    float size;  // in pixels
  };
  chosen_font choose(workbook::font f) const;
  bool stroke_as_columns(const std::vector<workbook::position>& line, ImU32 ink, float thickness,
                         const workbook::box& room);
  // The visible area and a margin, in pixels.
  workbook::box seen(double margin) const;
  ImVec2 start_of(workbook::position at, std::string_view text, workbook::font f, workbook::aligned a);

  ImDrawList& list_;
  ImVec2 corner_;
  double pixels_;
  const theme& look_;
  texture_list& textures_;
  std::size_t painted_ = 0;
  std::vector<ImVec2> path_ = {};
};

ImU32 imgui_colour(workbook::colour c);

}  // namespace viewer
