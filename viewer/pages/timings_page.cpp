#include "viewer/pages/timings_page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viewer/timings/growth.h"
#include "viewer/timings/plotted_times.h"
#include "viewer/timings/scaling.h"
#include "viewer/widgets.h"
#include "workbook/number_text.h"

namespace viewer {
namespace {

constexpr float workloads_width = 230;  // points

void say(const std::string& text, ImU32 ink) {
  ImGui::PushStyleColor(ImGuiCol_Text, ink);
  ImGui::PushTextWrapPos(0);
  unformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

std::string name_of(const bench_run& r) {
  std::string date = r.date.substr(0, 16);
  if (date.size() > 10 && date[10] == 'T') date[10] = ' ';
  // Seven digits of a commit are enough to find it.
  const std::size_t dash = r.commit.find('-');
  return fmt::format("{}  {}{}", date,
                     r.commit.empty() ? r.file.stem().string() : r.commit.substr(0, std::min(dash, std::size_t{7})),
                     dash < r.commit.size() ? r.commit.substr(dash) : "");
}

double half_spread(const time_spread& s) { return (s.upper_quartile - s.lower_quartile) / 2; }

std::string time_text(const time_spread& s) {
  return fmt::format("{} ± {:.0f} %", to_text(workbook::seconds(s.median)),
                     s.median > 0 ? 100 * half_spread(s) / s.median : 0);
}

// A table's heading: a faint name above each column. If it wrapped, the column would be only as wide as its cells.
void table_head(std::initializer_list<const char*> names, const theme& look) {
  for (const char* name : names) {
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, look.faint_ink);
    ImGui::TextUnformatted(name);
    ImGui::PopStyleColor();
  }
}
void cell(const std::string& text) {
  ImGui::TableNextColumn();
  unformatted(text);
}
constexpr auto table_flags =
    ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoHostExtendX;

std::shared_ptr<const workbook::plot> bars_of(const bench_workload& w, const bench_workload* earlier) {
  double most = 0;
  for (const bench_entrant& e : w.entrants) most = std::max(most, e.seconds.median);
  const time_unit unit = unit_for(most);
  workbook::bar_plot plot{.title = w.text.empty() ? w.name : w.text,
                          .value = {.label = "time of a call", .unit = unit.name, .min = 0}};
  const auto values = [&](const bench_workload& from, const char* name) {
    std::vector<double> median, spread;
    for (const bench_entrant& e : w.entrants) {
      const auto found = std::ranges::find(from.entrants, e.name, &bench_entrant::name);
      const bool there = found != from.entrants.end() && found->seconds.median > 0;
      median.push_back(there ? found->seconds.median * unit.per_second : std::nan(""));
      spread.push_back(there ? half_spread(found->seconds) * unit.per_second : 0);
    }
    plot.groups.push_back({.name = name, .values = median, .spread = spread});
  };
  for (const bench_entrant& e : w.entrants) plot.categories.push_back(shown_name(e.name, e.role));
  values(w, earlier != nullptr ? "this run" : "");
  if (earlier != nullptr) values(*earlier, "baseline");
  return std::make_shared<const workbook::plot>(std::move(plot));
}

}  // namespace

bool timings_page::busy() const {
  for (const auto* widget : {&bars_, &history_, &growth_, &scaling_, &roof_})
    if (*widget && (*widget)->working()) return true;
  return false;
}

void timings_page::show(std::string_view subject) { workload_ = subject == "roofline" ? "" : subject; }

const bench_run* timings_page::shown() const { return files_.runs.empty() ? nullptr : &files_.runs[run_]; }
const bench_run* timings_page::baseline() const { return baseline_ ? &files_.runs[*baseline_] : nullptr; }

void timings_page::load(context& c) {
  files_ = read_bench_files({c.checkout / "bench" / "results", c.my});
  run_ = files_.runs.empty() ? 0 : files_.runs.size() - 1;
  baseline_.reset();
  const std::string pinned = c.remembered.text("baseline");
  for (std::size_t k = 0; k < files_.runs.size(); ++k)
    if (files_.runs[k].file.string() == pinned && k != run_) baseline_ = k;
  drawn_.clear();
  loaded_ = true;
}

void timings_page::draw(context& c) {
  if (!loaded_) load(c);
  draw_choice(c);
  for (const std::string& file : files_.unreadable) say(file, c.look.warning);
  const bench_run* run = shown();
  if (run == nullptr) {
    say("There are no results yet. ./gridstride bench --json > my/today.json measures this machine; it takes five "
        "minutes.",
        c.look.faint_ink);
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.look.px(6), c.look.px(6)));
  ImGui::BeginChild("workloads", ImVec2(std::min(c.look.px(workloads_width), ImGui::GetContentRegionAvail().x / 3), 0),
                    false, ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
  ImGui::PopStyleVar();
  if (ImGui::Selectable("Roofline", workload_.empty())) workload_.clear();
  ImGui::Separator();
  const std::vector<std::string> names = run->names();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (ImGui::Selectable(item_name(names[k], k).c_str(), workload_ == names[k])) workload_ = names[k];
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("workload", ImVec2(0, 0));
  if (std::ranges::find(names, workload_) != names.end())
    draw_workload(*run, c);
  else
    draw_roofline(c);
  ImGui::EndChild();
}

void timings_page::draw_choice(context& c) {
  if (files_.runs.empty()) {
    if (ImGui::Button("Read again")) load(c);
    return;
  }
  const float right = ImGui::GetContentRegionMax().x;
  const auto next_to = [&](float width) {
    ImGui::SameLine();
    if (ImGui::GetCursorPosX() + c.look.px(width) > right) ImGui::NewLine();
  };
  std::vector<std::string> names{"none"};
  for (const bench_run& r : files_.runs) names.push_back(name_of(r));
  label(c.look, "run");
  const float width = std::min(width_of_list(names), right - ImGui::GetCursorPosX());
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo("##run", name_of(files_.runs[run_]).c_str())) {
    for (std::size_t k = files_.runs.size(); k-- > 0;)
      if (ImGui::Selectable(item_name(name_of(files_.runs[k]), k).c_str(), k == run_)) {
        run_ = k;
        if (baseline_ == k) baseline_.reset();
      }
    ImGui::EndCombo();
  }
  next_to(width / c.look.scale + 80);
  label(c.look, "baseline");
  ImGui::SetNextItemWidth(std::min(width, right - ImGui::GetCursorPosX()));
  if (ImGui::BeginCombo("##baseline", baseline() != nullptr ? name_of(*baseline()).c_str() : "none")) {
    if (ImGui::Selectable("none", !baseline_)) baseline_.reset(), c.remembered.set("baseline", "");
    for (std::size_t k = files_.runs.size(); k-- > 0;)
      if (k != run_ && ImGui::Selectable(item_name(name_of(files_.runs[k]), k).c_str(), baseline_ == k)) {
        baseline_ = k;
        c.remembered.set("baseline", files_.runs[k].file.string());
      }
    ImGui::EndCombo();
  }
  next_to(110);
  if (ImGui::Button("Read again")) load(c);
  if (!shown()->processor.empty())
    say(fmt::format("{}, {} cores", shown()->processor, shown()->cores), c.look.faint_ink);
}

// Everything about the chosen workload.
void timings_page::draw_workload(const bench_run& run, context& c) {
  const std::string now = fmt::format("{} {} {}", workload_, run_, baseline_ ? std::to_string(*baseline_) : "");
  if (drawn_ != now) {
    for (auto* widget : {&bars_, &history_, &growth_, &scaling_}) widget->reset();
    drawn_ = now;
  }
  if (const bench_workload* w = run.find(workload_)) {
    draw_times(*w, c);
    draw_history(*w, c);
  }
  if (const bench_growth* g = run.growth_of(workload_)) draw_growth(*g, c);
  if (const bench_scaling* s = run.scaling_of(workload_)) draw_scaling(*s, c);
}

ImVec2 timings_page::plot_size(float height, const theme& look) {
  return {std::min(ImGui::GetContentRegionAvail().x, look.px(800)), look.px(height)};
}

void timings_page::draw_times(const bench_workload& w, context& c) {
  const bench_workload* earlier = baseline() != nullptr ? baseline()->find(w.name) : nullptr;
  if (!w.skipped.empty()) say(fmt::format("Left out: {}", w.skipped), c.look.warning);
  if (w.disturbed > 0.05)
    say(fmt::format("Other programs had {:.0f} % of the cores meanwhile: don't quote these.", 100 * w.disturbed),
        c.look.warning);
  if (!bars_) bars_.emplace(bars_of(w, earlier));
  bars_->draw("##bars", plot_size(280, c.look), c.look);
  if (!ImGui::BeginTable("entrants", earlier != nullptr ? 6 : 5, table_flags)) return;
  table_head({"", "time", "GB/s", "of limit", "x peer"}, c.look);
  if (earlier != nullptr) table_head({"beside the baseline"}, c.look);
  for (const bench_entrant& e : w.entrants) {
    cell(shown_name(e.name, e.role));
    cell(time_text(e.seconds));
    cell(e.gigabytes_per_second ? workbook::significant(*e.gigabytes_per_second, 3) : "");
    cell(e.share_of_limit ? fmt::format("{:.0f} %", 100 * *e.share_of_limit) : "");
    cell(e.ratio ? fmt::format("{:.2f} [{:.2f}, {:.2f}]", *e.ratio, e.ratio_low.value_or(*e.ratio),
                               e.ratio_high.value_or(*e.ratio))
                 : "");
    if (earlier == nullptr) continue;
    std::string change;
    for (const bench_entrant& before : earlier->entrants)
      if (before.name == e.name) change = comparison_text(compare(before.seconds, e.seconds));
    cell(change);
  }
  ImGui::EndTable();
}

void timings_page::draw_growth(const bench_growth& g, context& c) {
  if (!growth_) growth_.emplace(std::make_shared<const workbook::plot>(growth_plot(g)));
  growth_->draw("##growth", plot_size(300, c.look), c.look);
  for (const std::string& sentence : growth_sentences(g)) say(sentence, c.look.ink);
}

void timings_page::draw_scaling(const bench_scaling& s, context& c) {
  if (!s.skipped.empty()) say(fmt::format("Left out: {}", s.skipped), c.look.warning);
  if (s.entrants.empty()) return;
  if (!scaling_) scaling_.emplace(std::make_shared<const workbook::plot>(scaling_plot(s)));
  scaling_->draw("##scaling", plot_size(300, c.look), c.look);
  if (!ImGui::BeginTable("scaling", 5, table_flags)) return;
  table_head({"", "cores", "time", "speed-up", "efficiency"}, c.look);
  for (const bench_scaling::entrant& e : s.entrants)
    for (const bench_scaling::on_cores& k : e.on) {
      cell(&k == &e.on.front() ? shown_name(e.name, e.role) : "");
      cell(fmt::format("{:.0f}", k.cores));
      cell(time_text(k.seconds));
      cell(fmt::format("{:.2f} [{:.2f}, {:.2f}]", k.speedup, k.low.value_or(k.speedup), k.high.value_or(k.speedup)));
      cell(fmt::format("{:.0f} %", 100 * k.efficiency));
    }
  ImGui::EndTable();
}

void timings_page::draw_history(const bench_workload& w, context& c) {
  if (!history_) {
    double most = 0;
    for (const bench_entrant& e : w.entrants) most = std::max(most, e.seconds.median);
    const time_unit unit = unit_for(most);
    workbook::xy_plot plot{.title = "Over the runs",
                           .x = {.label = "run, the earliest first", .whole = true},
                           .y = {.label = "time of a call", .unit = unit.name}};
    for (const bench_entrant& e : w.entrants) {
      if (e.role == "limit") continue;
      std::vector<double> x, y, spread;
      for (std::size_t k = 0; k < files_.runs.size(); ++k) {
        const bench_workload* then = files_.runs[k].find(w.name);
        if (then == nullptr) continue;
        for (const bench_entrant& entrant : then->entrants)
          if (entrant.name == e.name && entrant.seconds.median > 0) {
            x.push_back(static_cast<double>(k + 1));
            y.push_back(entrant.seconds.median * unit.per_second);
            spread.push_back(half_spread(entrant.seconds) * unit.per_second);
          }
      }
      plot.series.push_back({.name = shown_name(e.name, e.role),
                             .x = x,
                             .y = y,
                             .spread = spread,
                             .style = workbook::drawn_as::line_and_points});
    }
    history_.emplace(std::make_shared<const workbook::plot>(std::move(plot)));
  }
  // One run is no history.
  const auto& lines = std::get<workbook::xy_plot>(history_->shown()).series;
  if (std::ranges::any_of(lines, [](const workbook::series& s) { return s.x.size() > 1; }))
    history_->draw("##history", plot_size(240, c.look), c.look);
}

void timings_page::draw_roofline(context& c) {
  const std::string now = fmt::format("roofline {}", run_);
  if (drawn_ != now) {
    points_ = roofline_of(*shown());
    roof_.emplace(std::make_shared<const workbook::plot>(roofline_plot(points_)));
    drawn_ = now;
  }
  roof_->draw("##roofline", plot_size(360, c.look), c.look);
  if (points_.points.empty()) say("No workload of this run has a place under this roof.", c.look.faint_ink);
  for (const roofline_point& p : points_.points)
    say(bound_text(points_, p), above_roof(points_, p) ? c.look.bad : c.look.ink);
}

}  // namespace viewer
