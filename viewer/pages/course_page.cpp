#include "viewer/pages/course_page.h"

#include <fmt/format.h>

#include <set>
#include <system_error>

#include "runtime/core/error.h"
#include "viewer/course/exercise_panel.h"
#include "viewer/keys.h"
#include "viewer/text/file_text.h"
#include "viewer/widgets.h"
#include "workbook/exercise/next_exercise.h"
#include "workbook/module.h"
#include "workshop/source_file.h"

namespace viewer {
namespace {

constexpr std::size_t kept_runs = 10;
constexpr float least_list_width = 220, number_width = 24, narrow = 760;  // points

std::string seconds_text(double s) {
  return s < 60 ? fmt::format("{:.1f} s", s)
                : fmt::format("{:.0f} min {:.0f} s", s / 60 - 0.5, s - 60 * static_cast<int>(s / 60));
}

// A file that can't be read is reported by the commands that write it.
workbook::progress read_progress_quietly(const std::filesystem::path& file) {
  try {
    return workbook::read_progress(file);
  } catch (const gs::error&) {
    return {};
  }
}

const char* mark_of(workbook::exercise_state s) {
  switch (s) {
    case workbook::exercise_state::passed:
      return "  ✓";
    case workbook::exercise_state::started:
      return "  …";
    case workbook::exercise_state::skipped:
      return "  →";
    case workbook::exercise_state::untouched:
      break;
  }
  return "";
}

// Of the list of lessons: none of its names is cut, whatever mark stands behind it.
float width_of_lessons(const std::vector<workbook::course_part>& course, const theme& look) {
  float widest = 0;
  for (const workbook::course_part& part : course)
    for (const workbook::catalogue_entry& entry : part.lessons)
      widest =
          std::max(widest, ImGui::CalcTextSize((entry.name + mark_of(workbook::exercise_state::skipped)).c_str()).x);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float needed = look.px(number_width) + std::ceil(widest) + 2 * style.WindowPadding.x + style.ScrollbarSize;
  return std::min(std::max(needed, look.px(least_list_width)), 0.4f * ImGui::GetContentRegionAvail().x);
}

// The sources, and the headers beside them.
std::vector<std::filesystem::path> with_headers(const std::vector<std::filesystem::path>& sources) {
  std::vector<std::filesystem::path> files = sources;
  std::set<std::filesystem::path> folders;
  for (const std::filesystem::path& source : sources) folders.insert(source.parent_path());
  for (const std::filesystem::path& folder : folders) {
    std::error_code failed;
    for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed))
      if (workshop::is_header_name(file->path())) files.push_back(file->path());
  }
  return files;
}

}  // namespace

struct course_page::open_lesson {
  workbook::catalogue_entry entry;
  markdown_view text;
  std::vector<source_view> sources;
  std::unique_ptr<file_watch> watch;                       // of them and their headers
  std::vector<std::unique_ptr<exercise_panel>> exercises;  // the warm-up, then its own
  std::optional<parameter_panel> parameters;               // once the module could be read
  std::string problem;                                     // why the lesson can't run
  std::unique_ptr<build_job> build;
  std::optional<build_job::result> built;  // the latest one that has ended
  std::string wanted_values;               // "26 size=1000": for the parameters, once they are known
  std::string saved_file;                  // what is being built: its name
  bool run_when_built = false;
  std::vector<std::unique_ptr<lesson_run>> runs;  // the latest one last
  std::size_t shown_run = 0;
  report_view report;
  enum class side { text, program, exercise, result } wanted_side = side::text;
  bool side_wanted = false;
  std::size_t wanted_source = 0;  // of the program's files
  bool just_opened = false;       // it is shown from its beginning

  // Brings the line to the front, if it is in one of the program's files.
  void go_to(const std::string& file, int line) {
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (!is_source(file, sources[k].file())) continue;
      sources[k].go_to(line);
      wanted_source = k;
      wanted_side = side::program;
      side_wanted = true;
      return;
    }
  }
};

course_page::course_page(std::string title) : title_(std::move(title)) {}
course_page::~course_page() = default;

void course_page::show(std::string_view subject) {
  subject_ = subject;
  run_wanted_ = !subject.empty();
}

bool course_page::busy() const {
  if (!subject_.empty()) return true;
  if (!lesson_) return false;
  for (const auto& panel : lesson_->exercises)
    if (panel->busy()) return true;
  if (lesson_->report.working()) return true;
  if (lesson_->build) return true;  // also if it has ended and its result hasn't been read yet
  return !lesson_->runs.empty() && lesson_->runs.back()->running();
}

std::optional<run_state> course_page::latest() const {
  if (!lesson_ || lesson_->runs.empty()) return {};
  return lesson_->runs.back()->state();
}

void course_page::draw(context& c) {
  if (course_.empty()) course_ = shown_course(c);
  if (!subject_.empty()) {
    try {
      open(lesson_of(subject_, course_, c), c);
      if (lesson_->parameters) lesson_->parameters->take(options_in(subject_));
      if (lesson_->build) lesson_->wanted_values = subject_;
    } catch (const gs::error& e) {
      c.status = e.what();
    }
    subject_.clear();
  }
  if (lesson_ && std::exchange(run_wanted_, false)) run(c);
  if (!lesson_ && !std::exchange(went_on_, true)) {
    const std::string last = c.remembered.text("lesson", "01");
    try {
      open(lesson_of(last, course_, c), c);
    } catch (const gs::error&) {  // the file is gone, but the list is still there
    }
  }
  look_after_work(c);
  const bool wide = ImGui::GetContentRegionAvail().x > c.look.px(narrow);
  if (c.own) {
    // There is nothing to choose from.
  } else if (wide) {
    ImGui::BeginChild("lessons", ImVec2(width_of_lessons(course_, c.look), 0), false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
    draw_list(c);
    ImGui::EndChild();
    ImGui::SameLine();
  } else {
    label(c.look, "lesson");
    ImGui::SetNextItemWidth(std::min(width_of_lessons(course_, c.look), ImGui::GetContentRegionAvail().x));
    if (ImGui::BeginCombo("##lesson", lesson_ ? lesson_->entry.program().c_str() : "choose one",
                          ImGuiComboFlags_HeightLargest)) {
      draw_list(c);
      ImGui::EndCombo();
    }
  }
  ImGui::BeginChild("lesson", ImVec2(0, 0), false, ImGuiWindowFlags_NavFlattened);
  if (lesson_) draw_lesson(c);
  ImGui::EndChild();
}

void course_page::draw_list(context& c) {
  const workbook::catalogue_entry* chosen = nullptr;
  // Commands in a terminal write it, too.
  if (const double now = ImGui::GetTime(); now - progress_read_ > 0.5) {
    progress_ = read_progress_quietly(c.my / "progress.txt");
    progress_read_ = now;
  }
  for (const workbook::course_part& part : course_) {
    ImGui::PushFont(c.look.bold);
    ImGui::PushStyleColor(ImGuiCol_Text, c.look.faint_ink);
    ImGui::TextWrapped("%s",
                       part.number > 0 ? fmt::format("{} {}", part.number, part.title).c_str() : part.title.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
    for (const workbook::catalogue_entry& entry : part.lessons) {
      const bool now = lesson_ && lesson_->entry.program() == entry.program();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::Selectable(fmt::format("##{}", entry.program()).c_str(), now)) chosen = &entry;
      // The list is longer than most windows: a lesson opened by a command or a link is scrolled to.
      if (now && (std::exchange(scrolled_to_, entry.program()) != entry.program() || ImGui::IsWindowAppearing()) &&
          !ImGui::IsItemVisible())
        ImGui::SetScrollHereY();
      tip(entry.title);
      // Digits differ in width, but names must be aligned.
      ImDrawList& list = *ImGui::GetWindowDrawList();
      list.AddText(at, c.look.ink, fmt::format("{:02}", entry.number).c_str());
      list.AddText(ImVec2(at.x + c.look.px(number_width), at.y), c.look.ink,
                   fmt::format("{}{}", entry.name, mark_of(state_of_lesson(entry, progress_))).c_str());
    }
    ImGui::Dummy(ImVec2(0, c.look.px(6)));
  }
  if (chosen != nullptr) open(*chosen, c);
}

void course_page::open(const workbook::catalogue_entry& entry, context& c) {
  if (lesson_ && lesson_->entry.program() == entry.program()) return;
  std::unique_ptr<open_lesson>& opened = opened_[entry.program()];
  if (!opened) {
    opened = std::make_unique<open_lesson>();
    opened->entry = entry;
    const std::vector<std::filesystem::path> sources = sources_of(entry, c);
    for (const std::filesystem::path& source : sources) opened->sources.emplace_back(source);
    opened->watch = std::make_unique<file_watch>([sources] { return with_headers(sources); }, c.wake);
    for (const workbook::catalogue_exercise& exercise : entry.exercises)
      opened->exercises.push_back(std::make_unique<exercise_panel>(exercise, c));
  }
  lesson_ = opened.get();
  if (c.own) return read_module(c);  // it was built before the window opened, and has no text
  const std::filesystem::path folder = c.root / "lessons" / entry.program();
  lesson_->text = markdown_view(shown_text_of_file(folder / "README.md"), folder);
  lesson_->text.leave_out_title();  // it stands above, whatever of the lesson is shown
  lesson_->wanted_side = open_lesson::side::text;
  lesson_->side_wanted = lesson_->just_opened = true;
  c.remembered.set("lesson", entry.program());
  start_build(c);  // does nothing if everything is up to date
}

void course_page::start_build(context& c) {
  open_lesson& l = *lesson_;
  try {
    l.build = std::make_unique<build_job>(build_command(l.entry, c), c.wake);
  } catch (const gs::error& e) {
    l.problem = e.what();
  }
}

// Takes what threads and files have brought since the last frame.
void course_page::look_after_work(context& c) {
  if (!lesson_) return;
  open_lesson& l = *lesson_;
  if (const auto file = l.watch->take()) {
    for (source_view& source : l.sources) source.reload_if_changed();
    l.run_when_built = true;
    start_build(c);
    l.saved_file = file->filename().string();
    c.status = l.saved_file + " was saved: building it";
  }
  if (!l.build || l.build->state().running) return;
  l.built = l.build->state();
  l.build.reset();
  take_messages();
  if (!l.built->succeeded) {
    l.problem = "It doesn't compile.";
    if (l.run_when_built) l.wanted_side = open_lesson::side::program, l.side_wanted = true;
    l.run_when_built = false;
    c.status = fmt::format("{} doesn't compile", l.entry.program());
    return;
  }
  if (!l.saved_file.empty() && c.status == l.saved_file + " was saved: building it")
    c.status = l.saved_file + " was saved: built again";
  read_module(c);
  if (std::exchange(l.run_when_built, false)) run(c);
}

// Notes what the compiler says at the lines of the program's files.
void course_page::take_messages() {
  open_lesson& l = *lesson_;
  bool found = false;
  for (std::size_t k = 0; k < l.sources.size(); ++k) {
    std::multimap<int, line_note> notes;
    for (const compiler_message& m : l.built->messages)
      if (is_source(m.file, l.sources[k].file()))
        notes.emplace(m.line, line_note{m.error ? gravity::error : gravity::warning, m.text});
    if (!l.built->succeeded && !notes.empty() && !std::exchange(found, true)) {
      l.sources[k].go_to(notes.begin()->first);
      l.wanted_source = k;
    }
    l.sources[k].set_notes(std::move(notes));
  }
}

// Takes the parameters from what has been built.
void course_page::read_module(context& c) {
  open_lesson& l = *lesson_;
  l.problem.clear();
  try {
    const auto module = workbook::lesson_module::open((c.build / "lessons" / (l.entry.program() + ".so")).string());
    if (c.own) l.entry.title = module.lesson().title;
    parameter_panel fresh(module.lesson().parameters, module.lesson().predictions);
    if (l.parameters) fresh.take(l.parameters->options());  // choices stay if the lesson still has the parameter
    l.parameters = std::move(fresh);
    l.parameters->take(options_in(std::exchange(l.wanted_values, "")));
  } catch (const gs::error& e) {
    l.problem = e.what();
  }
}

void course_page::run(context& c) {
  open_lesson& l = *lesson_;
  if (!l.parameters) {
    l.run_when_built = l.build != nullptr;
    return;
  }
  if (!l.runs.empty()) l.runs.back()->cancel();
  try {
    // Ranks are started by the launcher, which knows the MPI that the runtime is built for.
    const std::filesystem::path program = c.build / "lessons" / l.entry.program();
    const lesson_run::command command = ranks_of(l.entry, c) > 0
                                            ? lesson_run::command{run_command(l.entry, c), l.parameters->options()}
                                            : lesson_run::of_program(program, l.parameters->options());
    l.runs.push_back(std::make_unique<lesson_run>(command, c.wake));
    if (l.runs.size() > kept_runs) l.runs.erase(l.runs.begin());
    l.shown_run = l.runs.size() - 1;
    l.wanted_side = open_lesson::side::result;
    l.side_wanted = true;
  } catch (const gs::error& e) {
    l.problem = e.what();
  }
}

void course_page::draw_lesson(context& c) {
  open_lesson& l = *lesson_;
  ImGui::PushID(&l);  // each lesson has tabs and scroll positions of its own
  ImGui::PushFont(c.look.heading);
  const std::string number = c.own ? l.entry.name : fmt::format("{:02}", l.entry.number);
  ImGui::TextUnformatted(fmt::format("{}  {}", number, l.entry.title).c_str());
  ImGui::PopFont();
  draw_controls(c);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool narrow_window = room.x <= c.look.px(narrow);
  const auto side_tab = [&](const char* name, open_lesson::side side, auto&& draw_it, bool first_choice = true) {
    // A lesson that is opened to be run shows its text beside the result.
    const bool beside = side == open_lesson::side::text && l.just_opened && !narrow_window;
    const bool is_wanted = beside || (l.side_wanted && l.wanted_side == side && first_choice);
    if (!ImGui::BeginTabItem(name, nullptr, is_wanted ? ImGuiTabItemFlags_SetSelected : 0)) return;
    if (is_wanted) l.side_wanted = false;
    draw_it();
    ImGui::EndTabItem();
  };
  const auto text = [&] {
    if (!c.own) side_tab("Text", open_lesson::side::text, [&] { draw_text(c); });
  };
  const auto program = [&] {
    for (std::size_t k = 0; k < l.sources.size(); ++k) {
      const std::string name = l.sources.size() == 1 ? "Program" : l.sources[k].file().filename().string();
      side_tab(
          name.c_str(), open_lesson::side::program,
          [&] { l.sources[k].draw("source", ImGui::GetContentRegionAvail(), c.look); }, k == l.wanted_source);
    }
  };
  const auto exercises = [&] {
    for (std::size_t k = 0; k < l.exercises.size(); ++k)
      side_tab(
          l.entry.exercises[k].warm_up ? "Warm-up" : "Exercise", open_lesson::side::exercise,
          [&] { l.exercises[k]->draw(c, pictures_); }, k == 0);
  };
  if (!narrow_window) {
    const float half = (room.x - c.look.px(12)) / 2;
    ImGui::BeginChild("read", ImVec2(half, 0), false, ImGuiWindowFlags_NavFlattened);
    if (ImGui::BeginTabBar("sides")) {
      text();
      program();
      exercises();
      ImGui::EndTabBar();
    }
    ImGui::EndChild();
    ImGui::SameLine(0, c.look.px(12));
    ImGui::BeginChild("found", ImVec2(0, 0));
    if (l.wanted_side == open_lesson::side::result) l.side_wanted = false;  // it is in sight
    draw_result(c);
    ImGui::EndChild();
  } else if (ImGui::BeginTabBar("sides")) {
    text();
    program();
    exercises();
    side_tab("Result", open_lesson::side::result, [&] {
      ImGui::BeginChild("found", ImVec2(0, 0));
      draw_result(c);
      ImGui::EndChild();
    });
    ImGui::EndTabBar();
  }
  ImGui::PopID();
}

void course_page::draw_controls(context& c) {
  open_lesson& l = *lesson_;
  const bool running = !l.runs.empty() && l.runs.back()->running();
  if (running) {
    if (ImGui::Button("Cancel")) l.runs.back()->cancel();
  } else if (main_button(c.look, "Run")) {
    run(c);
  }
  tip("Ctrl + R");
  if (pressed_with_ctrl('R')) run(c);
  ImGui::SameLine();
  if (l.parameters) {
    if (ImGui::Button("Parameters")) ImGui::OpenPopup("parameters");
    if (ImGui::BeginPopup("parameters")) {
      l.parameters->draw(c.look);
      ImGui::Separator();
      if (ImGui::Button("Defaults")) l.parameters->reset();
      ImGui::SameLine();
      if (ImGui::Button("Copy as C++")) {
        ImGui::SetClipboardText(l.parameters->as_cpp().c_str());
        c.status = "The parameters are in the clipboard, as C++.";
      }
      ImGui::SameLine();
      if (ImGui::Button("Copy command")) {
        ImGui::SetClipboardText(typed_command(l.entry, l.parameters->options(), c).c_str());
        c.status = "The command is in the clipboard.";
      }
      ImGui::EndPopup();
    }
    ImGui::SameLine();
  }
  if (!l.runs.empty()) {
    const auto name_of_run = [&](std::size_t k) {
      const run_state s = l.runs[k]->state();
      const char* mark = s.stage == run_stage::running ? "…" : s.stage == run_stage::finished ? "✓" : "✗";
      const std::string options = fmt::format("{}", fmt::join(l.runs[k]->options(), " "));
      return fmt::format("{} {}  {}##{}", mark, options.empty() ? "defaults" : options, seconds_text(s.seconds), k);
    };
    ImGui::SetNextItemWidth(c.look.px(200));
    if (ImGui::BeginCombo("##runs", name_of_run(l.shown_run).c_str())) {
      for (std::size_t k = l.runs.size(); k-- > 0;)
        if (ImGui::Selectable(name_of_run(k).c_str(), k == l.shown_run)) l.shown_run = k;
      ImGui::EndCombo();
    }
    ImGui::SameLine();
  }
  if (l.build) {
    ImGui::PushStyleColor(ImGuiCol_Text, c.look.faint_ink);
    ImGui::TextUnformatted("building …");
    ImGui::PopStyleColor();
  } else if (!l.problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, c.look.bad);
    ImGui::TextWrapped("%s", l.problem.c_str());
    ImGui::PopStyleColor();
  } else {
    ImGui::NewLine();
  }
}

void course_page::draw_text(context& c) {
  ImGui::BeginChild("text", ImVec2(0, 0), false);
  if (std::exchange(lesson_->just_opened, false)) ImGui::SetScrollY(0);
  const std::string link = lesson_->text.draw(c.look, pictures_);
  ImGui::EndChild();
  if (!link.empty()) follow(link, c);
}

// "../06_gaussian_pdf/README.md" is a lesson, "../../assessments/A1_neural_layer/README.md" a task; others are shown in
// the status line, to be opened elsewhere.
void course_page::follow(const std::string& link, context& c) {
  const std::string folder = std::filesystem::path(link).parent_path().filename().string();
  for (const workbook::course_part& part : course_)
    for (const workbook::catalogue_entry& entry : part.lessons)
      if (entry.program() == folder) {
        subject_ = folder;
        return;
      }
  if (std::filesystem::path(link).parent_path().parent_path().filename() == "assessments") {
    c.open("Assessments", folder.substr(0, folder.find('_')));
    return;
  }
  ImGui::SetClipboardText(link.c_str());
  c.status = "In the clipboard: " + link;
}

void course_page::draw_result(context& c) {
  open_lesson& l = *lesson_;
  if (l.built && !l.built->succeeded) {
    for (const compiler_message& m : l.built->messages) {
      if (!m.error) continue;
      ImGui::PushID(&m);
      if (wrapped_line(c.look.bad,
                       fmt::format("{}:{}  {}", std::filesystem::path(m.file).filename().string(), m.line, m.text)))
        l.go_to(m.file, m.line);
      ImGui::PopID();
    }
    if (l.built->messages.empty()) ImGui::TextWrapped("%s", l.built->output.c_str());
    return;
  }
  if (l.runs.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, c.look.faint_ink);
    ImGui::TextWrapped("What the %s finds is shown here. Guess first, then look: Ctrl + R.",
                       c.own ? "program" : "lesson");
    ImGui::PopStyleColor();
    if (l.parameters) l.parameters->draw_questions(c.look);
    return;
  }
  const run_state s = l.runs[l.shown_run]->state();
  if (s.stage == run_stage::running) {
    if (s.fraction > 0)
      ImGui::ProgressBar(static_cast<float>(s.fraction), ImVec2(-1, 0), s.doing.c_str());
    else
      ImGui::TextUnformatted(fmt::format("running … {}", seconds_text(s.seconds)).c_str());
  }
  if (s.stage == run_stage::failed || s.stage == run_stage::cancelled) {
    ImGui::PushStyleColor(ImGuiCol_Text, s.stage == run_stage::failed ? c.look.bad : c.look.faint_ink);
    ImGui::TextWrapped("%s", s.message.c_str());
    ImGui::PopStyleColor();
  }
  if (const auto place = l.report.draw(s.items, c.look)) l.go_to(place->file, static_cast<int>(place->line));
  if (!s.output.empty()) {
    ImGui::PushFont(c.look.code);
    ImGui::PushStyleColor(ImGuiCol_Text, c.look.faint_ink);
    unformatted(s.output);
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }
}

}  // namespace viewer
