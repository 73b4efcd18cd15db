#include "viewer/theme.h"

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

constexpr ImU32 rgb(unsigned hexadecimal) {
  return IM_COL32(hexadecimal >> 16 & 0xff, hexadecimal >> 8 & 0xff, hexadecimal & 0xff, 0xff);
}

// IEC 61966-2-1: the linear intensity of an 8-bit sRGB channel, 0 to 1.
double shine(ImU32 colour, int shift) {
  const double c = static_cast<double>(colour >> shift & 0xff) / 255;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double luminance(ImU32 colour) {
  return 0.2126 * shine(colour, IM_COL32_R_SHIFT) + 0.7152 * shine(colour, IM_COL32_G_SHIFT) +
         0.0722 * shine(colour, IM_COL32_B_SHIFT);
}

}  // namespace

theme make_theme(brightness b, float scale) {
  theme look;
  look.brightness = b;
  look.scale = scale;
  if (b == brightness::light) {
    look.background = rgb(0xf6f6f4);
    look.surface = rgb(0xffffff);
    look.ink = rgb(0x1f2328);
    look.faint_ink = rgb(0x5b626b);
    look.line = rgb(0xdcdee1);
    look.accent = rgb(0x0b62a4);
    look.good = rgb(0x18713f);
    look.bad = rgb(0xb4232c);
    look.warning = rgb(0x8a5700);
  } else {
    look.background = rgb(0x15171a);
    look.surface = rgb(0x1d2024);
    look.ink = rgb(0xe4e6e9);
    look.faint_ink = rgb(0xa0a7b0);
    look.line = rgb(0x353a41);
    look.accent = rgb(0x6fb5f5);
    look.good = rgb(0x5fcf8f);
    look.bad = rgb(0xff8a85);
    look.warning = rgb(0xe7b650);
  }
  return look;
}

void apply(const theme& look) {
  ImGuiStyle style;
  style.WindowPadding = {16, 14};
  style.FramePadding = {10, 5};
  style.CellPadding = {8, 4};
  style.ItemSpacing = {10, 8};
  style.ItemInnerSpacing = {8, 6};
  style.IndentSpacing = 18;
  style.ScrollbarSize = 12;
  style.GrabMinSize = 12;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 1;
  style.FrameRounding = style.PopupRounding = style.GrabRounding = style.ScrollbarRounding = 5;
  style.ChildRounding = style.WindowRounding = 7;
  style.ScaleAllSizes(look.scale);

  const auto set = [&style](std::initializer_list<ImGuiCol_> colours, ImU32 colour) {
    for (const ImGuiCol_ k : colours) style.Colors[k] = ImGui::ColorConvertU32ToFloat4(colour);
  };
  const ImU32 none = 0, pressed = faded(look.accent, 0.32f), hovered = faded(look.accent, 0.18f);
  set({ImGuiCol_Text}, look.ink);
  set({ImGuiCol_TextDisabled}, look.faint_ink);
  set({ImGuiCol_WindowBg}, look.background);
  set({ImGuiCol_ChildBg, ImGuiCol_BorderShadow, ImGuiCol_ScrollbarBg, ImGuiCol_TableRowBg}, none);
  set({ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_MenuBarBg}, look.surface);
  set({ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_TableBorderLight, ImGuiCol_TableBorderStrong}, look.line);
  set({ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered, ImGuiCol_TabHovered}, hovered);
  set({ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive, ImGuiCol_TextSelectedBg}, pressed);
  set({ImGuiCol_Header, ImGuiCol_TabActive, ImGuiCol_TabUnfocusedActive}, hovered);
  set({ImGuiCol_Tab, ImGuiCol_TabUnfocused, ImGuiCol_TableHeaderBg}, look.surface);
  set({ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed}, look.surface);
  set({ImGuiCol_CheckMark, ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_NavHighlight, ImGuiCol_PlotLines,
       ImGuiCol_PlotHistogram, ImGuiCol_DragDropTarget, ImGuiCol_ResizeGripActive, ImGuiCol_SeparatorActive,
       ImGuiCol_SeparatorHovered},
      look.accent);
  set({ImGuiCol_ScrollbarGrab, ImGuiCol_ResizeGrip}, faded(look.faint_ink, 0.4f));
  set({ImGuiCol_ScrollbarGrabHovered, ImGuiCol_ScrollbarGrabActive, ImGuiCol_ResizeGripHovered}, look.faint_ink);
  set({ImGuiCol_TableRowBgAlt}, faded(look.line, 0.25f));
  set({ImGuiCol_ModalWindowDimBg, ImGuiCol_NavWindowingDimBg}, faded(rgb(0), 0.45f));
  ImGui::GetStyle() = style;
}

double contrast(ImU32 a, ImU32 b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

ImU32 faded(ImU32 colour, float opacity) {
  const auto alpha = static_cast<ImU32>(std::lround(opacity * 255));
  return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

}  // namespace viewer
