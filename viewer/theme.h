#pragma once
// How the window looks: colours, fonts, distances. One accent colour; series keep the colours of
// workbook/plot/colour.h.

#include <imgui.h>

namespace viewer {

enum class brightness { light, dark };

struct theme {
  viewer::brightness brightness = viewer::brightness::light;
  float scale = 1;  ///< pixels per point: of the monitor, or what --scale says

  ImU32 background = 0;  ///< of the window
  ImU32 surface = 0;     ///< of cards and plots, a little apart from the background
  ImU32 ink = 0;
  ImU32 faint_ink = 0;  ///< of remarks
  ImU32 line = 0;       ///< of grids and borders
  ImU32 accent = 0;     ///< of buttons and of the current choice
  ImU32 good = 0, bad = 0, warning = 0;

  // Inter and JetBrains Mono where they are installed, else what ImGui brings. Never null once the fonts are loaded.
  ImFont* text = nullptr;
  ImFont* bold = nullptr;
  ImFont* heading = nullptr;
  ImFont* code = nullptr;
  ImFont* small = nullptr;  ///< of the numbers along a plot's axes

  /// A length in points as pixels.
  float px(float points) const { return points * scale; }
};

/// The colours at a brightness; load_fonts adds the fonts.
theme make_theme(brightness b, float scale);
/// Makes ImGui's own widgets look like it.
void apply(const theme& look);

/// The contrast of two opaque colours, 1 to 21: WCAG 2.1, "contrast ratio". Text should have 4.5 at least.
double contrast(ImU32 a, ImU32 b);
/// The colour with another opacity, 0 to 1.
ImU32 faded(ImU32 colour, float opacity);

}  // namespace viewer
