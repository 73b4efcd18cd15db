#include "viewer/application/application.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "viewer/keys.h"
#include "viewer/widgets.h"

namespace viewer {
namespace {

constexpr double zooms[] = {0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3};
constexpr float list_width = 184, narrowest_with_list = 700, bar_height = 46, status_height = 30;
constexpr double longest_wait = 0.5;     // seconds; a page may check its files now and then
constexpr double time_to_settle = 0.05;  // after a wake(), unless the next comes first

bool same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

struct shortcut {
  const char *keys, *meaning;
};
constexpr shortcut shortcuts[] = {
    {"Ctrl+1 … Ctrl+9", "the pages"},
    {"Ctrl+T", "light or dark"},
    {"Ctrl++  Ctrl+-  Ctrl+0", "larger, smaller, as large as the monitor wants it"},
    {"F11", "full screen"},
    {"? or F1", "this help"},
    {"Esc", "closes what lies on top"},
    {"Ctrl+Q", "closes the window"},
    {"", ""},
    {"Arrows, Enter, Space", "move between the widgets, press them"},
    {"Enter, Esc", "into what scrolls by itself, and out of it"},
    {"Tab", "the next field to type into"},
    {"", ""},
    {"Ctrl+R", "Course: runs the lesson"},
    {"P", "Simulation: play or pause"},
    {". (full stop)", "Simulation: one step"},
    {"R", "Simulation: from the beginning"},
    {"", ""},
    {"Wheel, drag, double click", "Plot: zoom (if the page scrolls: after a click), move, show everything"},
    {"Right button", "Plot: a box to zoom into; the menu"},
    {"Arrows, Shift+Arrows", "Plot that is chosen: lead the crosshair, move"},
    {"+ -, 0", "Plot that is chosen: zoom, show everything"},
};

}  // namespace

application::application(surface& on, std::vector<std::unique_ptr<page>> pages, const places& folders,
                         const look& appearance, font_files fonts)
    : surface_(on),
      pages_(std::move(pages)),
      settings_(folders.settings.empty() ? settings() : settings(folders.settings)),
      fonts_(std::move(fonts)),
      how_(appearance),
      brightness_(
          appearance.brightness.value_or(settings_.text("theme") == "dark" ? brightness::dark : brightness::light)),
      context_{.look = theme_,
               .remembered = settings_,
               .root = folders.root,
               .build = folders.build,
               .my = folders.my,
               .checkout = folders.checkout.empty() ? folders.root : folders.checkout,
               .own = folders.own,
               .on_ranks = folders.on_ranks} {
  context_.open = [this](std::string_view title, std::string_view subject) {
    asked_ = {std::string(title), std::string(subject)};
  };
  context_.wake = [this] { surface_.wake(); };
  zoom_ = std::clamp(settings_.number("zoom", 1), zooms[0], *std::rbegin(zooms));
  open(settings_.text("page"));
}

application::~application() { settings_.save(); }

void application::load_look() {
  const float scale =
      how_.scale ? *how_.scale : std::clamp(surface_.monitor_scale(), 0.5f, 4.0f) * static_cast<float>(zoom_);
  if (theme_.text != nullptr && theme_.scale == scale && theme_.brightness == brightness_) return;
  theme_ = make_theme(brightness_, scale);
  load_fonts(theme_, fonts_);
  surface_.fonts_changed();
  apply(theme_);
  frames_to_settle_ = 3;
}

void application::set_zoom(double zoom) {
  if (how_.scale) *how_.scale *= static_cast<float>(zoom / zoom_);
  zoom_ = zoom;
  settings_.set("zoom", zoom);
}

void application::obey_keys() {
  for (std::size_t k = 0; k < std::min<std::size_t>(pages_.size(), 9); ++k)
    if (pressed_with_ctrl('1' + static_cast<int>(k))) open(pages_[k]->title());
  if (pressed_with_ctrl('T')) {
    const bool dark = theme_.brightness == brightness::light;
    brightness_ = dark ? brightness::dark : brightness::light;
    settings_.set("theme", dark ? "dark" : "light");
  }
  if (pressed_with_ctrl('+') || pressed_with_ctrl('=')) {
    const auto next = std::upper_bound(std::begin(zooms), std::end(zooms), zoom_ + 1e-6);
    if (next != std::end(zooms)) set_zoom(*next);
  }
  if (pressed_with_ctrl('-')) {
    const auto next = std::lower_bound(std::begin(zooms), std::end(zooms), zoom_ - 1e-6);
    if (next != std::begin(zooms)) set_zoom(*std::prev(next));
  }
  if (pressed_with_ctrl('0')) set_zoom(1);
  if (pressed_with_ctrl('Q')) closing_ = true;
  if (pressed(key_f11)) surface_.change_full_screen();
  if (typed('?') || pressed(key_f1)) help_ = !help_;
  // Enter presses what the arrow keys have selected, as Space does, and enters areas that scroll; in a field it edits.
  ImGuiContext& g = *ImGui::GetCurrentContext();
#if IMGUI_VERSION_NUM < 18930  // newer ones do so themselves
  if (g.ActiveId == 0 && g.NavActivateInputId != 0) g.NavActivateId = g.NavActivateDownId = g.NavActivateInputId;
#endif
  // Right leads from the list into the page, also where nothing stands beside the entry. ImGui moves a frame later.
  const bool in_list = g.NavWindow != nullptr && g.NavWindow == ImGui::FindWindowByID(list_id_);
  into_page_ = in_list && right_of_ != 0 && right_of_ == g.NavId;
  right_of_ = in_list && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_RightArrow), false) ? g.NavId : 0;
}

bool application::open(std::string_view title, std::string_view subject) {
  const auto found = std::ranges::find_if(pages_, [&](const auto& p) { return same(p->title(), title); });
  if (found == pages_.end()) return false;
  const auto k = static_cast<std::size_t>(found - pages_.begin());
  if (k != shown_) {
    failure_.clear();
    context_.status.clear();
  }
  shown_ = k;
  settings_.set("page", (*found)->title());
  if (!subject.empty()) (*found)->show(subject);
  frames_to_settle_ = 3;
  return true;
}

std::vector<std::string> application::titles() const {
  std::vector<std::string> titles;
  for (const auto& p : pages_) titles.emplace_back(p->title());
  return titles;
}

void application::wait() {
  const bool at_once = frames_to_settle_ > 0 || (shown().moving() && failure_.empty());
  const auto reason = surface_.wait(at_once ? 0 : settled_ ? longest_wait : time_to_settle);
  // ImGui answers some input a frame later, and lays out what is new in two.
  if (reason == wakes::by_input) frames_to_settle_ = 3;
  settled_ = reason == wakes::by_time;
}

void application::draw_frame() {
  load_look();
  surface_.begin_frame();
  if (frames_to_settle_ > 0) --frames_to_settle_;
  if (const auto asked = std::exchange(asked_, {})) open(asked->first, asked->second);
  obey_keys();

  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const bool narrow = size.x < theme_.px(narrowest_with_list);
  const ImVec2 spacing = ImGui::GetStyle().ItemSpacing;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  // The surface has been cleared with the background's colour already.
  ImGui::Begin("viewer", nullptr,
               ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  draw_list(narrow);
  if (!narrow) ImGui::SameLine();
  ImGui::BeginGroup();
  const float height = ImGui::GetContentRegionAvail().y - theme_.px(status_height);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(narrow ? 12 : 22), theme_.px(narrow ? 8 : 16)});
  ImGui::BeginChild("page", {0, std::max(height, 1.0f)}, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
  ImGui::PopStyleVar();
  if (std::exchange(into_page_, false)) {
    ImGui::FocusWindow(ImGui::GetCurrentWindow());
    ImGui::NavInitWindow(ImGui::GetCurrentWindow(), true);
  }
  draw_page(spacing);
  ImGui::EndChild();
  draw_status(theme_.px(narrow ? 12 : 22));
  ImGui::EndGroup();
  ImGui::PopStyleVar();
  ImGui::End();
  if (help_) draw_help();
  surface_.end_frame();
}

bool application::entry(std::size_t k, float width) {
  const std::string title(pages_[k]->title());
  const bool chosen = k == shown_;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = theme_.px(34);
  ImGui::PushID(static_cast<int>(k));
  const bool pressed = ImGui::InvisibleButton("##entry", {width, height});
  const bool reached_by_keys = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
  const bool marked = ImGui::IsItemHovered() || reached_by_keys;
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + height};
  if (chosen || marked) list.AddRectFilled(at, end, faded(theme_.accent, chosen ? 0.14f : 0.07f), theme_.px(6));
  if (reached_by_keys) list.AddRect(at, end, theme_.accent, theme_.px(6));
  ImFont* font = chosen ? theme_.bold : theme_.text;
  list.AddText(font, font->FontSize, {at.x + theme_.px(14), at.y + (height - font->FontSize) / 2},
               chosen ? theme_.accent : theme_.ink, title.c_str());
  return pressed;
}

void application::draw_list(bool narrow) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme_.surface);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0);
  if (narrow) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(12), theme_.px(8)});
    ImGui::BeginChild(
        "pages", {0, theme_.px(bar_height)}, false,
        ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NavFlattened);
    ImGui::PopStyleVar();
    ImGui::SetNextItemWidth(std::min(theme_.px(220), ImGui::GetContentRegionAvail().x));
    const std::string title(shown().title());
    if (ImGui::BeginCombo("##page", title.c_str())) {
      for (std::size_t k = 0; k < pages_.size(); ++k)
        if (ImGui::Selectable(std::string(pages_[k]->title()).c_str(), k == shown_)) open(pages_[k]->title());
      ImGui::EndCombo();
    }
  } else {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(10), theme_.px(16)});
    ImGui::BeginChild("pages", {theme_.px(list_width), 0}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
    ImGui::PopStyleVar();
    list_id_ = ImGui::GetCurrentWindow()->ID;
    ImGui::SetCursorPosX(theme_.px(24));
    ImGui::PushFont(theme_.bold);
    ImGui::TextUnformatted("Gridstride");
    ImGui::PopFont();
    ImGui::Dummy({0, theme_.px(12)});
    for (std::size_t k = 0; k < pages_.size(); ++k) {
      if (entry(k, ImGui::GetContentRegionAvail().x)) open(pages_[k]->title());
      ImGui::Dummy({0, theme_.px(2)});
    }
    const float below = ImGui::GetWindowHeight() - theme_.px(16) - ImGui::GetFrameHeight();
    if (below > ImGui::GetCursorPosY()) ImGui::SetCursorPosY(below);
    ImGui::SetCursorPosX(theme_.px(14));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleColor(ImGuiCol_Text, theme_.faint_ink);
    if (ImGui::Button("Help  ?")) help_ = true;
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
  }
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (narrow)
    list.AddLine({at.x, at.y + size.y}, {at.x + size.x, at.y + size.y}, theme_.line);
  else
    list.AddLine({at.x + size.x, at.y}, {at.x + size.x, at.y + size.y}, theme_.line);
}

namespace {

// Ends the ImGui scopes that a page had open when it threw, up to the window that it was drawn in.
void leave(const ImGuiWindow* page) {
  while (ImGui::GetCurrentWindow() != page) {
    const bool child = ImGui::GetCurrentWindow()->Flags & ImGuiWindowFlags_ChildWindow;
    ImGui::ErrorCheckEndWindowRecover(nullptr);
    child ? ImGui::EndChild() : ImGui::End();
  }
  ImGui::ErrorCheckEndWindowRecover(nullptr);
}

}  // namespace

void application::draw_page(ImVec2 spacing) {
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
  if (failure_.empty()) {
    try {
      shown().draw(context_);
    } catch (const std::exception& e) {
      failure_ = e.what();
      leave(window);
    }
  } else {
    draw_failure();
  }
  ImGui::PopStyleVar();
}

void application::draw_failure() {
  ImGui::PushFont(theme_.heading);
  ImGui::TextUnformatted("This page could not go on");
  ImGui::PopFont();
  ImGui::PushTextWrapPos(0);
  unformatted(failure_);
  ImGui::PopTextWrapPos();
  if (ImGui::Button("Try again")) failure_.clear();
}

void application::draw_status(float margin) {
  if (!settings_.save() && !said_unsaved_) {
    said_unsaved_ = true;
    context_.status = "What is chosen here can't be remembered: the settings can't be written.";
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = theme_.px(status_height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine(at, {at.x + width, at.y}, theme_.line);
  const ImVec2 text{at.x + margin, at.y + (height - theme_.text->FontSize) / 2};
  const float end = at.x + width - margin;
  ImGui::PushStyleColor(ImGuiCol_Text, theme_.faint_ink);
  ImGui::RenderTextEllipsis(&list, text, {end, at.y + height}, end, end, context_.status.c_str(), nullptr, nullptr);
  ImGui::PopStyleColor();
}

void application::draw_help() {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float margin = theme_.px(12);
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints(
      {0, 0}, {std::max(display.x - 2 * margin, 32.0f), std::max(display.y - 2 * margin, 32.0f)});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme_.surface);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(24), theme_.px(20)});
  ImGui::Begin("help", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushFont(theme_.heading);
  ImGui::TextUnformatted("Keys");
  ImGui::PopFont();
  ImGui::Dummy({0, theme_.px(4)});
  const float column = theme_.px(226);
  for (const auto& [keys, meaning] : shortcuts) {
    if (keys[0] == '\0') {
      ImGui::Dummy({0, theme_.px(4)});
      continue;
    }
    ImGui::PushFont(theme_.code);
    ImGui::PushStyleColor(ImGuiCol_Text, theme_.accent);
    ImGui::TextUnformatted(keys);
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::SameLine(column + theme_.px(24));
    ImGui::TextUnformatted(meaning);
  }
  ImGui::Dummy({0, theme_.px(6)});
  if (ImGui::Button("Close") || pressed(key_escape)) help_ = false;
  const bool elsewhere = ImGui::IsMouseClicked(0) &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup) &&
                         !ImGui::IsWindowAppearing();
  if (elsewhere) help_ = false;
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace viewer
