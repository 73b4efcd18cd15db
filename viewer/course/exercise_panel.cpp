#include "viewer/course/exercise_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/core/error.h"
#include "viewer/text/file_text.h"
#include "viewer/widgets.h"
#include "workbook/exercise/hints.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/marks.h"
#include "workbook/exercise/progress.h"
#include "workbook/json/read_json.h"

namespace viewer {
namespace {

namespace fs = std::filesystem;
using json = workbook::read_json_value;

int line_of(const json& place) { return place.is_object() ? place.value("line", 0) : 0; }

checked_exercise::finding read_finding(const json& from) {
  checked_exercise::finding f{.kind = from.at("finding"), .meaning = from.at("meaning"), .hint = from.at("hint")};
  f.line = line_of(from.at("place"));
  if (from.contains("other")) f.other_line = line_of(from["other"].at("place"));
  return f;
}

// A compiler's message, whose marks belong below characters of the source: nothing is wrapped.
void draw_messages(const std::string& messages, const theme& look) {
  ImGui::PushFont(look.code);
  const float height = ImGui::CalcTextSize(messages.c_str()).y + ImGui::GetStyle().ScrollbarSize;
  ImGui::BeginChild("messages", ImVec2(0, height), false, ImGuiWindowFlags_HorizontalScrollbar);
  unformatted(messages);
  ImGui::EndChild();
  ImGui::PopFont();
}

}  // namespace

checked_exercise read_checked_exercise(const std::string& document) {
  const auto refuse = [](const std::string& found) {
    throw gs::error("reading the result of a check", found, "run ./gridstride check to see it in a terminal");
  };
  const json from =
      workbook::read_json(document, "reading the result of a check", "run ./gridstride check to see it in a terminal");
  if (!from.is_object() || !from.contains("schema") || from["schema"] != "gridstride-exercise")
    refuse("it is no such document");
  try {
    checked_exercise r{.passed = from.at("passed"),
                       .outcome = from.at("outcome"),
                       .text = from.at("text"),
                       .messages = from.at("messages"),
                       .advice = from.at("advice"),
                       .output = from.at("output"),
                       .line = line_of(from.at("place")),
                       .asked = from.contains("asked") ? line_of(from["asked"]) : 0};
    for (const json& c : from.at("checks"))
      r.checks.push_back(
          {.name = c.at("name"), .expected = c.at("expected"), .got = c.at("got"), .passed = c.at("passed")});
    for (const json& f : from.at("findings")) r.findings.push_back(read_finding(f));
    return r;
  } catch (const json::exception& e) {
    refuse(e.what());
  }
  return {};
}

exercise_panel::exercise_panel(const workbook::catalogue_exercise& exercise, context& c)
    : exercise_(exercise), file_(c.my / (exercise.label() + ".cpp")) {
  const fs::path folder = c.root / "lessons" / exercise.folder();
  try {
    for (const workbook::hint& h : workbook::read_hints(text_of_file(folder / "hints.md"))) {
      headings_.push_back(h.heading);
      hints_.emplace_back(h.text, folder);
    }
    shown_hints_ =
        std::min<std::size_t>(workbook::read_progress(c.my / "progress.txt").of(exercise.id()).hints, hints_.size());
  } catch (const gs::error& e) {
    problem_ = e.what();
  }
  std::error_code none;
  if (fs::exists(file_, none)) begin(c);
}

// The learner's file, from the starter if there is none yet.
void exercise_panel::begin(context& c) {
  try {
    workbook::start(file_,
                    workbook::starter_of(text_of_file(c.root / "lessons" / exercise_.folder() / "solution.cpp")));
    workbook::change_progress(c.my / "progress.txt", [&](workbook::progress& p) {
      p.advance(exercise_.id(), exercise_.name, workbook::exercise_state::started, workbook::today());
    });
    source_ = source_view(file_);
    watch_ = std::make_unique<file_watch>(file_, c.wake);
  } catch (const gs::error& e) {
    problem_ = e.what();
  }
}

void exercise_panel::check(context& c) {
  problem_.clear();
  result_.reset();
  checking_.reset();  // what was being checked is out of date
  checking_.emplace(std::vector<std::string>{(c.checkout / "gridstride").string(), "check", exercise_.label(),
                                             file_.string(), "--json"},
                    c.wake);
}

void exercise_panel::take_result(context& c) {
  if (!checking_ || !checking_->ended()) return;
  try {
    result_ = read_checked_exercise(checking_->output());
    std::multimap<int, line_note> notes;
    if (result_->line > 0)
      notes.emplace(result_->line, line_note{gravity::error, result_->text.empty() ? result_->outcome : result_->text});
    for (const auto& f : result_->findings)
      for (const int line : {f.line, f.other_line})
        if (line > 0) notes.emplace(line, line_note{gravity::error, f.meaning});
    if (notes.empty() && result_->asked > 0)
      notes.emplace(result_->asked, line_note{gravity::remark, "This is what the first failed check asks for."});
    if (!notes.empty()) source_.go_to(notes.begin()->first);
    source_.set_notes(std::move(notes));
    c.status = result_->passed ? fmt::format("Exercise {} passes.", exercise_.label())
                               : fmt::format("Exercise {}: {}", exercise_.label(), result_->outcome);
  } catch (const gs::error& e) {
    problem_ = checking_->errors().empty() ? e.what() : checking_->errors();
  }
  checking_.reset();
}

void exercise_panel::draw(context& c, picture_store& pictures) {
  take_result(c);
  if (!watch_) {
    note(
        c.look,
        fmt::format("The exercise is a file of your own, {}. Open it in your editor; here it is checked on every save.",
                    file_.string()));
    if (main_button(c.look, "Begin")) begin(c);
    if (!problem_.empty()) text(c.look.text, c.look.bad, problem_);
    return;
  }
  if (watch_->take() && source_.reload_if_changed()) check(c);
  if (checking_) {
    if (ImGui::Button("Cancel check")) checking_.reset();
  } else if (main_button(c.look, "Check")) {
    check(c);
  }
  ImGui::SameLine();
  if (ImGui::Button("Copy path")) ImGui::SetClipboardText(file_.c_str());
  draw_result_and_hints(c, pictures);
  draw_file(c);
}

// They scroll by themselves where they would take more than half of the room: the file below them stays whole in the
// window, and so does the bar by which its long lines are scrolled.
void exercise_panel::draw_result_and_hints(context& c, picture_store& pictures) {
  const float most = std::max(ImGui::GetContentRegionAvail().y / 2, c.look.px(60));
  const bool scroll = upper_height_ > most;
  const float begin = scroll ? 0 : ImGui::GetCursorPosY();
  if (scroll) ImGui::BeginChild("result and hints", ImVec2(0, most), false, ImGuiWindowFlags_NavFlattened);
  if (checking_) busy_sign(c.look, checking_->doing("compiling and checking"));
  if (!problem_.empty()) text(c.look.text, c.look.bad, problem_);
  if (result_) draw_result(c);
  draw_hints(c, pictures);
  upper_height_ = ImGui::GetCursorPosY() - begin;
  if (scroll) ImGui::EndChild();
}

// The learner's file; or our solution, once theirs has passed.
void exercise_panel::draw_file(context& c) {
  if (result_ && result_->passed) {
    bool shown = solution_.has_value();
    if (ImGui::Checkbox("our solution", &shown)) {
      const std::string solution = shown_text_of_file(c.root / "lessons" / exercise_.folder() / "solution.cpp");
      solution_ = shown ? std::optional(source_view::of_text(workbook::shown_solution(solution))) : std::nullopt;
    }
  } else {
    solution_.reset();
  }
  const float left = std::max(ImGui::GetContentRegionAvail().y, c.look.px(120));
  (solution_ ? *solution_ : source_).draw("exercise", ImVec2(0, left), c.look);
}

void exercise_panel::draw_result(context& c) {
  const checked_exercise& r = *result_;
  const auto passed = std::ranges::count_if(r.checks, &checked_exercise::check::passed);
  std::string head = fmt::format("✓  Passed, {} check{}", passed, passed == 1 ? "" : "s");
  if (!r.passed) {
    head = fmt::format("✗  {}{}", r.outcome, r.line > 0 ? fmt::format(", line {}", r.line) : "");
    if (!r.checks.empty()) head += fmt::format("; {} of {} checks that ran passed", passed, r.checks.size());
  }
  text(c.look.bold, r.passed ? c.look.good : c.look.bad, head);
  if (!r.text.empty() && r.messages.empty())
    text(c.look.text, c.look.ink, r.text);  // a compiler's messages are shown below
  const auto failed = std::ranges::find(r.checks, false, &checked_exercise::check::passed);
  const auto draw_check = [&] {
    if (failed == r.checks.end()) return;
    text(c.look.text, c.look.ink, failed->name);
    if (!failed->expected.empty())
      text(c.look.code, c.look.ink, fmt::format("expected  {}\ngot       {}", failed->expected, failed->got));
    if (r.asked > 0) note(c.look, fmt::format("It asks for line {}.", r.asked));
  };
  const auto draw_finding = [&](const checked_exercise::finding& f) {
    text(c.look.text, c.look.bad,
         fmt::format("{}, line {}{}", in_words(f.kind), f.line,
                     f.other_line > 0 ? fmt::format(" and line {}", f.other_line) : ""));
    text(c.look.text, c.look.ink, f.meaning);
    if (!f.hint.empty()) note(c.look, f.hint);
  };
  // The first failure is shown; the later ones are mostly its consequences.
  const bool finding_first = r.outcome == "finding";
  if (!finding_first) draw_check();
  if (!r.findings.empty()) draw_finding(r.findings[0]);
  const std::size_t later =
      (r.findings.empty() ? 0 : r.findings.size() - 1) + (finding_first && failed != r.checks.end() ? 1 : 0);
  // ImGui would forget what is open when the result moves into a window of its own.
  if (later > 0) ImGui::SetNextItemOpen(later_is_open_);
  later_is_open_ = later > 0 && ImGui::TreeNode("later", "what came later (%zu)", later);
  if (later_is_open_) {
    for (std::size_t k = 1; k < r.findings.size(); ++k) draw_finding(r.findings[k]);
    if (finding_first) draw_check();
    ImGui::TreePop();
  }
  if (!r.messages.empty()) draw_messages(r.messages, c.look);
  if (!r.advice.empty()) text(c.look.text, c.look.accent, r.advice);
  if (!r.output.empty()) text(c.look.code, c.look.faint_ink, r.output);
}

void exercise_panel::draw_hints(context& c, picture_store& pictures) {
  for (std::size_t k = 0; k < shown_hints_; ++k) {
    text(c.look.bold, c.look.ink, headings_[k]);
    if (k + 1 == shown_hints_ && frames_to_new_hint_ > 0 && --frames_to_new_hint_ == 0) ImGui::SetScrollHereY(0);
    hints_[k].draw(c.look, pictures);
  }
  if (shown_hints_ == hints_.size()) return;
  const std::string seen = fmt::format("One more hint ({} of {} seen)###A hint", shown_hints_, hints_.size());
  if (!ImGui::Button(shown_hints_ == 0 ? "A hint" : seen.c_str())) return;
  ++shown_hints_;
  frames_to_new_hint_ = 3;
  try {  // the terminal goes on with the next one
    workbook::change_progress(c.my / "progress.txt", [&](workbook::progress& p) {
      p.took_hints(exercise_.id(), static_cast<unsigned>(shown_hints_));
    });
  } catch (const gs::error& e) {
    problem_ = e.what();
  }
}

}  // namespace viewer
