#include "viewer/pages/timings_page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "workbook/number_text.h"

namespace viewer {
namespace {

constexpr float list_width = 230, choice_width = 260;  // points

void say(const std::string& text, ImU32 ink) {
  ImGui::PushStyleColor(ImGuiCol_Text, ink);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

std::string name_of(const bench_run& r) {
  return fmt::format("{}  {}", r.date.substr(0, 16), r.commit.empty() ? r.file.stem().string() : r.commit);
}

double half_spread(const time_spread& s) { return (s.upper_quartile - s.lower_quartile) / 2; }

// The unit in which the largest of the times is at least 1.
struct time_unit {
  const char* name;
  double per_second;
};
time_unit unit_for(double seconds) {
  if (seconds >= 1) return {"s", 1};
  if (seconds >= 1e-3) return {"ms", 1e3};
  if (seconds >= 1e-6) return {"µs", 1e6};
  return {"ns", 1e9};
}

std::shared_ptr<const workbook::plot> bars_of(const bench_workload& w, const bench_workload* earlier) {
  double most = 0;
  for (const bench_entrant& e : w.entrants) most = std::max(most, e.seconds.median);
  const time_unit unit = unit_for(most);
  workbook::bar_plot plot{.title = w.text.empty() ? w.name : w.text,
                          .value = {.label = "time of a call", .unit = unit.name}};
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
  for (const bench_entrant& e : w.entrants)
    plot.categories.push_back(e.role == "ours" ? e.name : fmt::format("{}: {}", e.role, e.name));
  values(w, earlier != nullptr ? "this run" : "");
  if (earlier != nullptr) values(*earlier, "baseline");
  return std::make_shared<const workbook::plot>(std::move(plot));
}

}  // namespace

bool timings_page::busy() const {
  for (const auto* widget : {&bars_, &history_, &roof_})
    if (*widget && (*widget)->working()) return true;
  return false;
}

void timings_page::show(std::string_view what) { workload_ = what == "roofline" ? "" : what; }

const bench_run* timings_page::shown() const { return files_.runs.empty() ? nullptr : &files_.runs[run_]; }
const bench_run* timings_page::baseline() const { return baseline_ ? &files_.runs[*baseline_] : nullptr; }

void timings_page::load(context& c) {
  files_ = read_bench_files({c.root / "bench" / "results", c.my});
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
  for (const std::string& one : files_.unreadable) say(one, c.look.warning);
  const bench_run* run = shown();
  if (run == nullptr) {
    say("There are no results yet. ./gridstride bench --json > my/today.json measures this machine; it takes five "
        "minutes.",
        c.look.faint_ink);
    return;
  }
  ImGui::BeginChild("workloads", ImVec2(std::min(c.look.px(list_width), ImGui::GetContentRegionAvail().x / 3), 0));
  if (ImGui::Selectable("Roofline", workload_.empty())) workload_.clear();
  ImGui::Separator();
  for (const bench_workload& w : run->workloads)
    if (ImGui::Selectable(w.name.c_str(), workload_ == w.name)) workload_ = w.name;
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("workload", ImVec2(0, 0));
  const bench_workload* w = run->find(workload_);
  if (w != nullptr)
    draw_workload(*w, c);
  else
    draw_roofline(c);
  ImGui::EndChild();
}

void timings_page::draw_choice(context& c) {
  if (files_.runs.empty()) {
    if (ImGui::Button("Read again")) load(c);
    return;
  }
  ImGui::SetNextItemWidth(c.look.px(choice_width));
  if (ImGui::BeginCombo("run", name_of(files_.runs[run_]).c_str())) {
    for (std::size_t k = files_.runs.size(); k-- > 0;)
      if (ImGui::Selectable(fmt::format("{}##{}", name_of(files_.runs[k]), k).c_str(), k == run_)) {
        run_ = k;
        if (baseline_ == k) baseline_.reset();
      }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  ImGui::SetNextItemWidth(c.look.px(choice_width));
  if (ImGui::BeginCombo("baseline", baseline() != nullptr ? name_of(*baseline()).c_str() : "none")) {
    if (ImGui::Selectable("none", !baseline_)) baseline_.reset(), c.remembered.set("baseline", "");
    for (std::size_t k = files_.runs.size(); k-- > 0;)
      if (k != run_ && ImGui::Selectable(fmt::format("{}##{}", name_of(files_.runs[k]), k).c_str(), baseline_ == k)) {
        baseline_ = k;
        c.remembered.set("baseline", files_.runs[k].file.string());
      }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  if (ImGui::Button("Read again")) load(c);
  say(fmt::format("{}, {} cores", shown()->processor, shown()->cores), c.look.faint_ink);
}

void timings_page::draw_workload(const bench_workload& w, context& c) {
  const bench_workload* earlier = baseline() != nullptr ? baseline()->find(w.name) : nullptr;
  const std::string now = fmt::format("{} {} {}", w.name, run_, baseline_ ? std::to_string(*baseline_) : "");
  if (drawn_ != now) {
    bars_.emplace(bars_of(w, earlier));
    history_.reset();
    drawn_ = now;
  }
  if (!w.skipped.empty()) say(fmt::format("Left out: {}", w.skipped), c.look.warning);
  if (w.disturbed > 0.05)
    say(fmt::format("Other programs had {:.0f} % of the cores meanwhile: don't quote these.", 100 * w.disturbed),
        c.look.warning);
  const float width = std::min(ImGui::GetContentRegionAvail().x, c.look.px(800));
  bars_->draw("##bars", ImVec2(width, c.look.px(280)), c.look);
  if (ImGui::BeginTable(
          "entrants", 6,
          ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoHostExtendX)) {
    for (const char* head : {"", "time", "GB/s", "of limit", "x peer", "baseline"}) {
      ImGui::TableNextColumn();
      ImGui::PushStyleColor(ImGuiCol_Text, c.look.faint_ink);
      ImGui::TextUnformatted(head);  // wrapped, it would be as narrow as what stands below it
      ImGui::PopStyleColor();
    }
    for (const bench_entrant& e : w.entrants) {
      const auto cell = [&](const std::string& text) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(text.c_str());
      };
      cell(e.role == "ours" ? e.name : fmt::format("{}: {}", e.role, e.name));
      cell(fmt::format("{} ± {:.0f} %", to_text(workbook::seconds(e.seconds.median)),
                       e.seconds.median > 0 ? 100 * half_spread(e.seconds) / e.seconds.median : 0));
      cell(e.gigabytes_per_second ? workbook::significant(*e.gigabytes_per_second, 3) : "");
      cell(e.share_of_limit ? fmt::format("{:.0f} %", 100 * *e.share_of_limit) : "");
      cell(e.ratio ? fmt::format("{:.2f} [{:.2f}, {:.2f}]", *e.ratio, e.ratio_low.value_or(*e.ratio),
                                 e.ratio_high.value_or(*e.ratio))
                   : "");
      std::string change;
      if (earlier != nullptr)
        for (const bench_entrant& before : earlier->entrants)
          if (before.name == e.name) change = comparison_text(compare(before.seconds, e.seconds));
      cell(change);
    }
    ImGui::EndTable();
  }
  draw_history(w, c);
}

void timings_page::draw_history(const bench_workload& w, context& c) {
  if (!history_) {
    double most = 0;
    for (const bench_entrant& e : w.entrants) most = std::max(most, e.seconds.median);
    const time_unit unit = unit_for(most);
    workbook::xy_plot plot{
        .title = "Over the runs", .x = {.label = "run"}, .y = {.label = "time of a call", .unit = unit.name}};
    for (const bench_entrant& e : w.entrants) {
      if (e.role == "limit") continue;
      std::vector<double> x, y, spread;
      for (std::size_t k = 0; k < files_.runs.size(); ++k) {
        const bench_workload* then = files_.runs[k].find(w.name);
        if (then == nullptr) continue;
        for (const bench_entrant& one : then->entrants)
          if (one.name == e.name && one.seconds.median > 0) {
            x.push_back(static_cast<double>(k + 1));
            y.push_back(one.seconds.median * unit.per_second);
            spread.push_back(half_spread(one.seconds) * unit.per_second);
          }
      }
      plot.series.push_back(
          {.name = e.name, .x = x, .y = y, .spread = spread, .style = workbook::drawn_as::line_and_points});
    }
    history_.emplace(std::make_shared<const workbook::plot>(std::move(plot)));
  }
  if (files_.runs.size() > 1)
    history_->draw("##history", ImVec2(std::min(ImGui::GetContentRegionAvail().x, c.look.px(800)), c.look.px(240)),
                   c.look);
}

void timings_page::draw_roofline(context& c) {
  const std::string now = fmt::format("roofline {}", run_);
  if (drawn_ != now) {
    points_ = roofline_of(*shown());
    roof_.emplace(std::make_shared<const workbook::plot>(roofline_plot(points_)));
    drawn_ = now;
  }
  roof_->draw("##roofline", ImVec2(std::min(ImGui::GetContentRegionAvail().x, c.look.px(800)), c.look.px(360)), c.look);
  for (const roofline_point& p : points_.points)
    say(bound_text(points_, p), above_roof(points_, p) ? c.look.bad : c.look.ink);
}

}  // namespace viewer
