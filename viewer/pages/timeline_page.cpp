#include "viewer/pages/timeline_page.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/text_file.h"
#include "viewer/course/lesson_list.h"
#include "viewer/course/shown_course.h"
#include "viewer/widgets.h"
#include "workbook/timeline.h"

namespace viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_rows = 40;                            // of the table
constexpr std::uint64_t largest_file = std::uint64_t{64} << 20;  // bytes

bool names_a_file(const std::string& subject) { return subject.ends_with(".json"); }

}  // namespace

workbook::table times_by_work(const std::vector<gs::timeline_entry>& entries) {
  struct work {
    std::size_t count = 0;
    double seconds = 0, longest = 0;
    std::uint64_t bytes = 0;
  };
  std::map<std::pair<std::string, std::string>, work> works;
  double all = 0;
  for (const gs::timeline_entry& e : entries) {
    work& w = works[{to_string(e.kind), e.name}];
    const double seconds = e.stop - e.start;
    ++w.count;
    w.bytes += e.bytes;
    if (!std::isfinite(seconds)) continue;
    w.seconds += seconds;
    w.longest = std::max(w.longest, seconds);
    all += seconds;
  }
  std::vector<std::pair<std::pair<std::string, std::string>, work>> sorted(works.begin(), works.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& named) { return named.second.seconds; });
  workbook::table table{.title = "What took the time",
                        .columns = {{"work", ""},
                                    {"times", ""},
                                    {"together", ""},
                                    {"share", "%"},
                                    {"longest", ""},
                                    {"bytes", ""},
                                    {"speed", ""}},
                        .rows = {}};
  for (std::size_t k = 0; k < std::min(sorted.size(), most_rows); ++k) {
    const auto& [name, w] = sorted[k];
    const bool copies = w.bytes > 0;
    table.add_row({name.first == "launch" ? name.second : name.first, w.count, workbook::seconds(w.seconds),
                   all > 0 ? workbook::cell(100 * w.seconds / all) : workbook::cell(), workbook::seconds(w.longest),
                   copies ? workbook::cell(workbook::quantity{static_cast<double>(w.bytes), "B"}) : workbook::cell(),
                   copies && w.seconds > 0
                       ? workbook::cell(workbook::quantity{static_cast<double>(w.bytes) / w.seconds, "B/s"})
                       : workbook::cell()});
  }
  return table;
}

timeline_page::~timeline_page() { forget(); }  // while all members are there

bool timeline_page::busy() const { return run_ || !subject_.empty() || (plot_ && plot_->working()); }

// Ends the run first, which may still write the file.
void timeline_page::forget() {
  run_.reset();
  recorded_into_.reset();
}

fs::path timeline_page::recorded_file() const { return recorded_into_->path() / "timeline.json"; }

void timeline_page::choose(const workbook::catalogue_entry& entry) {
  lesson_ = entry;
  options_.clear();
  problem_.clear();
  output_.clear();
  shown_.reset();
  plot_.reset();
}

void timeline_page::show_what_is_asked_for(context& c) {
  const std::string subject = std::exchange(subject_, {});
  if (names_a_file(subject)) return open(subject);
  try {
    choose(lesson_of(subject, course_, c));
    options_ = options_in(subject);
    record(c);
  } catch (const gs::error& e) {
    c.status = e.what();
  }
}

void timeline_page::record(context& c) {
  forget();
  problem_.clear();
  output_.clear();
  shown_.reset();
  plot_.reset();
  try {
    recorded_into_ = std::make_unique<workshop::private_folder>();
    std::vector<std::string> options = options_;
    options.insert(options.end(), {"--timeline", recorded_file().string()});
    run_ = std::make_unique<lesson_run>(lesson_run::command{run_command(*lesson_, c), options}, c.wake);
  } catch (const gs::error& e) {
    problem_ = e.what();
  }
}

// A lesson whose checks failed has its timeline all the same.
void timeline_page::take_result() {
  if (!run_ || run_->running()) return;
  const run_state end = run_->state();
  if (end.stage == run_stage::finished) {
    open(recorded_file());
  } else {
    problem_ = end.message;
    output_ = end.output;
  }
  forget();
}

void timeline_page::open(const fs::path& file) {
  try {
    const std::string asked = "reading the timeline " + file.string();
    show_timeline(workbook::read_run_timeline(gs::detail::read_text_file(file, asked, largest_file), asked));
    problem_.clear();
  } catch (const gs::error& e) {
    problem_ = e.what();
  }
}

void timeline_page::show_timeline(workbook::run_timeline recorded) {
  shown_ = std::move(recorded);
  plot_.emplace(std::make_shared<const workbook::plot>(
      workbook::timeline::of(fmt::format("{} on {}", shown_->program, shown_->device), shown_->entries)));
  table_ = {std::make_shared<const workbook::item>(times_by_work(shown_->entries))};
}

void timeline_page::draw_choice(context& c) {
  if (c.own) {
    ImGui::AlignTextToFramePadding();
    text(c.look.bold, c.look.ink, lesson_->name);
  } else if (const auto* const pressed = draw_lesson_list(c.look, course_, lesson_)) {
    choose(*pressed);
  }
  if (run_) {
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) run_->cancel();
    ImGui::SameLine();
    busy_sign(c.look, "running and recording");
  } else {
    ImGui::SameLine();
    ImGui::BeginDisabled(!lesson_);
    if (main_button(c.look, "Record")) record(c);
    ImGui::EndDisabled();
    tip("Runs it and records what it does on the device");
  }
}

void timeline_page::draw_file(context& c) {
  label(c.look, "or a file");
  ImGui::SetNextItemWidth(std::max(std::min(c.look.px(420), ImGui::GetContentRegionAvail().x - c.look.px(90)), 32.0f));
  const bool entered =
      ImGui::InputTextWithHint("##file", "that --timeline has written", &file_, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  ImGui::BeginDisabled(file_.empty());
  const bool pressed = ImGui::Button("Open");
  ImGui::EndDisabled();
  if (entered || pressed) open(file_);
}

void timeline_page::draw_nothing_yet(context& c) const {
  if (lesson_)
    note(c.look, "Record runs it and shows what its streams did, and when: copies, launches and waits.");
  else
    note(c.look,
         "Choose a lesson and record it, to see what its streams did, and when: copies, launches and waits. Lesson 34 "
         "copies one piece while it works on another. Or open what ./gridstride run 34 --timeline FILE has written.");
}

void timeline_page::draw(context& c) {
  if (course_.empty()) course_ = shown_course(c);
  if (c.own && !lesson_) choose(lesson_of("", course_, c));
  if (!subject_.empty()) show_what_is_asked_for(c);
  take_result();
  draw_choice(c);
  draw_file(c);
  if (!problem_.empty()) text(c.look.text, c.look.bad, problem_);
  if (!output_.empty()) text(c.look.code, c.look.faint_ink, output_);
  if (!shown_) {
    if (!run_ && problem_.empty()) draw_nothing_yet(c);
    return;
  }
  if (shown_->entries.empty())
    return note(c.look, fmt::format("{} queued nothing on the device: there is nothing to show.", shown_->program));
  ImGui::BeginChild("recorded", ImVec2(0, 0), false, ImGuiWindowFlags_NavFlattened);
  // The rows have their usual height, as far as the axis below and the table stay in sight.
  const float height = std::min(c.look.px(static_cast<float>(size_of(plot_->shown()).height)),
                                std::max(0.7f * ImGui::GetContentRegionAvail().y, c.look.px(260)));
  plot_->draw("##timeline", ImVec2(ImGui::GetContentRegionAvail().x, height), c.look);
  table_view_.draw(table_, c.look);
  ImGui::EndChild();
  c.status = fmt::format("{} entries", shown_->entries.size());
}

}  // namespace viewer
