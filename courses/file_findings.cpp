#include "courses/file_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include "assessments/grader/tasks/task.h"
#include "runtime/core/error.h"
#include "workbook/exercise/hints.h"
#include "workbook/exercise/marks.h"
#include "workbook/exercise/next_exercise.h"

namespace courses {
namespace {

namespace fs = std::filesystem;
using workbook::catalogue_entry, workbook::catalogue_exercise;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The findings about one place in the course.
class findings_at {
 public:
  explicit findings_at(std::string place) : place_(std::move(place)) {}

  template <class... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    all_.push_back({place_, fmt::format(text, std::forward<Args>(args)...)});
  }
  bool lacks(const fs::path& file, const std::string& meaning) {
    if (fs::is_regular_file(file)) return false;
    add("it has no {}, {}", file.filename().string(), meaning);
    return true;
  }
  /// Calls a function, and turns the gs::error that it throws into a finding.
  template <class F>
  void add_error(F work) {
    try {
      work();
    } catch (const gs::error& e) {
      add("{}", e.what());
    }
  }
  std::vector<finding> take() { return std::move(all_); }

 private:
  std::string place_;
  std::vector<finding> all_;
};

// The targets of a text's links and pictures that don't exist.
void add_missing_links(findings_at& found, const fs::path& folder, const std::string& text) {
  const std::regex link(R"((!?)\[[^\]]*\]\(([^)#\s]+)(#[^)]*)?\))"), code("`[^`]*`");
  const std::string prose = std::regex_replace(text, code, "");
  for (std::sregex_iterator it(prose.begin(), prose.end(), link), end; it != end; ++it) {
    const std::string to = (*it)[2];
    if (to.starts_with("http") || fs::exists(folder / to)) continue;
    found.add("its text {} {}, which isn't there", (*it)[1].length() ? "shows the picture" : "links to", to);
  }
}

void add_wrong_solutions(findings_at& found, const fs::path& course, const fs::path& folder,
                         also_in language = also_in::none) {
  const auto sources = sources_in(folder, language);
  if (sources.empty()) found.add("it has no wrong solution in {}", fs::relative(folder, course).string());
  for (const fs::path& file : sources)
    if (expected_reason(file).empty())
      found.add("its wrong solution {} doesn't begin with what rejects it: // expect: REASON",
                file.filename().string());
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

void append(std::vector<finding>& findings, std::vector<finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::string includes_of(const std::string& source) {
  std::string includes;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string line = source.substr(begin, end - begin);
    if (line.starts_with("#include <") || line.starts_with("#include \"")) includes += line + "\n";
    begin = end + 1;
  }
  return includes;
}

std::vector<fs::path> sources_in(const fs::path& folder, also_in language) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (const fs::path ending = entry.path().extension();
        ending == ".cpp" || (language == also_in::cuda && ending == ".cu"))
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

fs::path wrong_solutions_of(const fs::path& course, const catalogue_exercise& exercise) {
  return course / "tests/exercises" / exercise.folder() / "wrong";
}

std::string expected_reason(const fs::path& wrong_solution) {
  const std::string mark = "// expect: ", line = first_line(text_of(wrong_solution));
  return line.starts_with(mark) ? line.substr(mark.size()) : "";
}

std::vector<finding> catalogue_findings(const fs::path& course, const std::vector<workbook::course_part>& lessons) {
  findings_at found("lessons");
  std::map<int, std::vector<std::string>> names;
  for (const workbook::course_part& part : lessons)
    for (const catalogue_entry& lesson : part.lessons) names[lesson.number].push_back(lesson.program());
  if (names.empty()) found.add("there is no lesson: make a folder such as 01_squares with a lesson.cpp");
  for (const auto& [number, programs] : names)
    if (programs.size() > 1)
      found.add("number {:02} is shared by {}", number, fmt::format("{}", fmt::join(programs, " and ")));
  std::vector<finding> findings = found.take();
  if (!fs::is_regular_file(course / "README.md")) findings.push_back({"README.md", "it is missing, the course's text"});
  return findings;
}

std::vector<finding> lesson_file_findings(const fs::path& course, const catalogue_entry& lesson) {
  findings_at found("lessons/" + lesson.program());
  const fs::path folder = course / "lessons" / lesson.program();
  const bool titled = lesson.title != lesson.name;
  if (!titled) found.add("its lesson.cpp has no .title = \"...\" in this_lesson()");
  if (found.lacks(folder / "README.md", "the lesson's text")) return found.take();
  const std::string text = text_of(folder / "README.md"),
                    heading = fmt::format("# {:02} {}", lesson.number, lesson.title);
  if (titled && first_line(text) != heading)
    found.add("its text begins with '{}', and its program's number and title make that '{}'", first_line(text),
              heading);
  if (!std::regex_search(text, std::regex(fmt::format("gridstride (--course \\S+ )?run {:02}\\b", lesson.number))))
    found.add("its text doesn't say how to run it: gridstride run {:02}", lesson.number);
  if (text.find("Remember") == text.npos) found.add("its text says nothing to remember: **Remember**");
  if (const auto lines = std::ranges::count(text, '\n'); lines > 120)
    found.add("its text has {} lines, and a reader has patience for 120", lines);
  add_missing_links(found, folder, text);
  return found.take();
}

std::vector<finding> exercise_file_findings(const fs::path& course, const catalogue_exercise& exercise) {
  findings_at found("lessons/" + exercise.folder());
  const fs::path folder = course / "lessons" / exercise.folder();
  const bool no_starter = found.lacks(folder / "exercise.cpp", "what the learner starts from");
  const bool no_solution = found.lacks(folder / "solution.cpp", "the exercise's solution");
  if (!no_starter && !no_solution) {
    const std::string starter = text_of(folder / "exercise.cpp"), solution = text_of(folder / "solution.cpp");
    found.add_error([&] {
      if (starter != workbook::starter_of(solution))
        found.add("its exercise.cpp isn't what the marks in solution.cpp make of it");
    });
    // So that the starter has the headers that the solution needs.
    if (includes_of(starter) != includes_of(solution))
      found.add("its exercise.cpp and solution.cpp include different headers");
  }
  if (!found.lacks(folder / "hints.md", "its hints"))
    found.add_error([&] { workbook::read_hints(text_of(folder / "hints.md")); });
  add_wrong_solutions(found, course, wrong_solutions_of(course, exercise));
  return found.take();
}

std::vector<std::string> assessment_folders(const fs::path& course) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(course / "assessments", none))
    if (fs::exists(entry.path() / "task.json") || fs::exists(entry.path() / "task.h"))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::vector<finding> assessment_file_findings(const fs::path& course, const std::string& name) {
  findings_at found("assessments/" + name);
  const fs::path folder = course / "assessments" / name, solutions = course / "tests/assessments" / name;
  for (const auto& [file, meaning] : {std::pair{"README.md", "the task's text"},
                                      {"task.h", "the function's declaration"},
                                      {"starter.cpp", "what a learner copies"},
                                      {"entry.cpp", "how the runner calls a solution"},
                                      {"problem.cpp", "its inputs and their reference"}})
    found.lacks(folder / file, meaning);
  if (sources_in(solutions / "right", also_in::cuda).empty())
    found.add("it has no right solution in {}", fs::relative(solutions / "right", course).string());
  add_wrong_solutions(found, course, solutions / "wrong", also_in::cuda);
  if (found.lacks(folder / "task.json", "its calls and criteria")) return found.take();
  found.add_error([&] {
    const grader::task t = grader::read_task(folder);
    const auto parts = workbook::parts_of(course);
    if (!t.part && !parts.empty()) found.add("its task.json has no \"part\", the number of its part in course.json");
    found.add_error([&] { grader::part_of(t, parts); });
    if (name != t.id + "_" + t.name) found.add("its folder isn't named as its task.json says, {}_{}", t.id, t.name);
    const auto has_signature = [&](const char* file) {
      return without_blanks(text_of(folder / file)).find(without_blanks(t.signature)) != std::string::npos;
    };
    for (const char* const file : {"task.h", "README.md"})
      if (fs::exists(folder / file) && !has_signature(file))
        found.add("its {} doesn't have the signature of its task.json, {}", file, t.signature);
    if (t.signature.find(" " + t.function + "(") == t.signature.npos)
      found.add("the signature in its task.json isn't that of a function {}", t.function);
    if (std::ranges::any_of(t.criteria, [](const auto& c) { return c.kind == grader::criterion_kind::speed; }))
      found.lacks(folder / "baseline.cpp", "what a submission is timed against");
    if (text_of(folder / "README.md").find("gridstride grade " + t.id + " my/") == std::string::npos)
      found.add("its text doesn't say how to grade a solution: gridstride grade {} my/{}.cpp", t.id, t.name);
  });
  if (fs::exists(folder / "README.md")) add_missing_links(found, folder, text_of(folder / "README.md"));
  return found.take();
}

std::vector<finding> file_findings(const fs::path& course) {
  const auto lessons = workbook::read_catalogue(course / "lessons", "/nowhere");
  std::vector<finding> findings = catalogue_findings(course, lessons);
  for (const workbook::course_part& part : lessons)
    for (const catalogue_entry& lesson : part.lessons) append(findings, lesson_file_findings(course, lesson));
  for (const catalogue_exercise& exercise : workbook::exercises_of(lessons))
    append(findings, exercise_file_findings(course, exercise));
  for (const std::string& name : assessment_folders(course)) append(findings, assessment_file_findings(course, name));
  return findings;
}

}  // namespace courses
