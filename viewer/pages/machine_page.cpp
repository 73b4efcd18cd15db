#include "viewer/pages/machine_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/error.h"
#include "viewer/widgets.h"

namespace viewer {
namespace {

void draw_costs(const theme& look, const machine_facts& facts) {
  const card frame(look, ImGui::GetContentRegionAvail().x);
  if (facts.costs.empty()) {
    text(look.bold, look.good, "✓  Nothing is missing");
    return;
  }
  text(look.bold, look.ink, "What is missing, and what that costs");
  for (const std::string& cost : facts.costs) {
    text(look.text, look.warning, "•");
    ImGui::SameLine();
    text(look.text, look.ink, cost);
  }
}

void draw_group(const theme& look, const machine_facts::group& group, float width) {
  const card frame(look, width);
  text(look.bold, look.ink, group.title);
  const float begin = ImGui::GetCursorPosX();
  for (const auto& [name, value] : group.lines) {
    note(look, name);
    ImGui::SameLine();
    ImGui::SetCursorPosX(begin + look.px(104));
    text(look.text, look.ink, value);
  }
}

// Cards side by side in columns, each column filled from the top: the next card goes where there is most room.
void draw_groups(const theme& look, const machine_facts& facts) {
  const float space = look.px(14), room = ImGui::GetContentRegionAvail().x;
  const auto columns = static_cast<std::size_t>(std::clamp(room / look.px(380), 1.0f, 2.0f));
  const float width = (room - space * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const ImVec2 begin = ImGui::GetCursorPos();
  std::vector<float> bottoms(columns, begin.y);
  for (const auto& group : facts.groups) {
    const auto shortest = std::ranges::min_element(bottoms);
    const auto column = static_cast<float>(shortest - bottoms.begin());
    ImGui::SetCursorPos({begin.x + column * (width + space), *shortest});
    draw_group(look, group, width);
    *shortest = ImGui::GetCursorPosY() + space - ImGui::GetStyle().ItemSpacing.y;
  }
  ImGui::SetCursorPos({begin.x, *std::ranges::max_element(bottoms)});
}

std::string_view meaning_of(std::string_view group) {
  if (group == "core") return "for everything";
  if (group == "view") return "for this window";
  if (group == "test") return "for the tests";
  if (group == "bench") return "for the benchmarks";
  if (group == "grade") return "for the assessments";
  if (group == "ci") return "for the format check";
  return group;
}

void draw_packages(const theme& look, const machine_facts& facts) {
  const card frame(look, ImGui::GetContentRegionAvail().x);
  const auto there = std::ranges::count(facts.packages, std::optional(true), &machine_facts::package::installed);
  text(look.bold, look.ink, "Packages");
  ImGui::SameLine();
  note(look, fmt::format("{} of {} installed", there, facts.packages.size()));
  const bool wide = frame.inner_width() > look.px(640);
  if (!ImGui::BeginTable("packages", wide ? 4 : 2, ImGuiTableFlags_SizingFixedFit, {frame.inner_width(), 0})) return;
  ImGui::TableSetupColumn("sign", ImGuiTableColumnFlags_WidthFixed, look.px(18));
  ImGui::TableSetupColumn("name", wide ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch);
  if (wide) {
    ImGui::TableSetupColumn("group", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("why", ImGuiTableColumnFlags_WidthStretch);
  }
  auto packages = facts.packages;
  std::ranges::stable_partition(packages, [](const auto& p) { return p.installed == false; });
  for (const auto& p : packages) {
    const bool missing = p.installed == false;
    ImGui::TableNextColumn();
    text(look.text,
         missing       ? look.bad
         : p.installed ? look.good
                       : look.faint_ink,
         missing       ? "✗"
         : p.installed ? "✓"
                       : "?");
    ImGui::TableNextColumn();
    text(look.code, look.ink, p.name);
    if (!wide) {
      if (missing) text(look.text, look.bad, p.cost);
      continue;
    }
    ImGui::TableNextColumn();
    note(look, meaning_of(p.group));
    ImGui::TableNextColumn();
    text(look.text, missing ? look.bad : look.faint_ink, missing ? p.cost : p.why);
  }
  ImGui::EndTable();
}

}  // namespace

void machine_page::ask(context& c) {
  facts_.reset();
  failure_.clear();
  doctor_ = std::make_unique<child_process>(
      std::vector<std::string>{(c.checkout / "gridstride").string(), "doctor", "--json"}, c.wake);
}

void machine_page::listen() {
  if (!doctor_ || !doctor_->ended()) return;
  try {
    if (doctor_->status() != 0)
      throw gs::error("./gridstride doctor",
                      fmt::format("it ended with status {}: {}", doctor_->status(), doctor_->errors()),
                      "run it in a terminal");
    facts_ = read_machine_facts(doctor_->output());
  } catch (const gs::error& e) {
    failure_ = e.what();
  }
  doctor_.reset();
}

void machine_page::draw(context& c) {
  if (busy() && !doctor_) ask(c);
  listen();
  heading(c.look, "This machine");
  if (busy()) {
    busy_sign(c.look, "Asking doctor what there is …");
    return;
  }
  const char* again = "Look again";
  const float width = ImGui::CalcTextSize(again).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(std::max(ImGui::GetContentRegionMax().x - width, c.look.px(200)));
  if (ImGui::Button(again)) return ask(c);
  if (!failure_.empty()) return text(c.look.text, c.look.bad, failure_);
  const float space = c.look.px(14) - ImGui::GetStyle().ItemSpacing.y;
  draw_costs(c.look, *facts_);
  ImGui::Dummy({0, space - ImGui::GetStyle().ItemSpacing.y});
  draw_groups(c.look, *facts_);
  draw_packages(c.look, *facts_);
}

}  // namespace viewer
