#include "viewer/plot/plot_widget.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "viewer/keys.h"
#include "viewer/plot/background.h"
#include "viewer/plot/imgui_canvas.h"
#include "viewer/plot/plot_cache.h"
#include "viewer/plot/save_dialog.h"
#include "viewer/plot/view_change.h"
#include "viewer/widgets.h"
#include "workbook/number_text.h"
#include "workbook/picture/picture_files.h"
#include "workbook/plot/plot_csv.h"

namespace viewer {
namespace {

using workbook::box;
using workbook::colour;
using workbook::plot_view;
using workbook::position;

constexpr double wheel_step = 0.8, key_step = 0.1;
constexpr double crosshair_step = 0.02;  // of the visible range; at least an element of a heat map, a category of bars
constexpr double widest_view = 4;        // times the whole range
constexpr double message_seconds = 5;
constexpr ImGuiButtonFlags both_buttons = ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight;

colour colour_of(ImU32 c) {
  const auto channel = [c](int shift) { return static_cast<std::uint8_t>(c >> shift & 0xff); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
}

ImU32 with_alpha(ImU32 c, ImU32 alpha) { return (c & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT; }

bool contains(const box& b, position p) {
  return p.x >= b.left && p.x <= b.right() && p.y >= b.top && p.y <= b.bottom();
}

// Whether the wheel has something else to do here than to zoom: to scroll the window, or one around it.
bool window_scrolls() {
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  while (window->ScrollMax.y <= 0 && (window->Flags & ImGuiWindowFlags_ChildWindow) != 0) window = window->ParentWindow;
  return window->ScrollMax.y > 0;
}

bool held(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }

// A file name that isn't taken.
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& stem, const char* ending) {
  std::filesystem::path file = folder / (stem + ending);
  std::error_code ignored;
  for (int k = 2; std::filesystem::exists(file, ignored); ++k) file = folder / fmt::format("{}-{}{}", stem, k, ending);
  return file;
}

std::size_t points_of(const workbook::plot& p) {
  std::size_t n = 0;
  if (const auto* xy = std::get_if<workbook::xy_plot>(&p))
    for (const auto& s : xy->series) n += s.y.size();
  return n;
}

}  // namespace

workbook::look look_of(const theme& t) {
  workbook::look look = t.brightness == brightness::dark ? workbook::dark_look : workbook::light_look;
  look.paper = colour_of(t.surface);
  look.ink = colour_of(t.ink);
  look.faint_ink = colour_of(t.faint_ink);
  return look;
}

struct plot_widget::state {
  std::shared_ptr<const workbook::plot> shown;
  plot_cache data = {};
  texture_list textures = {};
  plot_view view = {};
  workbook::picture_geometry geometry = {};
  std::vector<workbook::plot_reading> readings = {};
  std::string problem = {};  // why it can't be drawn

  // Mouse and keyboard.
  enum class gesture { none, move, choose_box };
  gesture doing = gesture::none;
  position began = {};
  std::optional<workbook::xy_scales> began_at = {};
  bool entered = false;        // the keyboard's keys are for this plot
  bool has_crosshair = false;  // the link's crosshair is ours
  std::optional<position> crosshair = {};
  std::optional<position> by_keys = {};  // where the arrow keys have led it, until the mouse moves
  ImVec2 last_mouse = {};

  std::filesystem::path folder = ".";
  save_dialog place = {};
  const char* ending = "";    // of what is to be saved
  bool only_visible = false;  // of the data
  background<std::string> saving = {};
  std::string message = {};
  bool message_is_bad = false;
  double message_ends = 0;

  // Of one frame.
  ImVec2 corner = {};
  double pixels = 1;
  position mouse = {};  // in points from the corner

  void set_data();
  void show_everything();
  void zoom(position centre, double factor, bool along_x, bool along_y);
  void move_by(const workbook::xy_scales& from, double right, double up);
  void move_crosshair(double right, double up);
  void hide_or_show(std::size_t k);
  void use_mouse(bool hovered, bool active);
  void use_keys(bool focused);
  void choose_box_ends();
  void paint(ImDrawList& list, const theme& look, ImVec2 size);
  void paint_box(ImDrawList& list, const theme& look) const;
  void paint_crosshair(ImDrawList& list, const theme& look, position at, ImVec2 size) const;
  void paint_readings(ImDrawList& list, const theme& look, position at, ImVec2 size) const;
  void paint_message(ImDrawList& list, const theme& look, ImVec2 size);
  void menu();
  void colours_menu(const workbook::heat_map& h);
  void ask_where(const char* kind, bool visible);
  void save(const std::filesystem::path& file);

  ImVec2 pixel(position p) const {
    return {corner.x + static_cast<float>(p.x * pixels), corner.y + static_cast<float>(p.y * pixels)};
  }
  bool has_axes() const { return geometry.shown.has_value() && problem.empty(); }
};

void plot_widget::state::set_data() {
  problem.clear();
  try {
    validate(*shown);
    data.set(shown);
  } catch (const std::exception& e) {
    problem = e.what();
  }
}

void plot_widget::state::show_everything() {
  view.x.reset();
  view.y.reset();
}

void plot_widget::state::zoom(position centre, double factor, bool along_x, bool along_y) {
  const box& plot = geometry.plot;
  const auto change = [factor](auto& range, const workbook::scale& part, const workbook::scale& full_scale,
                               double place) {
    const auto zoomed_range = zoomed(part, place, factor);
    if (factor < 1 || std::abs(full_scale(zoomed_range.high) - full_scale(zoomed_range.low)) <= widest_view)
      range = zoomed_range;
  };
  if (along_x) change(view.x, geometry.shown->x, geometry.full_scales->x, (centre.x - plot.left) / plot.width);
  if (along_y) change(view.y, geometry.shown->y, geometry.full_scales->y, (plot.bottom() - centre.y) / plot.height);
}

void plot_widget::state::move_by(const workbook::xy_scales& from, double right, double up) {
  if (right != 0) view.x = moved(from.x, right);
  if (up != 0) view.y = moved(from.y, up);
}

// By that many steps; from the middle if there is no crosshair yet.
void plot_widget::state::move_crosshair(double right, double up) {
  const box& plot = geometry.plot;
  const auto step = [](const workbook::scale& part, const workbook::scale& full_scale, double elements) {
    const double visible = elements * std::abs(full_scale(part.high()) - full_scale(part.low()));
    return visible > 0 ? std::max(crosshair_step, 1 / visible) : crosshair_step;
  };
  position p{plot.left + plot.width / 2, plot.top + plot.height / 2};
  if (const auto from = by_keys ? by_keys : crosshair) p = geometry.to_picture(*from);
  p.x = std::clamp(p.x + right * step(geometry.shown->x, geometry.full_scales->x, geometry.elements.x) * plot.width,
                   plot.left, plot.right());
  p.y = std::clamp(p.y - up * step(geometry.shown->y, geometry.full_scales->y, geometry.elements.y) * plot.height,
                   plot.top, plot.bottom());
  by_keys = geometry.to_data(p);
}

void plot_widget::state::hide_or_show(std::size_t k) {
  if (k >= geometry.legend.size()) return;
  view.hidden.resize(std::max(view.hidden.size(), k + 1));
  view.hidden[k] = !view.hidden[k];
}

void plot_widget::state::choose_box_ends() {
  const box& plot = geometry.plot;
  const auto x = [&](double at) { return std::clamp((at - plot.left) / plot.width, 0.0, 1.0); };
  const auto y = [&](double at) { return std::clamp((plot.bottom() - at) / plot.height, 0.0, 1.0); };
  const workbook::xy_scales s = *geometry.shown;
  if (x(began.x) != x(mouse.x)) view.x = between(s.x, x(began.x), x(mouse.x));
  if (y(began.y) != y(mouse.y)) view.y = between(s.y, y(began.y), y(mouse.y));
}

void plot_widget::state::use_mouse(bool hovered, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool inside = hovered && has_axes() && contains(geometry.plot, mouse);
  if (hovered) {
    for (std::size_t k = 0; k < geometry.legend.size(); ++k) {
      const box& entry = geometry.legend[k];
      if (entry.width <= 0 || !contains(entry, mouse)) continue;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) hide_or_show(k);
    }
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) doing = gesture::none, began = mouse;
  }
  if (inside) {
    // Where a page scrolls, the wheel belongs to it until the plot has been clicked: else reading on would end at the
    // first plot, and shrink it.
    const bool zooms = entered || !window_scrolls();
    if (zooms) ImGui::SetItemUsingMouseWheel();
    if (zooms && io.MouseWheel != 0)
      zoom(mouse, std::pow(wheel_step, static_cast<double>(io.MouseWheel)), !io.KeyCtrl, !io.KeyShift);
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) show_everything();
    for (const auto button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right})
      if (ImGui::IsMouseClicked(button)) {
        doing = button == ImGuiMouseButton_Left ? gesture::move : gesture::choose_box;
        began = mouse;
        began_at = geometry.shown;
      }
  }
  const auto dragged = [&](ImGuiMouseButton button) {
    return ImGui::IsMouseDragging(button) ||
           ImGui::GetIO().MouseDragMaxDistanceSqr[button] > io.MouseDragThreshold * io.MouseDragThreshold;
  };
  if (doing == gesture::move && active && has_axes() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    move_by(*began_at, (began.x - mouse.x) / geometry.plot.width, (mouse.y - began.y) / geometry.plot.height);
  }
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    if (doing == gesture::choose_box && has_axes() && dragged(ImGuiMouseButton_Right))
      choose_box_ends();
    else if (hovered)
      ImGui::OpenPopup("menu");
  }
  if (!active) doing = gesture::none;
}

void plot_widget::state::use_keys(bool focused) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!focused || held(ImGuiKey_Escape)) entered = false;
  const bool mouse_moved = io.MousePos.x != last_mouse.x || io.MousePos.y != last_mouse.y;
  if (!entered || mouse_moved) by_keys.reset();
  last_mouse = io.MousePos;
  if (!focused || io.WantTextInput) return;
  if (typed('m') || typed('M')) ImGui::OpenPopup("menu");
  for (std::size_t k = 0; k < 9; ++k)
    if (typed(static_cast<char>('1' + k))) hide_or_show(k);
  if (!has_axes()) return;
  if (typed('0') || held(ImGuiKey_Home)) show_everything();
  const box& plot = geometry.plot;
  const position middle{plot.left + plot.width / 2, plot.top + plot.height / 2};
  if (typed('+') || typed('=')) zoom(middle, wheel_step, !io.KeyCtrl, true);
  if (typed('-') || typed('_')) zoom(middle, 1 / wheel_step, !io.KeyCtrl, true);
  if (!entered) return;
  const double right = (held(ImGuiKey_RightArrow) ? 1 : 0) - (held(ImGuiKey_LeftArrow) ? 1 : 0);
  const double up = (held(ImGuiKey_UpArrow) ? 1 : 0) - (held(ImGuiKey_DownArrow) ? 1 : 0);
  if (right == 0 && up == 0) return;
  if (io.KeyShift)
    move_by(*geometry.shown, key_step * right, key_step * up);
  else
    move_crosshair(right, up);
  ImGui::NavMoveRequestCancel();  // the arrows don't lead to another widget meanwhile
}

void plot_widget::state::paint(ImDrawList& list, const theme& look, ImVec2 size) {
  const workbook::look colours = look_of(look);
  workbook::picture_size points{size.x / look.scale, size.y / look.scale};
  pixels = look.scale;
  list.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, look.surface);
  imgui_canvas plain(list, corner, pixels, look, textures);
  if (!problem.empty()) {
    plain.text({8, 20}, plain.fitted(problem, {12.5}, points.width - 16), {12.5}, colour_of(look.bad));
    geometry = {};
    return;
  }
  if (!data.ready()) {
    const std::string activity =
        fmt::format("reading {} points", workbook::grouped(static_cast<long long>(points_of(*shown))));
    plain.text({points.width / 2, points.height / 2}, plain.fitted(activity, {12.5}, points.width - 16), {12.5},
               colour_of(look.faint_ink), workbook::aligned::centre);
    geometry = {};
    return;
  }
  if (const workbook::picture_size own = size_of(*shown); own.fixed) {
    // Scaled to fit, and centred.
    const double fit = std::min({points.width / own.width, points.height / own.height, 1.5});
    pixels *= fit;
    const ImVec2 place{corner.x + std::floor((size.x - static_cast<float>(own.width * pixels)) / 2), corner.y};
    imgui_canvas canvas(list, place, pixels, look, textures);
    geometry = workbook::paint({canvas, own, colours, view, data}, *shown);
  } else {
    geometry = workbook::paint({plain, points, colours, view, data}, *shown);
  }
}

void plot_widget::state::paint_box(ImDrawList& list, const theme& look) const {
  const box& plot = geometry.plot;
  const auto inside = [&](position p) {
    return position{std::clamp(p.x, plot.left, plot.right()), std::clamp(p.y, plot.top, plot.bottom())};
  };
  const ImVec2 a = pixel(inside(began)), b = pixel(inside(mouse));
  const ImVec2 least{std::min(a.x, b.x), std::min(a.y, b.y)}, greatest{std::max(a.x, b.x), std::max(a.y, b.y)};
  list.AddRectFilled(least, greatest, with_alpha(look.accent, 40));
  list.AddRect(least, greatest, look.accent);
}

void plot_widget::state::paint_crosshair(ImDrawList& list, const theme& look, position at, ImVec2 size) const {
  const box& plot = geometry.plot;
  const position p = geometry.to_picture(at);
  const ImU32 ink = with_alpha(look.ink, 110);
  const float width = std::max(1.0f, std::floor(look.scale));
  const ImVec2 centre = pixel(p), least = pixel({plot.left, plot.top}), greatest = pixel({plot.right(), plot.bottom()});
  const bool x_seen = p.x >= plot.left && p.x <= plot.right(), y_seen = p.y >= plot.top && p.y <= plot.bottom();
  const float x = std::floor(centre.x), y = std::floor(centre.y);
  const auto lines = [&](ImU32 colour, float rim) {
    if (x_seen) list.AddRectFilled({x - rim, least.y}, {x + width + rim, greatest.y}, colour);
    if (y_seen) list.AddRectFilled({least.x, y - rim}, {greatest.x, y + width + rim}, colour);
  };
  // Ink on a colour map, whose colours may be dark as well, gets an outline in the paper's colour.
  if (geometry.value) lines(with_alpha(look.surface, 110), width);
  lines(ink, 0);
  if (!x_seen) return;
  for (std::size_t k = 1; k < readings.size(); ++k) {
    const position mark = geometry.to_picture({readings[k].x, readings[k].y});
    if (!readings[k].marked || !contains(plot, mark)) continue;
    list.AddCircleFilled(pixel(mark), look.px(4.5f), look.surface);
    list.AddCircle(pixel(mark), look.px(4.0f), look.ink, 0, look.px(1.5f));
  }
  if (y_seen || !geometry.value) {
    // Of a linked plot whose range is another, y may have no place here.
    paint_readings(list, look, {p.x, y_seen ? p.y : plot.top + plot.height / 2}, size);
  }
}

// A card beside the crosshair that stays within the widget.
void plot_widget::state::paint_readings(ImDrawList& list, const theme& look, position at, ImVec2 size) const {
  if (readings.empty()) return;
  ImFont* font = look.small != nullptr ? look.small : ImGui::GetFont();
  const auto width_of = [&](const std::string& text) {
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str()).x;
  };
  const float pad = look.px(8), gap = look.px(14), line = std::ceil(font->FontSize * 1.35f);
  const float room = std::max(size.x - 4 * pad, 1.0f);
  const float rows_that_fit = std::max(1.0f, std::floor((size.y - 2 * pad) / line));
  const std::size_t rows = std::min(readings.size(), static_cast<std::size_t>(rows_that_fit));
  float names = 0, texts = 0;
  for (std::size_t k = 0; k < rows; ++k) {
    names = std::max(names, width_of(readings[k].name));
    texts = std::max(texts, width_of(readings[k].text));
  }
  const bool coloured =
      std::ranges::any_of(readings, [](const workbook::plot_reading& r) { return r.series.has_value(); });
  const float swatch = coloured ? std::round(look.px(13)) : 0;
  names = std::min(names, std::max(room - texts - gap, room / 3));
  const float width = std::min(swatch + names + gap + texts, room) + 2 * pad;
  const float height = line * static_cast<float>(rows) + 1.4f * pad;
  const ImVec2 centre = pixel(at);
  ImVec2 place{centre.x + gap, centre.y + gap};
  if (place.x + width > corner.x + size.x) place.x = centre.x - gap - width;
  if (place.y + height > corner.y + size.y) place.y = centre.y - gap - height;
  place.x = std::floor(std::clamp(place.x, corner.x, std::max(corner.x, corner.x + size.x - width)));
  place.y = std::floor(std::clamp(place.y, corner.y, std::max(corner.y, corner.y + size.y - height)));
  const ImVec2 end{place.x + width, place.y + height};
  list.AddRectFilled(place, end, with_alpha(look.surface, 238), look.px(5));
  list.AddRect(place, end, look.line, look.px(5));
  list.PushClipRect(place, end, true);
  for (std::size_t k = 0; k < rows; ++k) {
    const float y = place.y + 0.7f * pad + line * static_cast<float>(k);
    if (readings[k].series) {
      const float side = std::round(look.px(7)), middle = std::round(y + font->FontSize / 2);
      list.AddRectFilled({place.x + pad, middle - side / 2}, {place.x + pad + side, middle + side / 2},
                         imgui_colour(workbook::series_colour(*readings[k].series)));
    }
    const ImVec4 name_room{place.x + pad, y, place.x + pad + swatch + names + gap / 2, y + line};
    list.AddText(font, font->FontSize, {place.x + pad + swatch, y}, look.faint_ink, readings[k].name.c_str(), nullptr,
                 0, &name_room);
    list.AddText(font, font->FontSize, {end.x - pad - width_of(readings[k].text), y}, look.ink,
                 readings[k].text.c_str());
  }
  list.PopClipRect();
}

void plot_widget::state::paint_message(ImDrawList& list, const theme& look, ImVec2 size) {
  try {
    if (const auto done = saving.take()) {
      message = *done;
      message_is_bad = false;
      message_ends = ImGui::GetTime() + message_seconds;
    }
  } catch (const std::exception& e) {
    message = e.what();
    message_is_bad = true;
    message_ends = ImGui::GetTime() + 2 * message_seconds;
  }
  if (message.empty()) return;
  if (!saving.running() && ImGui::GetTime() > message_ends) {
    message.clear();
    return;
  }
  texture_list none;
  imgui_canvas d(list, corner, look.scale, look, none);
  const workbook::font f{11.5};
  const double width = size.x / look.scale, height = size.y / look.scale;
  const std::string text = d.fitted(message, f, width - 32);
  const ImVec2 least{corner.x + look.px(8), corner.y + size.y - look.px(32)};
  const ImVec2 greatest{least.x + look.px(static_cast<float>(d.width_of(text, f)) + 16), least.y + look.px(24)};
  list.AddRectFilled(least, greatest, look.surface, look.px(5));
  list.AddRect(least, greatest, message_is_bad ? look.bad : look.line, look.px(5));
  d.text({16, height - 16}, text, f, colour_of(message_is_bad ? look.bad : look.ink));
}

void plot_widget::state::ask_where(const char* kind, bool visible) {
  ending = kind;
  only_visible = visible;
  place.ask(free_name(folder, workbook::slug(title_of(*shown)), ending));
}

void plot_widget::state::save(const std::filesystem::path& file) {
  folder = file.parent_path();
  message = fmt::format("writing {}", file.string());
  message_is_bad = false;
  plot_view seen = view;
  if (only_visible && geometry.shown) {
    seen.x = range_of(geometry.shown->x);
    seen.y = range_of(geometry.shown->y);
  }
  saving.start([plot = shown, file, kind = std::string(ending), seen, visible = only_visible](const std::stop_token&) {
    const std::string path = file.string();
    if (kind == ".png") write_png(*plot, path, 2, {}, seen);
    if (kind == ".svg") write_svg(*plot, path, {}, seen);
    if (kind == ".csv") write_csv(*plot, path, visible ? &seen : nullptr);
    return fmt::format("saved {}", path);
  });
}

void plot_widget::state::colours_menu(const workbook::heat_map& h) {
  if (ImGui::BeginMenu("Colours")) {
    const std::pair<const char*, workbook::colour_map> maps[] = {{"viridis", workbook::colour_map::viridis},
                                                                 {"inferno", workbook::colour_map::inferno},
                                                                 {"grey", workbook::colour_map::grey},
                                                                 {"diverging", workbook::colour_map::diverging}};
    for (const auto& [name, map] : maps)
      if (ImGui::MenuItem(name, nullptr, view.colours.value_or(h.colours) == map)) view.colours = map;
    ImGui::EndMenu();
  }
  bool fixed = view.values.has_value();
  if (ImGui::Checkbox("Fixed range of values", &fixed)) {
    view.values.reset();
    if (fixed && geometry.value) view.values = range_of(*geometry.value);
  }
  if (view.values) {
    plot_view::range r = *view.values;
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8);
    ImGui::InputDouble("least", &r.low, 0, 0, "%.6g");
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8);
    ImGui::InputDouble("greatest", &r.high, 0, 0, "%.6g");
    view.values = r;
  }
}

void plot_widget::state::menu() {
  if (!ImGui::BeginPopup("menu")) return;
  if (has_axes() && ImGui::MenuItem("Show everything", "0")) show_everything();
  if (const auto* h = std::get_if<workbook::heat_map>(shown.get())) colours_menu(*h);
  const std::vector<std::string> names = std::visit([](const auto& kind) { return kind.names(); }, *shown);
  for (std::size_t k = 0; k < names.size() && k < 20; ++k) {
    if (names[k].empty()) continue;
    const std::string key = k < 9 ? fmt::format("{}", k + 1) : "";
    if (ImGui::MenuItem(item_name(names[k], k).c_str(), key.c_str(), !view.is_hidden(k))) hide_or_show(k);
  }
  ImGui::Separator();
  const bool can_save = !saving.running() && problem.empty();
  if (ImGui::MenuItem("Save as PNG …", nullptr, false, can_save)) ask_where(".png", true);
  if (ImGui::MenuItem("Save as SVG …", nullptr, false, can_save)) ask_where(".svg", true);
  if (ImGui::MenuItem("Save all data as CSV …", nullptr, false, can_save)) ask_where(".csv", false);
  if (has_axes() && ImGui::MenuItem("Save visible data as CSV …", nullptr, false, can_save)) ask_where(".csv", true);
  ImGui::EndPopup();
}

plot_widget::plot_widget(std::shared_ptr<const workbook::plot> shown) : state_(std::make_unique<state>()) {
  set(std::move(shown));
}
plot_widget::~plot_widget() = default;
plot_widget::plot_widget(plot_widget&&) noexcept = default;
plot_widget& plot_widget::operator=(plot_widget&&) noexcept = default;

void plot_widget::set(std::shared_ptr<const workbook::plot> shown) {
  if (state_->shown == shown) return;
  if (state_->shown) state_->view.least_room = state_->geometry.room;  // numbers that change don't move the plot
  state_->shown = std::move(shown);
  state_->set_data();
}

const workbook::plot& plot_widget::shown() const { return *state_->shown; }
bool plot_widget::working() const {
  return state_->data.working() || state_->saving.running() || !state_->message.empty();
}
void plot_widget::save_into(std::filesystem::path folder) { state_->folder = std::move(folder); }
const plot_view& plot_widget::view() const { return state_->view; }
const workbook::picture_geometry& plot_widget::geometry() const { return state_->geometry; }
const std::vector<workbook::plot_reading>& plot_widget::readings() const { return state_->readings; }

void plot_widget::draw(const char* label, ImVec2 size, const theme& look, linked_view* link) {
  state& s = *state_;
  size = {std::max(std::floor(size.x), 1.0f), std::max(std::floor(size.y), 1.0f)};
  ImGui::PushID(label);
  s.corner = ImGui::GetCursorScreenPos();
  s.pixels = look.scale;
  if (ImGui::InvisibleButton("plot", size, both_buttons)) s.entered = true;
  if (!ImGui::IsItemVisible()) {
    ImGui::PopID();
    return;
  }
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive(), focused = ImGui::IsItemFocused();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  s.mouse = {(mouse.x - s.corner.x) / s.pixels, (mouse.y - s.corner.y) / s.pixels};

  const auto to_view = [](const std::optional<linked_view::range>& r) -> std::optional<plot_view::range> {
    if (!r) return {};
    return plot_view::range{r->low, r->high};
  };
  const auto to_link = [](const std::optional<plot_view::range>& r) -> std::optional<linked_view::range> {
    if (!r) return {};
    return linked_view::range{r->low, r->high};
  };
  if (link != nullptr) {
    s.view.x = to_view(link->x);
    s.view.y = to_view(link->y);
  }
  s.use_mouse(hovered, active);
  s.use_keys(focused);
  if (link != nullptr) {
    link->x = to_link(s.view.x);
    link->y = to_link(s.view.y);
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(s.corner, {s.corner.x + size.x, s.corner.y + size.y}, true);
  s.paint(list, look, size);

  // The crosshair is where the mouse or the arrow keys have it, here or in a plot that is linked.
  const bool by_mouse = hovered && s.has_axes() && contains(s.geometry.plot, s.mouse);
  const bool here = by_mouse || (s.by_keys && s.has_axes());
  s.crosshair.reset();
  if (here) {
    s.crosshair = s.by_keys ? *s.by_keys : s.geometry.to_data(s.mouse);
    if (link != nullptr) {
      link->crosshair_x = s.crosshair->x;
      link->crosshair_y = s.crosshair->y;
    }
  } else if (link != nullptr && s.has_crosshair) {
    link->crosshair_x.reset();
    link->crosshair_y.reset();
  } else if (link != nullptr && link->crosshair_x && link->crosshair_y && s.has_axes()) {
    s.crosshair = position{*link->crosshair_x, *link->crosshair_y};
  }
  s.has_crosshair = here;
  s.readings.clear();
  if (s.crosshair) s.readings = workbook::readings_at(*s.shown, {*s.crosshair, s.view, s.geometry, s.data});
  if (s.doing == state::gesture::choose_box && s.has_axes() && ImGui::IsMouseDragging(ImGuiMouseButton_Right))
    s.paint_box(list, look);
  else if (s.crosshair && s.doing == state::gesture::none)
    s.paint_crosshair(list, look, *s.crosshair, size);
  s.paint_message(list, look, size);
  if (focused && ImGui::GetIO().NavVisible)  // thicker where the plot is entered and keys are for it
    list.AddRect(s.corner, {s.corner.x + size.x, s.corner.y + size.y}, look.accent, look.px(4), 0,
                 look.px(s.entered ? 3 : 1.5f));
  list.PopClipRect();
  s.menu();
  if (const auto file = s.place.draw(look)) s.save(*file);
  ImGui::PopID();
}

}  // namespace viewer
