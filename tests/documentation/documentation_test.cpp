// What the documents say must be so: the front page's program and output, every link, every command.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "workbook/catalogue.h"

namespace {

namespace fs = std::filesystem;
const fs::path root = GRIDSTRIDE_ROOT;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), n);
  return text;
}

std::vector<fs::path> documents() {
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename();
    if (it->is_directory() && (name == "build" || name == "my" || name == "seeds" || name.starts_with('.')))
      it.disable_recursion_pending();
    if (it->path().extension() == ".md") files.push_back(it->path());
  }
  return files;
}

// The text between the first line that starts with `fence` after `from`, and the line that closes it.
std::string block(const std::string& text, const std::string& fence) {
  const std::size_t start = text.find("\n" + fence + "\n");
  EXPECT_NE(start, text.npos) << fence;
  const std::size_t first = start + fence.size() + 2, last = text.find("\n```\n", first);
  return text.substr(first, last + 1 - first);
}

std::set<std::string> lesson_numbers() {
  std::set<std::string> numbers;
  for (const auto& entry : fs::directory_iterator(root / "lessons"))
    if (fs::exists(entry.path() / "lesson.cpp")) numbers.insert(entry.path().filename().string().substr(0, 2));
  return numbers;
}

// "./gridstride bench [FILTER] [--json]  how fast" and "`./gridstride run 01 > FILE`": the words behind ./gridstride,
// with placeholders replaced by examples.
std::vector<std::string> commands_in(const std::string& text) {
  std::vector<std::string> commands;
  const std::regex command(R"re(\./gridstride((?: (?!&&|>)[^\s`|(;]+)*))re");
  for (std::sregex_iterator it(text.begin(), text.end(), command), end; it != end; ++it) {
    std::string words = std::regex_replace((*it)[1].str(), std::regex(R"( --yes|[\[\]]|[.,:]+$)"), "");
    for (const auto& [stands_for, replacement] : {std::pair{"CTEST OPTIONS", ""},
                                                  {"OPTIONS", ""},
                                                  {"N", "7"},
                                                  {"S", "7"},
                                                  {"T", "engine"},
                                                  {"CC", "8.6"},
                                                  {"LIST", "racecheck"},
                                                  {"FILTER", "gaussian"}})
      words = std::regex_replace(words, std::regex(std::string(" ") + stands_for + "(?= |$)"),
                                 *replacement ? std::string(" ") + replacement : "");
    commands.push_back(words.empty() ? "next" : words.substr(1));
  }
  return commands;
}

// The program that the launcher runs for a command, and the words that it puts in front.
std::string program_of(const std::string& word, const std::string& lesson) {
  if (word == "run") return "lessons/" + lesson;
  if (word == "inspect") return "lessons/" + lesson + " --inspect";
  if (word == "list") return "workbook/gridstride-workbook list";
  if (word == "view") return "viewer/gridstride-view";
  if (word == "bench") return "bench/gridstride-bench";
  if (word == "course") return "courses/gridstride-course";
  if (word == "grade" || word == "certificate") return "assessments/grader/gridstride-" + word;
  return "exercises/gridstride-exercise " + word;
}

std::string lesson_of(const std::string& number) {
  for (const auto& entry : fs::directory_iterator(root / "lessons"))
    if (const std::string name = entry.path().filename(); name.starts_with(number + "_")) return name;
  return "";
}

// Whether a test has a name that the regular expression of `ctest -R` finds.
bool names_a_test(const std::string& part) {
  const std::regex definition("(TEST(_[FP])?|INSTANTIATE_TEST_SUITE_P)\\([^)]*" + part);
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests"))
    if (entry.path().extension() == ".cpp" && std::regex_search(text_of(entry.path()), definition)) return true;
  return false;
}

}  // namespace

TEST(front_page, shows_the_lesson_as_it_is) {
  const std::string program = block(text_of(root / "README.md"), "```cpp");
  EXPECT_GT(program.size(), 500u);
  EXPECT_NE(text_of(root / "lessons/00_ripples/lesson.cpp").find(program), std::string::npos) << program;
}

TEST(front_page, shows_what_the_program_prints) {
  const std::string program = block(text_of(root / "README.md"), "```text");
  const std::string printed = output_of("COLUMNS=80 GRIDSTRIDE_TARGET=engine " RIPPLES_PROGRAM);
  EXPECT_NE(printed.find(program), std::string::npos) << "shown:\n" << program << "printed:\n" << printed;
}

// Markdown takes lines indented by four for a part of the list item above them, and no longer for code.
TEST(documents, no_code_is_swallowed_by_a_list) {
  const std::regex item(R"( {0,3}([-*]|\d+[.)]) +\S.*)");
  for (const fs::path& document : documents()) {
    std::istringstream text(text_of(document));
    std::string line;
    bool in_list = false, after_blank = false, fenced = false;
    for (int number = 1; std::getline(text, line); ++number) {
      if (line.starts_with("```")) fenced = !fenced;
      if (fenced) continue;
      if (std::regex_match(line, item))
        in_list = true;
      else if (!line.empty() && line.front() != ' ' && after_blank)
        in_list = false;
      const bool is_command = line.find_first_not_of(' ') != std::string::npos && line.starts_with("    ") &&
                              line.substr(line.find_first_not_of(' ')).starts_with("$ ");
      EXPECT_FALSE(in_list && after_blank && is_command)
          << document << ":" << number << ": " << line << "\nPut a paragraph between the list and the command.";
      after_blank = line.empty();
    }
  }
}

TEST(documents, every_link_leads_somewhere) {
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  std::size_t links = 0;
  for (const fs::path& document : documents()) {
    const std::string text = std::regex_replace(text_of(document), std::regex("`[^`]*`"), "");  // code has brackets too
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string to = (*it)[1];
      if (to.starts_with("http")) continue;
      ++links;
      EXPECT_TRUE(fs::exists(document.parent_path() / to)) << document << " links to " << to;
    }
  }
  EXPECT_GT(links, 10u);
}

// As GitHub makes them from headings: small letters, digits, "-" for blanks, without the rest.
TEST(documents, every_anchor_is_a_heading) {
  const auto anchor_of = [](const std::string& heading) {
    std::string anchor;
    for (const char c : heading)
      if (c == ' ' || c == '-')
        anchor += '-';
      else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80))
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return anchor;
  };
  EXPECT_EQ(anchor_of("What `gs` won't do"), "what-gs-wont-do");
  const std::regex link(R"(\]\(([^)#\s]*)#([^)\s]+)\))"), heading("(^|\n)#+ +([^\n]*)");
  for (const fs::path& document : documents()) {
    const std::string text = text_of(document);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      if ((*it)[1].str().starts_with("http")) continue;
      const std::string target = (*it)[1].length() ? text_of(document.parent_path() / (*it)[1].str()) : text;
      std::set<std::string> anchors;
      for (std::sregex_iterator h(target.begin(), target.end(), heading); h != end; ++h)
        anchors.insert(anchor_of((*h)[2]));
      EXPECT_TRUE(anchors.contains((*it)[2])) << document << " links to " << (*it)[0];
    }
  }
}

// Every command that a document prints is one that the help page has, and the exercise that it names is there.
TEST(documents, every_command_is_one_of_the_launchers) {
  const std::string help = output_of("'" + (root / "gridstride").string() + "' help");
  const std::regex command(R"(\./gridstride (?:--yes )?([a-z]+)(?: ([0-8]\d)(w?)\b)?)");
  const std::set<std::string> of_exercises{"check", "watch", "hint", "solution", "skip", "reset"};
  std::size_t commands = 0;
  for (const fs::path& document : documents()) {
    const std::string text = text_of(document);
    for (std::sregex_iterator it(text.begin(), text.end(), command), end; it != end; ++it, ++commands) {
      const std::string word = (*it)[1], number = (*it)[2];
      EXPECT_TRUE(std::regex_search(help, std::regex("(\\./gridstride|;)  ?" + word + "\\b|, " + word + "\\b")))
          << document << ": " << (*it)[0];
      if (number.empty() || !of_exercises.contains(word)) continue;
      bool is_known = false;
      const fs::path checks = it->str(3).empty() ? "checks.cpp" : "warm_up/checks.cpp";
      for (const auto& entry : fs::directory_iterator(root / "lessons"))
        is_known |= entry.path().filename().string().starts_with(number + "_") && fs::exists(entry.path() / checks);
      EXPECT_TRUE(is_known) << document << ": there is no exercise for " << (*it)[0];
    }
  }
  EXPECT_GT(commands, 100u);
}

// Each is passed to its program with one addition that must be refused. If nothing else is refused, the program takes
// what a learner types.
TEST(documents, every_command_is_understood_by_its_program) {
  // Run by others: these by the launcher's own tests, and what has the number of a recipe by contributing.* and
  // recipe_test.
  const std::set<std::string> run_elsewhere{"doc", "doctor", "doctor --json", "help", "setup", "test"};
  const std::regex recipe("(run|inspect|check) 90( .*)?"), lessons_own("(run|inspect) (\\d\\d)(.*)");
  const std::regex program_of_ones_own(
      "(new|run|watch|inspect|debug|bench) "
      ".*?((my/wave|homework|dialect/homework/matmul|lessons/44_cuda_cpp/by_hand)\\.(cpp|cu)).*"),
      library("install\\b.*");
  std::string help = output_of("'" + (root / "gridstride").string() + "' help");
  for (const fs::path& document : documents()) help += text_of(document);
  const std::vector<std::string> printed = commands_in(help);
  std::set<std::string> absent;
  for (const std::string& command : std::set<std::string>(printed.begin(), printed.end())) {
    if (run_elsewhere.contains(command) || std::regex_match(command, recipe)) continue;
    const std::string word = command.substr(0, command.find(' '));
    if (word == "test") {
      ASSERT_TRUE(command.starts_with("test -R ")) << command;
      const std::string name = command.substr(8, command.find(' ', 8) - 8);
      const bool is_of_a_recipe = help.find("\nTEST(" + name + ",") != help.npos;
      EXPECT_TRUE(names_a_test(name) || is_of_a_recipe) << command << " finds no test";
      continue;
    }
    if (std::regex_match(command, library)) continue;  // by the launcher's own tests
    if (word == "python") continue;                    // Python takes what follows
    if (word == "book") continue;                      // by the book's own tests
    if (command.starts_with("bench world")) continue;  // by the tests of ranks
    if (std::smatch of_file; std::regex_match(command, of_file, program_of_ones_own)) {
      const bool is_bench = word == "bench";
      const std::string program = is_bench ? "bench/gridstride-program-bench" : "programs/gridstride-program";
      if (!fs::exists(fs::path(BUILD_FOLDER) / program)) {
        absent.insert(program);
        continue;
      }
      // In a folder without the file, that is all it complains of.
      const std::string output =
          output_of("cd '" BUILD_FOLDER "' && " + program + " " + (is_bench ? command.substr(word.size()) : command) +
                    " no-such-option 2>&1 </dev/null");
      const std::string complaint = word == "new" ? "it takes one file" : of_file[2].str() + ": there is no such file";
      EXPECT_NE(output.find(complaint), output.npos) << "./gridstride " << command << "\n" << output;
      continue;
    }
    std::smatch of_lesson;
    const bool is_lessons = std::regex_match(command, of_lesson, lessons_own);
    if (!is_lessons && (command == "run" || command == "inspect" || command == "new")) continue;  // a word about it
    std::string options = is_lessons ? of_lesson[3].str() : command.substr(word.size());
    const std::string program = program_of(word, is_lessons ? lesson_of(of_lesson[2]) : "");
    if (!fs::exists(fs::path(BUILD_FOLDER) / program.substr(0, program.find(' ')))) {
      absent.insert(program);
      continue;
    }
    // A lesson reads its seed behind all other values; of the plain flavour it is --inspect that it refuses.
    // Ranks are the launcher's.
    if (is_lessons) options = std::regex_replace(options, std::regex(" --(seed|ranks|hosts) \\S+"), "");
    const std::string refused = is_lessons ? "--seed wrong" : "--no-such-option";
    const std::string output =
        output_of("cd '" BUILD_FOLDER "' && ./" + program + options + " " + refused + " 2>&1 </dev/null");
    const auto says = [&](const char* text) { return output.find(text) != output.npos; };
    EXPECT_TRUE(is_lessons ? says(": --seed: 'wrong' is not a seed") || says("built without the instruments")
                           : says("The following argument was not expected: --no-such-option"))
        << "./gridstride " << command << "\n"
        << output;
  }
  EXPECT_GT(printed.size(), 200u);
  if (!absent.empty()) GTEST_SKIP() << absent.size() << " programs aren't part of this build, as " << *absent.begin();
}

// Numbers from 90 on are free: recipes use them.
TEST(documents, every_lesson_that_is_run_exists) {
  const auto numbers = lesson_numbers();
  const std::regex run(R"(\./gridstride (?:--yes )?(?:run|inspect) ([0-8]\d))");
  std::size_t runs = 0;
  for (const fs::path& document : documents()) {
    const std::string text = text_of(document);
    for (std::sregex_iterator it(text.begin(), text.end(), run), end; it != end; ++it, ++runs)
      EXPECT_TRUE(numbers.contains((*it)[1])) << document << " runs lesson " << (*it)[1];
  }
  EXPECT_GT(runs, 5u);
}

// Every name of the library that a document shows is one of its headers'.
TEST(documents, every_name_of_the_library_exists) {
  std::set<std::string> words;
  const std::regex word("[a-z_][a-z_0-9]*"), name(R"(\b(?:gs::|t\.|block\.|(?=fetch_))([a-z_][a-z_0-9]*))");
  for (const auto& entry : fs::recursive_directory_iterator(root / "runtime")) {
    if (entry.path().extension() != ".h") continue;
    const std::string text = text_of(entry.path());
    words.insert(std::sregex_token_iterator(text.begin(), text.end(), word), std::sregex_token_iterator());
  }
  std::size_t names = 0;
  for (const fs::path& document : documents()) {
    const std::string text = text_of(document);
    for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it, ++names)
      EXPECT_TRUE(words.contains((*it)[1])) << document << " shows " << (*it)[0];
  }
  EXPECT_GT(names, 300u);
}

// A row of a table of the syllabus: "| [01 hypot](01_hypot/README.md) | ... | exercise |".
struct syllabus_row {
  std::string part, link, name, to_do;
};

std::vector<syllabus_row> syllabus() {
  const std::regex row(R"(\| \[(\d\d \w+)\]\((\w+)/README\.md\) \|.*\|(.*)\|)");
  std::vector<syllabus_row> rows;
  std::istringstream text(text_of(root / "lessons/README.md"));
  std::string part;
  std::smatch cells;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) part = line.substr(3);
    if (std::regex_match(line, cells, row)) rows.push_back({part, cells[2], cells[1], cells[3]});
  }
  return rows;
}

TEST(documents, the_syllabus_has_a_row_for_each_lesson_of_the_course) {
  std::vector<syllabus_row> rows = syllabus();
  for (const workbook::course_part& part : workbook::read_catalogue(root / "lessons", "/nowhere")) {
    if (part.number == 0) continue;
    std::string heading = "Part " + std::to_string(part.number) + ": " + part.title;
    heading[8] = static_cast<char>(std::tolower(heading[8]));
    for (const workbook::catalogue_entry& lesson : part.lessons) {
      ASSERT_FALSE(rows.empty()) << lesson.program() << " has no row";
      EXPECT_EQ(rows.front().part, heading) << lesson.program();
      EXPECT_EQ(rows.front().link, lesson.program());
      EXPECT_EQ(rows.front().name, lesson.program().substr(0, 2) + " " + lesson.name);
      const bool asks = std::regex_search(rows.front().to_do, std::regex("exercise|bug hunt"));
      EXPECT_EQ(asks, !lesson.exercises.empty()) << lesson.program();
      rows.erase(rows.begin());
    }
  }
  for (const syllabus_row& row : rows) ADD_FAILURE() << row.link << " has a row, but no folder";
}
