#include "viewer/pages/simulation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "runtime/gs.h"
#include "viewer/keys.h"
#include "viewer/parameter_widget.h"
#include "viewer/widgets.h"
#include "workbook/catalogue.h"
#include "workbook/number_text.h"

namespace viewer {
namespace {

using workbook::heat_map;

struct speed {
  const char* name;
  double frames_per_second;
};
constexpr speed speeds[] = {{"as fast as it goes", 0},
                            {"30 frames a second", 30},
                            {"10 frames a second", 10},
                            {"2 frames a second", 2},
                            {"1 frame a second", 1}};

constexpr int most_iterations = 1000;
constexpr std::size_t longest_history = 4096;
constexpr double blown_up = 1000;   // times as large as at the beginning
constexpr float roomy = 760;        // points; in less, widgets are narrower and plots lower
constexpr double noticeable = 0.5;  // seconds of work after which the page mentions it

// "26 size=1000": a lesson, and values for its parameters.
std::pair<std::string, std::map<std::string, std::string>> read_wish(const std::string& text) {
  std::istringstream words(text);
  std::pair<std::string, std::map<std::string, std::string>> wish;
  words >> wish.first;
  for (std::string word; words >> word;)
    if (const auto sign = word.find('='); sign != word.npos) wish.second[word.substr(0, sign)] = word.substr(sign + 1);
  return wish;
}

const heat_map* map_of(const workbook::plot& p) { return std::get_if<heat_map>(&p); }

// Which of n rows or columns lies at a place of an axis, whose range is 0 to n unless it says otherwise.
std::size_t cell_at(double at, const workbook::axis& a, std::size_t n) {
  const double low = a.min.value_or(0), high = a.max.value_or(static_cast<double>(n));
  const double cell = std::floor((at - low) / (high - low) * static_cast<double>(n));
  return static_cast<std::size_t>(std::clamp(cell, 0.0, static_cast<double>(n - 1)));
}

std::string shown_name(const simulated_lesson& l) { return fmt::format("{:02} {}", l.number, l.name); }

auto find_lesson(const std::vector<simulated_lesson>& lessons, const std::string& name) {
  return std::ranges::find_if(lessons, [&](const auto& l) { return workbook::means_lesson(name, l.number, l.name); });
}

// A plot with one line; the widget is made when there is something to show.
void put(std::optional<plot_widget>& widget, workbook::xy_plot shown) {
  auto plot = std::make_shared<const workbook::plot>(std::move(shown));
  if (widget)
    widget->set(std::move(plot));
  else
    widget.emplace(std::move(plot));
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", 1e6 * seconds);
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

}  // namespace

// Nothing for a moment that is drawn again. In a long run, every other moment is dropped each time the memory is full.
void simulation_page::history::add(const simulation_frame& f) {
  if (!steps.empty() && steps.back() == static_cast<double>(f.steps)) return;
  if (steps.size() >= longest_history)
    for (auto* values : {&steps, &totals, &milliseconds}) {
      std::size_t used = 0;
      for (std::size_t i = 0; i < values->size(); i += 2) (*values)[used++] = (*values)[i];
      values->resize(used);
    }
  steps.push_back(static_cast<double>(f.steps));
  totals.push_back(f.total);
  milliseconds.push_back(1e3 * f.step_seconds);
}

bool simulation_page::moving() const { return runner_ && runner_->working_for() > noticeable; }

bool simulation_page::busy() const {
  if (!runner_ || !runner_->failure().empty()) return !runner_;
  const auto lessons = runner_->lessons();
  if (runner_->busy() || !lessons) return true;
  if (recording_ && recording_stops_ && !recording_->state().ended) return true;
  const bool frame_to_come = lesson_ ? !frame_ : refusal_.empty();
  return !lessons->empty() && (!subject_.empty() || frame_to_come);
}

void simulation_page::go_on() {
  if (runner_) runner_->step(static_cast<std::size_t>(iterations_));
}

void simulation_page::start(context& c) {
  runner_ = std::make_unique<simulation_runner>(c.wake);
  runner_->look_for(c.build / "lessons");
  iterations_ =
      static_cast<int>(std::clamp(c.remembered.number("simulation.iterations", 10), 1.0, most_iterations * 1.0));
  speed_ =
      static_cast<std::size_t>(std::clamp(c.remembered.number("simulation.speed", 0), 0.0, std::size(speeds) - 1.0));
  along_a_row_ = c.remembered.text("simulation.profile", "row") == "row";
  for_all_times_ = c.remembered.text("simulation.colours", "all times") == "all times";
  runner_->set_colours(for_all_times_);
  set_speed();
}

void simulation_page::set_speed() {
  runner_->set_speed(static_cast<std::size_t>(iterations_), speeds[speed_].frames_per_second);
}

void simulation_page::choose(context& c, simulated_lesson lesson, std::map<std::string, std::string> values) {
  lesson_ = std::move(lesson);
  refusal_.clear();
  values_ = std::move(values);
  errors_.clear();
  link_ = {};
  runner_->play(false);
  if (!c.own) c.remembered.set("simulation.lesson", lesson_->name);
  begin();
}

// A lesson that was asked for and has no simulation is never replaced by another without a word.
void simulation_page::show_what_is_asked_for(context& c, const std::vector<simulated_lesson>& lessons) {
  auto [name, values] = read_wish(std::exchange(subject_, {}));
  if (const auto steps = values.extract("steps_a_frame"); steps) {
    iterations_ = std::clamp(std::atoi(steps.mapped().c_str()), 1, most_iterations);
    set_speed();
  }
  const auto found = c.own ? lessons.begin() : find_lesson(lessons, name);
  if (found != lessons.end()) return choose(c, *found, values);
  refusal_ = fmt::format("Lesson {} has no simulation. Choose one that has.", name);
}

// The last one that was watched, if it is still there; else the latest in the course.
simulated_lesson simulation_page::lesson_to_begin_with(const context& c, const std::vector<simulated_lesson>& lessons) {
  const auto last = find_lesson(lessons, c.remembered.text("simulation.lesson"));
  return last != lessons.end() ? *last : lessons.back();
}

void simulation_page::begin() {
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(lesson_->module, failed);
  written_ = failed ? std::nullopt : std::optional(written);
  runner_->begin(lesson_->module, values_, device_);
}

// A lesson that has been built again is opened again, with the values that were chosen.
void simulation_page::look_after_the_module() {
  if (!lesson_ || ImGui::GetTime() < last_look_ + 0.5) return;
  last_look_ = ImGui::GetTime();
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(lesson_->module, failed);
  const bool finished = std::filesystem::file_time_type::clock::now() - written > std::chrono::milliseconds(300);
  if (!failed && written != written_ && finished) begin();
}

void simulation_page::take_frame() {
  if (recording_ && !recording_->has_room()) return;  // no frame is left out: the simulation waits
  auto next = runner_->take();
  if (!next) return;
  const bool anew = !frame_ || frame_->run != next->run;
  frame_ = std::move(next);
  if (anew) {
    stop_recording();
    history_ = {};
    lesson_->parameters = frame_->lesson.parameters;
    lesson_->title = frame_->lesson.title;
    values_ = frame_->values;
    errors_.clear();
    if (fields_.size() != frame_->fields.size()) fields_.clear();
    look_at_the_peak();
  }
  for (std::size_t k = 0; k < frame_->fields.size(); ++k)
    if (k >= fields_.size())
      fields_.emplace_back(frame_->fields[k]);
    else if (&fields_[k].shown() != frame_->fields[k].get())
      fields_[k].set(frame_->fields[k]);
  if (recording_) recording_->add(frame_);
  history_.add(*frame_);
  count_frame();
  update_history();
  update_profile();
}

// Frames a second, over the last second or so.
void simulation_page::count_frame() {
  const auto now = std::chrono::steady_clock::now();
  ++frames_counted_;
  const double since = std::chrono::duration<double>(now - counted_since_).count();
  if (since < 1) return;
  frames_per_second_ = since < 5 ? static_cast<double>(frames_counted_) / since : 0;
  frames_counted_ = 0;
  counted_since_ = now;
}

void simulation_page::update_history() {
  const workbook::axis steps{.label = "step", .min = 0, .max = std::max(history_.steps.back(), 1.0), .whole = true};
  workbook::axis sum{.label = "sum of the field"};
  // A total that only changes by rounding should look constant.
  const auto [least, greatest] = std::ranges::minmax(history_.totals);
  if (const double middle = (least + greatest) / 2; greatest - least < 0.01 * std::abs(middle)) {
    sum.min = middle - 0.01 * std::abs(middle);
    sum.max = middle + 0.01 * std::abs(middle);
  }
  put(total_, {.title = "Total", .x = steps, .y = sum, .series = {{.x = history_.steps, .y = history_.totals}}});
  put(time_, {.title = "Time of a step",
              .x = steps,
              .y = {.label = "time", .unit = "ms", .min = 0},
              .series = {{.x = history_.steps, .y = history_.milliseconds}}});
}

// The row and the column of the largest value: a place where there is something to see.
void simulation_page::look_at_the_peak() {
  row_ = column_ = {};
  const heat_map* main = frame_->fields.empty() ? nullptr : map_of(*frame_->fields[frame_->main_field]);
  if (main == nullptr || main->columns == 0) return;
  std::size_t peak = 0;
  for (std::size_t i = 1; i < main->values.size(); ++i)
    if (main->values[i] > main->values[peak]) peak = i;
  row_ = peak / main->columns;
  column_ = peak % main->columns;
}

void simulation_page::update_profile() {
  if (!frame_ || frame_->fields.empty()) return;
  const heat_map* main = map_of(*frame_->fields[frame_->main_field]);
  if (main == nullptr || main->rows == 0 || main->columns == 0) return;
  if (link_.crosshair_y) row_ = cell_at(*link_.crosshair_y, main->y, main->rows);
  if (link_.crosshair_x) column_ = cell_at(*link_.crosshair_x, main->x, main->columns);
  const std::size_t row = std::min(row_.value_or(main->rows / 2), main->rows - 1);
  const std::size_t column = std::min(column_.value_or(main->columns / 2), main->columns - 1);
  const std::size_t n = along_a_row_ ? main->columns : main->rows;

  workbook::xy_plot profile{.title = along_a_row_ ? fmt::format("Row {}", row) : fmt::format("Column {}", column),
                            .x = {.label = along_a_row_ ? "column" : "row", .whole = true},
                            .y = main->value};
  const auto add = [&](const heat_map& field, std::string name) {
    if (field.rows != main->rows || field.columns != main->columns) return;
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = static_cast<float>(field.values[along_a_row_ ? row * field.columns + i : i * field.columns + column]);
    profile.series.push_back(
        {.name = std::move(name), .x = workbook::samples::regular(0, 1, n), .y = std::move(values)});
  };
  if (frame_->main_field != 0)
    if (const heat_map* first = map_of(*frame_->fields[0])) add(*first, first->title);
  add(*main, "now");
  put(profile_, std::move(profile));
}

void simulation_page::obey_keys() {
  if (!frame_) return;
  if (pressed('P')) runner_->play(!runner_->playing());
  if (typed('.')) {
    runner_->play(false);
    runner_->step(1);
  }
  if (pressed('R')) begin();
}

void simulation_page::draw(context& c) {
  if (!runner_) start(c);
  const auto lessons = runner_->lessons();
  if (!lessons) {
    heading(c.look, "Simulation");
    return busy_sign(c.look, "Looking for lessons that simulate …");
  }
  if (lessons->empty()) {
    heading(c.look, "Simulation");
    if (c.own) return note(c.look, "This program has no simulation: its this_lesson() sets no .simulate.");
    return note(c.look,
                "No lesson that simulates has been built yet. ./gridstride view 26 builds diffusion and opens it.");
  }
  if (!subject_.empty())
    show_what_is_asked_for(c, *lessons);
  else if (!lesson_ && refusal_.empty())
    choose(c, lesson_to_begin_with(c, *lessons));
  if (!lesson_) {
    heading(c.look, "Simulation");
    text(c.look.text, c.look.warning, refusal_);
    return draw_lessons(c, *lessons);
  }
  look_after_the_module();
  take_frame();
  obey_keys();

  heading(c.look, lesson_->title);
  if (lessons->size() > 1) {
    ImGui::SameLine();
    draw_lessons(c, *lessons);
  }
  if (!refusal_.empty()) text(c.look.text, c.look.warning, refusal_);
  draw_controls(c);
  draw_parameters(c);
  std::string work;
  const double seconds = runner_->working_for(&work);
  if (seconds > noticeable) busy_sign(c.look, fmt::format("{} for {:.0f} s …", work, seconds));
  if (const auto failure = runner_->failure(); !failure.empty()) return text(c.look.text, c.look.bad, failure);
  if (!frame_) return;
  say_blow_up(c.look);
  draw_fields(c);
}

// The list of lessons that have a simulation.
void simulation_page::draw_lessons(context& c, const std::vector<simulated_lesson>& lessons) {
  std::vector<std::string> names{"choose one"};
  for (const auto& l : lessons) names.push_back(shown_name(l));
  const float width = width_of_list(names);
  if (ImGui::GetCursorPosX() + width > ImGui::GetContentRegionMax().x) ImGui::NewLine();  // behind a long title
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##lesson", lesson_ ? shown_name(*lesson_).c_str() : "choose one")) return;
  for (const auto& l : lessons)
    if (ImGui::Selectable(shown_name(l).c_str(), lesson_ && l.number == lesson_->number)) choose(c, l);
  ImGui::EndCombo();
}

void simulation_page::say_blow_up(const theme& look) const {
  const std::string cure = "Reset it with a smaller rate or step.";
  if (frame_->not_finite > 0)
    text(look.text, look.bad,
         fmt::format("The field has blown up: {} values are infinite or no numbers any more at step {}. {}",
                     workbook::grouped(static_cast<long long>(frame_->not_finite)), frame_->steps, cure));
  else if (frame_->growth > blown_up)
    text(look.text, look.bad,
         fmt::format("The field is blowing up: at step {} its largest value is {} times that of the beginning. {}",
                     frame_->steps, workbook::significant(frame_->growth, 2), cure));
}

void simulation_page::draw_controls(context& c) {
  const theme& look = c.look;
  const float right = ImGui::GetContentRegionMax().x;
  const auto next_to = [&](float width) {
    ImGui::SameLine();
    if (ImGui::GetCursorPosX() + look.px(width) > right) ImGui::NewLine();
  };
  const bool playing = runner_->playing();
  ImGui::BeginDisabled(!frame_);
  if (main_button(look, playing ? "Pause" : "Play")) runner_->play(!playing);
  tip("P");
  next_to(60);
  if (ImGui::Button("Step")) {
    runner_->play(false);
    runner_->step(1);
  }
  tip("One step: .");
  next_to(60);
  if (ImGui::Button("Reset")) begin();
  tip("From the beginning, with the values below: R");
  ImGui::EndDisabled();
  next_to(260);
  label(look, "steps a frame");
  ImGui::SetNextItemWidth(look.px(140));
  bool changed = ImGui::SliderInt("##steps", &iterations_, 1, most_iterations, "%d",
                                  ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  next_to(180);
  ImGui::SetNextItemWidth(look.px(180));
  if (ImGui::BeginCombo("##speed", speeds[speed_].name)) {
    for (std::size_t k = 0; k < std::size(speeds); ++k)
      if (ImGui::Selectable(speeds[k].name, k == speed_)) {
        speed_ = k;
        changed = true;
      }
    ImGui::EndCombo();
  }
  next_to(110);
  if (ImGui::Button(along_a_row_ ? "Profile: row" : "Profile: column")) {
    along_a_row_ = !along_a_row_;
    c.remembered.set("simulation.profile", along_a_row_ ? "row" : "column");
    profile_link_ = {};
    update_profile();
  }
  tip("The field along the row, or the column, under the crosshair");
  next_to(150);
  draw_colours(c);
  next_to(120);
  draw_recording(c);
  if (changed) {
    set_speed();
    c.remembered.set("simulation.iterations", iterations_);
    c.remembered.set("simulation.speed", static_cast<double>(speed_));
  }
}

void simulation_page::draw_colours(context& c) {
  if (ImGui::Button(for_all_times_ ? "Colours: all times" : "Colours: each time")) {
    for_all_times_ = !for_all_times_;
    c.remembered.set("simulation.colours", for_all_times_ ? "all times" : "each time");
    runner_->set_colours(for_all_times_);
  }
  tip("One scale of colours for all times, or the range of each time by itself");
}

// What has been recorded stays said until the next recording.
void simulation_page::draw_recording(context& c) {
  const bool records = recording_ && !recording_stops_ && !recording_->state().ended;
  ImGui::BeginDisabled(!frame_);
  if (ImGui::Button(records ? "Stop recording" : "Record …")) {
    if (records)
      stop_recording();
    else
      save_.ask(lesson_->name + ".gif", {".gif", ".png"});
  }
  tip("Each frame from now on: an animation (.gif), or numbered pictures (.png)");
  ImGui::EndDisabled();
  if (const auto file = save_.draw(c.look); file && frame_) {
    const double rate = speeds[speed_].frames_per_second > 0 ? speeds[speed_].frames_per_second : 20;
    recording_stops_ = false;
    recording_ = std::make_unique<simulation_recording>(
        simulation_recording::target{.file = *file, .seconds = 1 / rate, .look = look_of(c.look)}, c.wake);
    recording_->add(frame_);
  }
  if (!recording_) return;
  const auto now = recording_->state();
  const std::string frames = fmt::format("{} frame{}", now.frames, now.frames == 1 ? "" : "s");
  const std::string name =
      (recording_->file().extension() == ".gif" ? recording_->file() : numbered_picture(recording_->file(), 1))
          .string();
  if (!now.problem.empty())
    text(c.look.text, c.look.bad, now.problem);
  else if (now.ended)
    note(c.look, fmt::format("Recorded {}: {}", frames, name));
  else
    note(c.look, fmt::format("Recording {}: {} so far", name, frames));
}

void simulation_page::stop_recording() {
  if (!recording_ || recording_stops_) return;
  recording_stops_ = true;
  recording_->finish();
}

void simulation_page::draw_parameters(context& c) {
  const theme& look = c.look;
  const float right = ImGui::GetContentRegionMax().x;
  bool first = true;
  for (const auto& p : lesson_->parameters) {
    if (workbook::name_of(p) == "iterations") continue;  // here the reader decides when to stop
    const std::string& name = workbook::name_of(p);
    const float width = look.px(right > look.px(roomy) ? 200 : 150);
    if (!std::exchange(first, false)) {
      ImGui::SameLine();
      if (ImGui::GetCursorPosX() + width > right) ImGui::NewLine();
    }
    if (!edit(look, p, values_[name], errors_[name], width)) continue;
    if (std::holds_alternative<workbook::integer>(p))
      begin();  // with other arrays
    else
      runner_->change(values_);
  }
  if (!first) ImGui::SameLine();
  if (ImGui::GetCursorPosX() + look.px(165) > right) ImGui::NewLine();
  draw_device(c);
}

// The list of devices. One that isn't available is listed with the reason; choosing another starts the simulation
// again.
void simulation_page::draw_device(context& c) {
  label(c.look, "device");
  ImGui::SetNextItemWidth(c.look.px(110));
  ImGui::SetNextWindowSizeConstraints({c.look.px(320), 0}, {c.look.px(320), FLT_MAX});
  if (!ImGui::BeginCombo("##device", gs::to_string(gs::current_device()).c_str())) return tip(gs::device().name);
  for (const auto kind : {gs::device_kind::engine, gs::device_kind::cuda}) {
    const std::string missing = kind == gs::device_kind::cuda ? gs::why_no_cuda() : "";
    ImGui::BeginDisabled(!missing.empty());
    if (ImGui::Selectable(gs::to_string(kind).c_str(), kind == gs::current_device()) && kind != gs::current_device()) {
      device_ = kind;
      begin();
    }
    ImGui::EndDisabled();
    if (!missing.empty()) note(c.look, fmt::format("A GPU can't be chosen: {}.", missing));
  }
  note(c.look, "cpu and parallel are where ufuncs on host arrays run: ./gridstride run --target.");
  ImGui::EndCombo();
}

void simulation_page::draw_fields(context& c) {
  const theme& look = c.look;
  const float space = look.px(10), full_width = ImGui::GetContentRegionAvail().x;
  const float low = look.px(full_width > look.px(roomy) ? 190 : 150);  // of the lines below the fields
  const auto count = std::max<std::size_t>(fields_.size(), 1);
  const auto columns = std::clamp(static_cast<std::size_t>(full_width / look.px(205)), std::size_t{1}, count);
  const float width = std::floor((full_width - space * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  // A field keeps its shape; beside it stand ticks and the colour bar, which in a narrow picture lies below; above and
  // below it title and ticks.
  float shape = 1;
  if (const heat_map* map = frame_->fields.empty() ? nullptr : map_of(*frame_->fields[0]); map && map->columns > 0)
    shape = std::clamp(static_cast<float>(map->rows) / static_cast<float>(map->columns), 0.25f, 2.0f);
  const bool is_narrow = width < look.px(static_cast<float>(workbook::narrow_heat_map));
  float height = (width - look.px(is_narrow ? 50 : 118)) * shape + look.px(is_narrow ? 92 : 86);
  const float room = ImGui::GetContentRegionAvail().y - low - 2 * space;
  height = std::floor(std::clamp(height, look.px(150), std::max(room, look.px(210))));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {space, space});
  const auto crosshair = std::pair(link_.crosshair_x, link_.crosshair_y);
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    if (k % columns != 0) ImGui::SameLine();
    fields_[k].draw(fmt::format("##field{}", k).c_str(), {width, height}, look, &link_);
  }
  if (crosshair != std::pair(link_.crosshair_x, link_.crosshair_y)) update_profile();
  draw_lines(look, std::max(low, ImGui::GetContentRegionAvail().y));
  ImGui::PopStyleVar();

  c.status = fmt::format("Step {}", frame_->steps);
  if (std::isfinite(frame_->step_seconds)) c.status += fmt::format(" · {} a step", duration(frame_->step_seconds));
  if (runner_->playing() && frames_per_second_ > 0) c.status += fmt::format(" · {:.0f} frames/s", frames_per_second_);
}

void simulation_page::draw_lines(const theme& look, float height) {
  const float space = look.px(10), full_width = ImGui::GetContentRegionAvail().x;
  const auto columns = std::clamp(static_cast<std::size_t>(full_width / look.px(205)), std::size_t{1}, std::size_t{3});
  const float width = std::floor((full_width - space * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  height = std::min(height - ImGui::GetStyle().ItemSpacing.y, look.px(400));
  std::size_t k = 0;
  for (auto* widget : {&profile_, &total_, &time_}) {
    if (!*widget) continue;
    if (k % columns != 0) ImGui::SameLine();
    (*widget)->draw(fmt::format("##line{}", k++).c_str(), {width, height}, look,
                    widget == &profile_ ? &profile_link_ : &history_link_);
  }
}

}  // namespace viewer
