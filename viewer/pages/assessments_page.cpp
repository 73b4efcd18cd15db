#include "viewer/pages/assessments_page.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "assessments/grader/verdict/record.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "runtime/core/error.h"
#include "viewer/text/file_text.h"
#include "viewer/widgets.h"
#include "workbook/number_text.h"

namespace viewer {
namespace {

namespace fs = std::filesystem;

constexpr float one_column = 900;  // points; below, the task's text stands under what was graded

ImU32 colour_of(grader::criterion_state s, const theme& look) {
  switch (s) {
    case grader::criterion_state::passed:
      return look.good;
    case grader::criterion_state::partly:
      return look.warning;
    case grader::criterion_state::failed:
      return look.bad;
    case grader::criterion_state::not_run:
      break;
  }
  return look.faint_ink;
}

const char* sign_of(grader::criterion_state s) {
  switch (s) {
    case grader::criterion_state::passed:
      return "✓";
    case grader::criterion_state::partly:
      return "±";
    case grader::criterion_state::failed:
      return "✗";
    case grader::criterion_state::not_run:
      break;
  }
  return "-";
}

// A bar of points reached over points possible.
void draw_points(const theme& look, double points, double possible, ImU32 colour, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = look.px(8), y = at.y + (ImGui::GetTextLineHeight() - height) / 2;
  const float part = possible > 0 ? static_cast<float>(std::clamp(points / possible, 0.0, 1.0)) : 0;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + width, y + height), look.line, height / 2);
  if (part > 0)
    draw.AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + std::max(height, part * width), y + height), colour, height / 2);
  ImGui::Dummy(ImVec2(width, ImGui::GetTextLineHeight()));
}

std::string points_text(double points, double possible) {
  return fmt::format("{} of {}", workbook::significant(points, 3), workbook::significant(possible, 3));
}

std::string place_text(const std::vector<std::size_t>& index) { return fmt::format("({})", fmt::join(index, ", ")); }

void draw_mishap(const theme& look, const grader::mishap& m) {
  const card frame(look, ImGui::GetContentRegionAvail().x);
  std::string head = to_string(m.kind);
  if (m.place.line > 0) head += fmt::format(", line {}", m.place.line);
  if (m.other_place.line > 0) head += fmt::format(" and line {}", m.other_place.line);
  text(look.bold, look.bad, head);
  text(look.text, look.ink, m.text);
  if (!m.call.empty()) note(look, m.call);
  if (m.expected && m.got) {
    const std::string place =
        m.extents.empty() ? "" : fmt::format("{} of shape {}", place_text(m.index), place_text(m.extents));
    text(look.text, look.ink, m.array + place);
    text(look.code, look.ink,
         fmt::format("expected    {:.9g}\ngot         {:.9g}\ndifference  {:.3g}", *m.expected, *m.got,
                     *m.got - *m.expected));
    if (m.wrong > 1)
      note(look, fmt::format("{} elements are wrong", workbook::grouped(static_cast<long long>(m.wrong))));
  }
  if (!m.details.empty()) text(look.code, look.faint_ink, m.details);
}

}  // namespace

void assessments_page::load(context& c) {
  loaded_ = true;
  problem_.clear();
  grades_ = std::make_unique<file_watch>(
      [grades = c.my / "grades"] { return std::vector{grades, grader::history_file(grades)}; }, c.wake);
  try {
    tasks_ = grader::all_tasks();
  } catch (const std::exception& e) {
    problem_ = e.what();
  }
  read_grades(c);
  if (!tasks_.empty()) choose(tasks_[std::min(task_, tasks_.size() - 1)], c);
}

void assessments_page::read_grades(context& c) {
  try {
    attempts_ = grader::history_of_grades(c.my / "grades");
    record_ = grader::kept_grades(c.my / "grades");
  } catch (const gs::error& e) {
    if (problem_.empty()) problem_ = e.what();
  }
}

void assessments_page::choose(const grader::task& t, context& c) {
  task_ = static_cast<std::size_t>(&t - tasks_.data());
  file_ = (c.my / (t.name + ".cpp")).string();
  text_ = markdown_view(shown_text_of_file(t.folder / "README.md"), t.folder);
  const auto grade = record_.find(t.id);
  verdict_ = grade != record_.end() ? std::optional(grade->second) : std::nullopt;
  class_.reset();
  update_history();
}

void assessments_page::draw(context& c) {
  if (!loaded_) load(c);
  if (!subject_.empty()) {
    const std::size_t blank = std::min(subject_.find(' '), subject_.size());
    const auto found = std::ranges::find(tasks_, subject_.substr(0, blank), &grader::task::id);
    if (found != tasks_.end()) {
      choose(*found, c);
      if (blank < subject_.size()) {
        file_ = subject_.substr(blank + 1);
        grade(c);
      }
    } else {
      c.status = fmt::format("There is no assessment '{}'.", subject_);
    }
    subject_.clear();
  }
  take_results(c);
  look_after_grades(c);
  if (!problem_.empty()) text(c.look.text, c.look.bad, problem_);
  if (tasks_.empty()) return;
  draw_tasks(c);
  const float room = ImGui::GetContentRegionAvail().x;
  if (room > c.look.px(one_column)) {
    const float half = (room - c.look.px(12)) / 2;
    ImGui::BeginChild("text", ImVec2(half, 0), false, ImGuiWindowFlags_NavFlattened);
    draw_text(c);
    ImGui::EndChild();
    ImGui::SameLine(0, c.look.px(12));
    ImGui::BeginChild("task", ImVec2(0, 0), false, ImGuiWindowFlags_NavFlattened);
    draw_task(c);
    ImGui::EndChild();
  } else {
    ImGui::BeginChild("task", ImVec2(0, 0), false, ImGuiWindowFlags_NavFlattened);
    draw_task(c);
    draw_text(c);
    ImGui::EndChild();
  }
}

// The task's text.
void assessments_page::draw_text(context& c) {
  if (const std::string link = text_.draw(c.look, pictures_); !link.empty()) {
    ImGui::SetClipboardText(link.c_str());
    c.status = "In the clipboard: " + link;
  }
}

void assessments_page::draw_tasks(context& c) {
  for (const grader::task& t : tasks_) {
    const auto grade = record_.find(t.id);
    const bool passed = grade != record_.end();
    const std::string shown = fmt::format("{} {}  {}", passed ? "✓" : "-", t.id, t.name);
    const bool now = &t == &tasks_[task_];
    if (&t != &tasks_.front()) {
      ImGui::SameLine();
      const float width = ImGui::CalcTextSize(shown.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
      if (ImGui::GetCursorPosX() + width > ImGui::GetContentRegionMax().x) ImGui::NewLine();
    }
    ImGui::PushStyleColor(ImGuiCol_Button, now ? faded(c.look.accent, 0.2f) : c.look.surface);
    ImGui::PushStyleColor(ImGuiCol_Text, passed ? c.look.good : c.look.ink);
    if (ImGui::Button(fmt::format("{}###{}", shown, t.id).c_str())) choose(t, c);
    ImGui::PopStyleColor(2);
  }
}

void assessments_page::draw_task(context& c) {
  const grader::task& t = tasks_[task_];
  text(c.look.code, c.look.faint_ink, t.signature);
  label(c.look, "file");
  ImGui::SetNextItemWidth(std::min(c.look.px(420), ImGui::GetContentRegionAvail().x * 0.6f));
  ImGui::InputText("##file", &file_);
  tip("A folder is graded as a class: each file of C++ in it, and each folder that holds one.");
  ImGui::SameLine();
  std::error_code none;
  if (grading_) {
    if (ImGui::Button("Cancel")) grading_.reset();
  } else if (fs::exists(file_, none)) {
    if (main_button(c.look, fs::is_directory(file_, none) ? "Grade the class" : "Grade")) grade(c);
  } else if (ImGui::Button("Begin from the starter")) {
    // Copies the starter; an existing file is never overwritten.
    fs::create_directories(fs::path(file_).parent_path(), none);
    if (fs::copy_file(t.folder / "starter.cpp", file_, none))
      c.status = fmt::format("{} is yours to write; open it in your editor.", file_);
    else
      c.status = fmt::format("{} can't be written: {}", file_, none.message());
  }
  if (grading_) busy_sign(c.look, grading_->doing("grading: compiled and run apart from everything else"));
  if (class_) draw_class(c);
  if (verdict_) draw_verdict(c);
  if (class_) return;
  draw_history(c);
  draw_certificate(c);
}

void assessments_page::grade(context& c) {
  problem_.clear();
  verdict_.reset();
  class_.reset();
  grades_a_class_ = fs::is_directory(file_);
  grading_.emplace(
      std::vector<std::string>{(c.checkout / "gridstride").string(), "grade", tasks_[task_].id, file_, "--json"},
      c.wake);
}

void assessments_page::take_results(context& c) {
  if (grading_ && grading_->ended()) {
    try {
      if (grades_a_class_) {
        class_.emplace(grader::read_class(grading_->output(), tasks_[task_].id));
        c.status = "The class is graded.";
      } else {
        verdict_ = grader::read_verdict(grading_->output(), file_);
        c.status = verdict_->passed ? "Passed." : "Not passed.";
      }
    } catch (const gs::error&) {
      problem_ = grading_->errors().empty() ? fmt::format("grading ended with status {}", grading_->status())
                                            : grading_->errors();
    }
    grading_.reset();
    read_grades(c);
    update_history();
  }
  if (certifying_ && certifying_->ended()) {
    certificate_ = certifying_->output() + certifying_->errors();
    certifying_.reset();
  }
}

// Grades that were earned in a terminal meanwhile. A better grade of the visible task replaces the one shown.
void assessments_page::look_after_grades(context& c) {
  if (!grades_->take()) return;
  const auto before = std::exchange(record_, {});
  problem_.clear();
  read_grades(c);
  if (tasks_.empty() || grading_) return;
  update_history();
  if (class_) return;
  const auto now = record_.find(tasks_[task_].id);
  const auto then = before.find(tasks_[task_].id);
  if (now != record_.end() && (then == before.end() || then->second.graded != now->second.graded))
    verdict_ = now->second;
}

void assessments_page::draw_verdict(context& c) {
  const grader::verdict& v = *verdict_;
  ImGui::Dummy(ImVec2(0, c.look.px(6)));
  text(c.look.heading, v.passed ? c.look.good : c.look.bad,
       fmt::format("{}: {} points", v.passed ? "Passed" : "Not passed", points_text(v.points, v.possible)));
  note(c.look, fmt::format("{}, {}, {}, {}", v.file, v.graded, v.isolation, v.device));
  if (ImGui::BeginTable("criteria", 4, ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("criterion", ImGuiTableColumnFlags_WidthStretch, 3);
    ImGui::TableSetupColumn("bar", ImGuiTableColumnFlags_WidthFixed, c.look.px(90));
    ImGui::TableSetupColumn("points", ImGuiTableColumnFlags_WidthFixed, c.look.px(70));
    ImGui::TableSetupColumn("said", ImGuiTableColumnFlags_WidthStretch, 4);
    for (const grader::criterion_result& r : v.criteria) {
      const ImU32 colour = colour_of(r.state, c.look);
      ImGui::TableNextColumn();
      text(c.look.text, colour, fmt::format("{} {}", sign_of(r.state), r.title));
      ImGui::TableNextColumn();
      draw_points(c.look, r.points, r.possible, colour, c.look.px(86));
      ImGui::TableNextColumn();
      text(c.look.text, c.look.ink, points_text(r.points, r.possible));
      ImGui::TableNextColumn();
      text(c.look.text, c.look.ink, r.summary);
    }
    ImGui::EndTable();
  }
  for (const grader::speed_measurement& s : v.speed)
    text(c.look.text, s.graded ? c.look.ink : c.look.faint_ink,
         fmt::format("{}: {:.2f} times as fast as the baseline [{:.2f}, {:.2f}]{}", s.call, s.ratio, s.low, s.high,
                     s.graded ? "" : ", too noisy to be graded"));
  for (const grader::mishap& m : v.mishaps) draw_mishap(c.look, m);
  for (const std::string& n : v.notes) note(c.look, n);
}

void assessments_page::draw_class(context& c) {
  ImGui::Dummy(ImVec2(0, c.look.px(6)));
  if (const grader::graded_submission* pressed = class_->draw(c.look)) verdict_ = pressed->result;
}

// Attempts at another version of the task are others.
void assessments_page::update_history() {
  history_.reset();
  const grader::task& t = tasks_[task_];
  std::vector<double> numbers, shares;
  for (const grader::attempt& a : attempts_) {
    if (a.task_id != t.id || a.task_version != t.version || !(a.possible > 0)) continue;
    numbers.push_back(static_cast<double>(numbers.size() + 1));
    shares.push_back(100 * a.points / a.possible);
  }
  if (numbers.size() < 2) return;
  workbook::xy_plot plot{.title = "Grades so far",
                         .x = {.label = "attempt", .min = 0.5, .max = numbers.back() + 0.5, .whole = true},
                         .y = {.label = "points reached", .unit = "%", .min = 0, .max = 105}};
  plot.series.push_back(
      {.x = std::move(numbers), .y = std::move(shares), .style = workbook::drawn_as::line_and_points});
  history_.emplace(std::make_shared<const workbook::plot>(std::move(plot)));
}

void assessments_page::draw_history(context& c) {
  const grader::task& t = tasks_[task_];
  std::size_t count = 0;
  const grader::attempt *best = nullptr, *last = nullptr;
  for (const grader::attempt& a : attempts_) {
    if (a.task_id != t.id || a.task_version != t.version) continue;
    ++count;
    last = &a;
    if (best == nullptr || a.points > best->points) best = &a;
  }
  ImGui::Dummy(ImVec2(0, c.look.px(10)));
  heading(c.look, "History");
  if (count == 0) return note(c.look, "Each grading is noted here, by this window or by ./gridstride grade.");
  note(c.look, fmt::format("{} attempt{}; the best has {} points, the last, of {}, has {}.", count,
                           count == 1 ? "" : "s", points_text(best->points, best->possible),
                           last->graded.substr(0, last->graded.find('T')), points_text(last->points, last->possible)));
  if (history_)
    history_->draw("##history", {std::min(ImGui::GetContentRegionAvail().x, c.look.px(560)), c.look.px(220)}, c.look);
}

void assessments_page::draw_certificate(context& c) {
  const auto passed = std::ranges::count_if(tasks_, [&](const grader::task& t) { return record_.contains(t.id); });
  ImGui::Dummy(ImVec2(0, c.look.px(10)));
  heading(c.look, "Certificate");
  if (passed < std::ssize(tasks_)) {
    note(c.look,
         fmt::format("{} of {} assessments are passed; the certificate is for all of them.", passed, tasks_.size()));
    return;
  }
  ImGui::SetNextItemWidth(c.look.px(280));
  ImGui::InputTextWithHint("##name", "your name, as it is to stand there", &holder_);
  ImGui::SameLine();
  if (certifying_)
    busy_sign(c.look, "writing it");
  else if (ImGui::Button("Make the certificate") && !holder_.empty())
    certifying_.emplace(
        std::vector<std::string>{(c.checkout / "gridstride").string(), "certificate", "--name", holder_}, c.wake);
  if (!certificate_.empty()) text(c.look.text, c.look.ink, certificate_);
}

}  // namespace viewer
