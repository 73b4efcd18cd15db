#include "viewer/pages/class_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "assessments/grader/verdict/speed_statistics.h"
#include "viewer/widgets.h"
#include "workbook/number_text.h"

namespace viewer {
namespace {

constexpr std::size_t tenths = 10;

using grader::graded_submission;

workbook::xy_plot plot_of(const std::vector<graded_submission>& submissions) {
  const std::vector<std::size_t> counts = class_view::distribution(submissions);
  const double width = grader::possible_points(submissions) / tenths;
  std::vector<double> middles, values;
  for (std::size_t k = 0; k < tenths; ++k) {
    middles.push_back(width * (static_cast<double>(k) + 0.5));
    values.push_back(static_cast<double>(counts[k]));
  }
  workbook::xy_plot plot{.title = "Points of the class",
                         .x = {.label = "points", .min = 0, .max = width * tenths},
                         .y = {.label = "submissions", .min = 0, .whole = true}};
  plot.series.push_back({.x = middles, .y = values, .style = workbook::drawn_as::bins});
  return plot;
}

std::string first_mishap(const grader::verdict& v) {
  if (v.mishaps.empty()) return "";
  std::string text = v.mishaps[0].text;
  std::ranges::replace(text, '\n', ' ');
  return text;
}

void number_cell(const std::string& shown) {
  const float gap = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(shown.c_str()).x;
  if (gap > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gap);
  unformatted(shown);
}

enum sort_key : ImGuiID { by_name, by_result, by_points, by_mishap };

}  // namespace

class_view::class_view(std::vector<graded_submission> submissions) : submissions_(std::move(submissions)) {
  if (grader::possible_points(submissions_) > 0)
    distribution_.emplace(std::make_shared<const workbook::plot>(plot_of(submissions_)));
}

std::vector<std::size_t> class_view::distribution(const std::vector<graded_submission>& submissions) {
  std::vector<std::size_t> counts(tenths);
  const double possible = grader::possible_points(submissions);
  for (const double points : grader::comparable_points(submissions)) {
    const double tenth = std::floor(points / possible * tenths);
    ++counts[static_cast<std::size_t>(std::clamp(tenth, 0.0, tenths - 1.0))];
  }
  return counts;
}

void class_view::draw_summary(const theme& look) const {
  const auto passed = std::ranges::count_if(submissions_, [](const auto& s) { return s.result.passed; });
  const std::vector<double> points = grader::comparable_points(submissions_);
  std::string summary = fmt::format("{} of {} passed", passed, submissions_.size());
  if (!points.empty())
    summary += fmt::format("; the median is {} of {} points", workbook::significant(grader::median_of(points), 4),
                           workbook::significant(grader::possible_points(submissions_), 4));
  if (points.size() < submissions_.size()) summary += fmt::format(", of the {} that could be graded", points.size());
  text(look.bold, look.ink, summary + ".");
  if (std::ranges::any_of(submissions_, [](const auto& s) { return s.result.isolation == "not isolated"; }))
    text(look.text, look.bad, "Not isolated: these submissions had all of your rights.");
}

void class_view::sort_as_asked() {
  ImGuiTableSortSpecs* const asked = ImGui::TableGetSortSpecs();
  if (asked == nullptr || !asked->SpecsDirty || asked->SpecsCount == 0) return;
  const ImGuiTableColumnSortSpecs& by = asked->Specs[0];
  const auto before = [&](const graded_submission& a, const graded_submission& b) {
    switch (by.ColumnUserID) {
      case by_result:
        return a.result.passed < b.result.passed;
      case by_points:
        return a.result.points < b.result.points;
      case by_mishap:
        return first_mishap(a.result) < first_mishap(b.result);
      default:
        return a.name < b.name;
    }
  };
  std::ranges::stable_sort(submissions_, [&](const auto& a, const auto& b) {
    return by.SortDirection == ImGuiSortDirection_Descending ? before(b, a) : before(a, b);
  });
  asked->SpecsDirty = false;
}

const graded_submission* class_view::draw(const theme& look) {
  if (submissions_.empty()) {
    note(look, "There are no submissions in this folder: C++ files, or folders that hold one each.");
    return nullptr;
  }
  draw_summary(look);
  const float width = ImGui::GetContentRegionAvail().x;
  if (distribution_) distribution_->draw("##distribution", {std::min(width, look.px(560)), look.px(220)}, look);
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_Sortable | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable("class", 4, flags)) return nullptr;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_DefaultSort | ImGuiTableColumnFlags_WidthStretch, 2, by_name);
  ImGui::TableSetupColumn("result", ImGuiTableColumnFlags_WidthFixed, look.px(100), by_result);
  ImGui::TableSetupColumn("points", ImGuiTableColumnFlags_WidthFixed, look.px(70), by_points);
  ImGui::TableSetupColumn("what went wrong first", ImGuiTableColumnFlags_WidthStretch, 4, by_mishap);
  ImGui::TableHeadersRow();
  sort_as_asked();
  const graded_submission* pressed = nullptr;
  for (std::size_t k = 0; k < submissions_.size(); ++k) {
    const auto& [shown, v] = submissions_[k];
    ImGui::TableNextColumn();
    if (ImGui::Selectable(item_name(shown, k).c_str(), false, ImGuiSelectableFlags_SpanAllColumns))
      pressed = &submissions_[k];
    ImGui::TableNextColumn();
    text(look.text, v.passed ? look.good : look.bad, v.passed ? "✓ passed" : "✗ not yet");
    ImGui::TableNextColumn();
    number_cell(workbook::significant(v.points, 4));
    ImGui::TableNextColumn();
    text(look.text, look.ink, first_mishap(v));
  }
  ImGui::EndTable();
  return pressed;
}

}  // namespace viewer
