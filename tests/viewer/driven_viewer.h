#pragma once
// A viewer that a test operates as a reader does: it finds texts in what is drawn, and clicks them.

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/temporary_folder.h"
#include "viewer/application/application.h"
#include "viewer/keys.h"
#include "viewer/window/null_surface.h"

namespace viewer_test {

/// Draws on a surface without a window, or on the given one.
class driven_viewer {
 public:
  driven_viewer(std::vector<std::unique_ptr<viewer::page>> pages, const viewer::application::places& locations,
                ImVec2 size = {1280, 720}, const viewer::application::look& appearance = {.scale = 1.0f},
                viewer::font_files fonts = viewer::find_fonts(), std::unique_ptr<viewer::null_surface> on = nullptr)
      : surface(on ? std::move(on) : std::make_unique<viewer::null_surface>(size)),
        application(*surface, std::move(pages), locations, appearance, std::move(fonts)) {
    frame(3);
  }

  void frame(int n = 1) {
    while (n-- > 0) application.draw_frame();
  }
  /// Draws until the condition holds. False after two minutes, which only a wrong viewer needs.
  template <class Condition>
  bool until(Condition condition) {
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      frame();
      if (condition()) return true;
      if (std::chrono::steady_clock::now() - begin > std::chrono::minutes(2)) return false;
      surface->wait(0.01);
    }
  }
  bool until_sees(std::string_view text) {
    return until([&] { return sees(text); });
  }

  /// The middle of a text on the picture, in any of the viewer's fonts; nothing if it isn't there or is clipped away.
  /// Of several, the one that is drawn last.
  std::optional<ImVec2> find(std::string_view text) const {
    const auto found = find_in_any_font(text);
    return found ? std::optional(found->middle) : std::nullopt;
  }
  bool sees(std::string_view text) const { return find(text).has_value(); }
  /// Whether the text is there and nothing of it is clipped away.
  bool sees_all_of(std::string_view text) const {
    const auto found = find_in_any_font(text);
    return found && found->whole;
  }

  void click_at(ImVec2 at) {
    surface->mouse = at;
    frame(2);
    surface->buttons[0] = true;
    frame();
    surface->buttons[0] = false;
    frame(3);
  }
  /// Clicks on a text. The test fails if it isn't there.
  void click(std::string_view text) {
    const auto at = find(text);
    ASSERT_TRUE(at) << "'" << text << "' isn't on the picture";
    click_at(*at);
  }
  void press(int key, bool ctrl = false) {
    surface->keys = {key};
    surface->ctrl = ctrl;
    frame();
    surface->keys.clear();
    surface->ctrl = false;
    frame(2);
  }
  /// Leads the mark to a text by the arrows alone, as a reader would: towards it; where that leads nowhere, or to where
  /// it has been, in another direction. The test fails if it doesn't get there.
  void lead_to(std::string_view text) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    std::map<ImGuiID, std::size_t> visits;
    for (int n = 0; n < 300; ++n) {
      const auto at = find(text);
      ASSERT_TRUE(at) << "'" << text << "' isn't on the picture";
      ImRect mark;
      if (g.NavWindow != nullptr && g.NavId != 0) {
        mark = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[g.NavLayer]);
        if (mark.Contains(*at)) return;
      }
      const ImVec2 way{at->x - std::clamp(at->x, mark.Min.x, mark.Max.x),
                       at->y - std::clamp(at->y, mark.Min.y, mark.Max.y)};
      const int across = way.x < 0 ? GLFW_KEY_LEFT : GLFW_KEY_RIGHT, along = way.y < 0 ? GLFW_KEY_UP : GLFW_KEY_DOWN;
      std::vector<int> ways{along, across, way.x < 0 ? GLFW_KEY_RIGHT : GLFW_KEY_LEFT,
                            way.y < 0 ? GLFW_KEY_DOWN : GLFW_KEY_UP};
      if (way.y == 0) std::swap(ways[0], ways[1]);
      press(ways[visits[g.NavId]++ % ways.size()]);
    }
    FAIL() << "the arrows don't lead to '" << text << "'";
  }
  /// The same, and Enter.
  void choose(std::string_view text) {
    ASSERT_NO_FATAL_FAILURE(lead_to(text));
    press(viewer::key_enter);
  }
  void type(std::string_view text) {
    surface->text = text;
    frame(2);
  }

  /// Draws a window that is hardly there and one of 5120 x 2880, and goes back to what it was.
  void draw_at_extreme_sizes() {
    const ImVec2 size_before = surface->size;
    for (const ImVec2 size : {ImVec2(200, 150), ImVec2(5120, 2880), size_before}) {
      surface->size = size;
      frame(3);
      EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 0);
    }
  }

  /// Hands `input` the surface and counts the frames until `effect()` is true: 1 is the frame that found the input.
  /// Ten are as good as never.
  template <class Input, class Effect>
  int frames_until(Input input, Effect effect) {
    EXPECT_FALSE(effect()) << "what is waited for is there already";
    input(*surface);
    int n = 1;
    for (frame(); !effect() && n < 10; ++n) frame();
    return n;
  }
  /// The same until the picture has changed in any respect; it must be still before.
  template <class Input>
  int frames_until_change(Input input) {
    const std::uint64_t fingerprint_before = fingerprint();
    frame(2);
    EXPECT_EQ(fingerprint(), fingerprint_before) << "the picture changes by itself";
    return frames_until(input, [&] { return fingerprint() != fingerprint_before; });
  }
  /// The same from the button's release on a text.
  template <class Effect>
  int frames_from_click(std::string_view text, Effect effect) {
    const auto at = find(text);
    EXPECT_TRUE(at) << "'" << text << "' isn't on the picture";
    if (!at) return 10;
    surface->mouse = *at;
    frame(2);
    surface->buttons[0] = true;
    frame();
    return frames_until([](auto& on) { on.buttons[0] = false; }, effect);
  }

  std::unique_ptr<viewer::null_surface> surface;
  viewer::application application;

  /// Of all corners that are drawn: places, colours, letters (FNV-1a).
  static std::uint64_t fingerprint() {
    std::uint64_t hash = 14695981039346656037u;
    const ImDrawData& picture = *ImGui::GetDrawData();
    for (int n = 0; n < picture.CmdListsCount; ++n) {
      const auto& corners = picture.CmdLists[n]->VtxBuffer;
      const auto* bytes = reinterpret_cast<const unsigned char*>(corners.Data);
      for (int k = 0; k < corners.size_in_bytes(); ++k) hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    return hash;
  }

 private:
  struct quad {
    ImVec2 low, high, uv_low, uv_high;
  };

  struct found_text {
    ImVec2 middle;
    bool whole;
  };

  static std::optional<found_text> find_in_any_font(std::string_view text) {
    for (ImFont* font : ImGui::GetIO().Fonts->Fonts)
      if (const auto found = find(text, *font)) return found;
    return std::nullopt;
  }
  // Texts are rectangles of the fonts' texture: a text is there where its letters' rectangles follow each other.
  static std::optional<found_text> find(std::string_view text, ImFont& font) {
    std::vector<const ImFontGlyph*> letters;
    for (const char *at = text.data(), *end = at + text.size(); at < end;) {
      unsigned code = 0;
      at += ImTextCharFromUtf8(&code, at, end);
      const ImFontGlyph* letter = font.FindGlyphNoFallback(static_cast<ImWchar>(code));
      if (letter == nullptr) return std::nullopt;
      if (letter->Visible) letters.push_back(letter);
    }
    const ImDrawData& picture = *ImGui::GetDrawData();
    std::optional<found_text> position;
    for (int n = 0; n < picture.CmdListsCount; ++n)
      for (const ImDrawCmd& command : picture.CmdLists[n]->CmdBuffer) {
        const auto quads = quads_of(*picture.CmdLists[n], command);
        for (std::size_t k = 0; k + letters.size() <= quads.size(); ++k) {
          std::size_t matches = 0;
          while (matches < letters.size() && is(quads[k + matches], *letters[matches])) ++matches;
          if (matches < letters.size()) continue;
          const quad &first = quads[k], &last = quads[k + matches - 1];
          const ImVec2 middle{(first.low.x + last.high.x) / 2, (first.low.y + last.high.y) / 2};
          const ImVec4 clip = command.ClipRect;
          if (middle.x >= clip.x && middle.x < clip.z && middle.y >= clip.y && middle.y < clip.w)
            position = found_text{middle, first.low.x >= clip.x && last.high.x <= clip.z};
        }
      }
    return position;
  }
  static bool is(const quad& q, const ImFontGlyph& letter) {
    return q.uv_low.x == letter.U0 && q.uv_low.y == letter.V0 && q.uv_high.x == letter.U1 && q.uv_high.y == letter.V1;
  }
  static std::vector<quad> quads_of(const ImDrawList& list, const ImDrawCmd& command) {
    std::vector<quad> quads;
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawVert* vertex = list.VtxBuffer.Data + command.VtxOffset;
    for (unsigned i = 0; i + 6 <= command.ElemCount; i += 3) {
      const ImDrawIdx a = index[i];
      if (index[i + 1] != a + 1 || index[i + 2] != a + 2 || index[i + 3] != a || index[i + 4] != a + 2 ||
          index[i + 5] != a + 3)
        continue;
      quads.push_back({vertex[a].pos, vertex[a + 2].pos, vertex[a].uv, vertex[a + 2].uv});
      i += 3;
    }
    return quads;
  }
};

}  // namespace viewer_test
