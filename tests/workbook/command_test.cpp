// The command line: options, exit statuses and messages, by running the toy lesson and the course program.

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct outcome {
  int status;
  std::string out, error;
};

class command : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("GRIDSTRIDE_TARGET");
    unsetenv("GRIDSTRIDE_ROOT");
    unsetenv("GRIDSTRIDE_MY");
    setenv("LC_ALL", "C.UTF-8", 1);
  }

  outcome run(const std::string& command_line) const {
    const std::string out = (folder / "out").string(), error = (folder / "error").string();
    const std::string in_folder = "cd '" + folder.string() + "' && ";
    const int status = std::system((in_folder + command_line + " >'" + out + "' 2>'" + error + "' </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out), text_of(error)};
  }
  outcome toy(const std::string& options) const { return run("'" TOY_LESSON "' " + options); }
  outcome course(const std::string& options) const { return run("'" COURSE_PROGRAM "' " + options); }

  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  const gridstride_test::temporary_folder temporary;
  const fs::path folder = temporary.path();
};

TEST_F(command, shows_the_report) {
  const outcome o = toy("");
  EXPECT_EQ(o.status, 0) << o.error;
  EXPECT_EQ(o.error, "");
  for (const char* part : {"99 toy  One of everything", "target device", "size 10", "A heading", "A paragraph about σ",
                           "3.42 ms", "✓ the size is what was asked", "per loop", "A wave", "All 2 checks passed."})
    EXPECT_NE(o.out.find(part), std::string::npos) << part << "\n" << o.out;
  EXPECT_EQ(o.out.find('\033'), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2) << "it leaves no files where it is run, but ours";
}

TEST_F(command, reports_once_for_all_ranks) {
  for (const std::string variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    EXPECT_NE(run(variable + "=0 '" TOY_LESSON "'").out.find("All 2 checks passed."), std::string::npos) << variable;
    const outcome other = run(variable + "=3 '" TOY_LESSON "' --plots pictures");
    EXPECT_EQ(other.status, 0) << other.error;
    EXPECT_EQ(other.out + other.error, "") << variable;
    EXPECT_FALSE(fs::exists(folder / "pictures")) << variable;
  }
  EXPECT_EQ(run("SLURM_PROCID=0 PMI_RANK=1 '" TOY_LESSON "' --json").out, "") << "mpirun within a job of Slurm";
  const outcome failed = run("PMI_RANK=3 '" TOY_LESSON "' --size 2");
  EXPECT_EQ(failed.status, 1);
  EXPECT_NE(failed.out.find("the size is what was asked"), std::string::npos) << failed.out;
}

TEST_F(command, says_where_the_learner_is) {
  const outcome o = course("next");
  EXPECT_EQ(o.status, 0);
  EXPECT_NE(o.out.find("0 of "), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("Next comes 02 monte_carlo_pi"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("./gridstride watch 02"), std::string::npos) << o.out;
}

TEST_F(command, prints_one_json_document) {
  const outcome o = toy("--json --seed 7 --sigma 1.75");
  EXPECT_EQ(o.status, 0) << o.error;
  const json d = json::parse(o.out);
  EXPECT_EQ(d["name"], "toy");
  EXPECT_EQ(d["seed"], 7);
  EXPECT_EQ(d["parameters"]["size"], 10);
  EXPECT_EQ(d["parameters"]["sigma"], 1.75);
  EXPECT_EQ(d["status"], "passed");
  EXPECT_EQ(o.error, "");
}

TEST_F(command, ends_with_1_if_a_check_failed) {
  const outcome o = toy("--size 11");
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(o.out.find("1 of 2 checks failed."), std::string::npos);
  EXPECT_EQ(json::parse(toy("--size 11 --json").out)["status"], "failed");
}

TEST_F(command, understands_sizes) {
  for (const std::string size : {"1e1", "1_0", "0.01k", "+10"}) EXPECT_EQ(toy("--size " + size).status, 0) << size;
}

TEST_F(command, refuses_wrong_usage_with_2) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--size 0", "99_toy: --size: '0' is out of range; give 1 to 100,000,000\n"},
      {"--size 1e9", "99_toy: --size: '1e9' is out of range; give 1 to 100,000,000\n"},
      {"--size many", "99_toy: --size: 'many' is not a whole number; give 1 to 100,000,000\n"},
      {"--sigma 9", "99_toy: --sigma: '9' is out of range; give 0.5 to 4\n"},
      {"--fail never",
       "99_toy: --fail: 'never' is not among them; give one of no, usage, machine, memory, surprise, print\n"},
      {"--seed x", "99_toy: --seed: 'x' is not a seed; give a whole number from 0 to 2^64 - 1\n"},
      {"--target gpu", "99_toy: GRIDSTRIDE_TARGET: 'gpu'; use cpu, parallel, device, engine or cuda\n"},
      {"--guess-answer many", "99_toy: --guess-answer: 'many' is not a number; give one, such as 1e5, 100k or 2.5\n"},
      {"--guess-other 1", "99_toy: The following arguments were not expected: 1 --guess-other; see 99_toy --help\n"},
      {"--colour", "99_toy: The following argument was not expected: --colour; see 99_toy --help\n"},
      {"--plots ''", "99_toy: the folder '' for plots: it has no name; give a folder\n"},
      {"--fail usage", "99_toy: the toy lesson: it was told to fail; choose another value for fail\n"}};
  for (const auto& [options, message] : cases) {
    const outcome o = toy(options);
    EXPECT_EQ(o.status, 2) << options;
    EXPECT_EQ(o.error, message);
    EXPECT_TRUE(o.out.empty() || options == "--fail usage") << options;
  }
}

TEST_F(command, says_before_the_work_that_plots_cannot_be_written) {
  std::ofstream(folder / "file") << "text";
  const outcome o = toy("--plots '" + (folder / "file/plots").string() + "'");
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_NE(o.error.find("give a folder that can be made"), std::string::npos) << o.error;
}

TEST_F(command, writes_what_ran_when) {
  const fs::path file = folder / "run.json";
  const outcome o = toy("--timeline '" + file.string() + "'");
  EXPECT_EQ(o.status, 0) << o.error;
  EXPECT_NE(o.out.find(file.string() + " has what ran when: "), o.out.npos) << o.out;
  const json document = json::parse(text_of(file));
  EXPECT_EQ(document["schema"], "gridstride-timeline");
  EXPECT_EQ(document["program"], "99_toy");
  EXPECT_EQ(document["title"], "One of everything");
  EXPECT_TRUE(document["entries"].empty()) << "the toy queues nothing";
  const outcome as_json = toy("--json --timeline '" + file.string() + "'");
  EXPECT_TRUE(json::accept(as_json.out)) << "standard output belongs to the document";
}

TEST_F(command, says_before_the_work_that_no_timeline_can_be_written) {
  const std::string file = (folder / "none/run.json").string();
  outcome o = toy("--timeline '" + file + "'");
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.error, "99_toy: --timeline " + file +
                         ": the file can't be written: No such file or directory; give one in a folder that you may "
                         "write to\n");
  o = toy("--inspect --timeline '" + file + "'");
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.error.find("--timeline"), o.error.npos) << o.error;
}

TEST_F(command, ends_with_3_if_the_machine_lacks_something) {
  const outcome lacking = toy("--fail machine");
  EXPECT_EQ(lacking.status, 3);
  EXPECT_EQ(lacking.error, "99_toy: the toy lesson: there is no such machine; take another\n");
  const outcome memory = toy("--fail memory");
  EXPECT_EQ(memory.status, 3);
  EXPECT_EQ(memory.error,
            "99_toy: running the lesson: this machine has too little memory for it; choose a smaller size\n");
}

TEST_F(command, ends_with_1_if_the_lesson_breaks) {
  const outcome o = toy("--fail surprise");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.error, "99_toy: running the lesson: it stopped with \"surprise\"\n");
}

TEST_F(command, keeps_what_a_lesson_prints_out_of_its_document) {
  const outcome o = toy("--fail print --json");
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(json::parse(o.out)["status"], "passed") << o.out;
  EXPECT_NE(o.error.find("a line of C\n"), std::string::npos) << o.error;
  EXPECT_NE(o.error.find("a line of C++\n"), std::string::npos) << o.error;
  const outcome plain = toy("--fail print");
  EXPECT_TRUE(plain.out.starts_with("a line of C")) << plain.out;
  EXPECT_EQ(plain.error, "");
}

TEST_F(command, tells_in_json_why_a_run_ended) {
  const outcome o = toy("--fail machine --json");
  EXPECT_EQ(o.status, 3);
  const json d = json::parse(o.out);
  EXPECT_EQ(d["status"], "error");
  EXPECT_EQ(d["error"]["exit_status"], 3);
  EXPECT_EQ(d["error"]["message"], "the toy lesson: there is no such machine; take another");
  EXPECT_EQ(d["items"][0]["text"], "A heading");  // what was found before stands
}

TEST_F(command, takes_the_target_from_option_or_environment) {
  EXPECT_EQ(json::parse(toy("--json --target parallel").out)["target"], "parallel");
  EXPECT_EQ(json::parse(run("GRIDSTRIDE_TARGET=cpu '" TOY_LESSON "' --json").out)["target"], "cpu");
  EXPECT_EQ(json::parse(run("GRIDSTRIDE_TARGET=cpu '" TOY_LESSON "' --json --target engine").out)["target"], "device");
  EXPECT_EQ(run("GRIDSTRIDE_TARGET=typo '" TOY_LESSON "'").status, 2);
  // With a GPU in a build with CUDA the lesson runs on it; without, the program says what the machine lacks.
  const outcome cuda = toy("--json --target cuda");
  if (cuda.status == 0) {
    EXPECT_NE(json::parse(cuda.out)["device"].get<std::string>().find("NVIDIA"), std::string::npos);
  } else {
    EXPECT_EQ(cuda.status, 3);
    EXPECT_EQ(cuda.out, "");
    EXPECT_NE(cuda.error.find("cuda"), std::string::npos) << cuda.error;
  }
}

TEST_F(command, writes_plots_only_when_asked) {
  const outcome o = toy("--plots '" + (folder / "new/plots").string() + "'");
  EXPECT_EQ(o.status, 0) << o.error;
  EXPECT_NE(o.out.find("2 pictures are in "), std::string::npos);
  EXPECT_GT(fs::file_size(folder / "new/plots/99_toy-a-wave.svg"), 1000u);
  EXPECT_GT(fs::file_size(folder / "new/plots/99_toy-a-wave.png"), 1000u);
}

TEST_F(command, says_that_the_report_cannot_be_written) {
  const int status = std::system(("'" TOY_LESSON "' >/dev/full 2>'" + (folder / "error").string() + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(text_of(folder / "error"),
            "99_toy: writing the report to standard output: No space left on device; write it elsewhere\n");
}

TEST_F(command, takes_guesses) {
  const auto prediction_of = [](const outcome& o) {
    const json document = json::parse(o.out);
    for (const json& item : document["items"])
      if (item["kind"] == "prediction") return item;
    return json();
  };
  EXPECT_EQ(prediction_of(toy("--json"))["guess"], nullptr);
  const json prediction = prediction_of(toy("--json --guess-answer 0.084k"));
  EXPECT_EQ(prediction["guess"], 84);
  EXPECT_EQ(prediction["measured"], 42);
  EXPECT_NE(toy("--help").out.find("What is the answer? In units"), std::string::npos);
  EXPECT_EQ(toy("").out.find("Enter skips"), std::string::npos);  // nobody is there to answer
}

// Runs the toy lesson on a pseudo-terminal, types, and gives back all that the screen showed.
std::string on_a_terminal(std::vector<const char*> arguments, std::string_view typed) {
  int screen = -1;
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  arguments.insert(arguments.begin(), TOY_LESSON);
  arguments.push_back(nullptr);
  const pid_t child = forkpty(&screen, nullptr, nullptr, &size);
  if (child == 0) {
    execv(TOY_LESSON, const_cast<char**>(arguments.data()));
    _exit(127);
  }
  if (child < 0) return "";
  EXPECT_EQ(write(screen, typed.data(), typed.size()), std::ssize(typed));
  std::string screen_text;
  char part[4096];
  for (ssize_t n; (n = read(screen, part, sizeof part)) > 0;) screen_text.append(part, static_cast<std::size_t>(n));
  int status = 0;
  waitpid(child, &status, 0);
  close(screen);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << screen_text;
  return screen_text;
}

TEST_F(command, asks_for_guesses_on_a_terminal) {
  setenv("NO_COLOR", "1", 1);
  const std::string questions = on_a_terminal({}, "often\n7\n\n");
  if (questions.empty()) GTEST_SKIP() << "this machine gives no pseudo-terminal";
  EXPECT_NE(questions.find("What is the answer?\r\nYour guess, in units (Enter skips): "), std::string::npos)
      << questions;
  EXPECT_NE(questions.find("'often' is not a number"), std::string::npos);
  EXPECT_NE(questions.find("And the question, µ or σ?"), std::string::npos);
  EXPECT_NE(questions.find("your guess  7 units\r\n  measured    42 units, 6 times your guess"), std::string::npos)
      << questions;
  const std::string end_of_input = on_a_terminal({}, "\x04");
  EXPECT_NE(end_of_input.find("your guess  none"), std::string::npos) << end_of_input;
  EXPECT_EQ(end_of_input.find("And the question"), std::string::npos);
  const std::string output = on_a_terminal({"--guess-answer", "5", "--guess-never_tested", "1"}, "");
  EXPECT_EQ(output.find("Enter skips"), std::string::npos) << output;
  EXPECT_EQ(on_a_terminal({"--json"}, "").find("Enter skips"), std::string::npos);
}

TEST_F(command, speaks_ascii_where_there_is_no_unicode) {
  const outcome o = run("LC_ALL=C '" TOY_LESSON "'");
  EXPECT_EQ(o.status, 0);
  for (unsigned char c : o.out) ASSERT_LT(c, 0x80);
}

TEST_F(command, explains_itself) {
  const outcome o = toy("--help");
  EXPECT_EQ(o.status, 0);
  for (const char* part : {"99 toy: One of everything", "--json", "--target", "--seed", "--plots", "--size",
                           "1 to 100,000,000", "one of no, usage, machine, memory, surprise, print"})
    EXPECT_NE(o.out.find(part), std::string::npos) << part;
}

TEST_F(command, course_lists_its_lessons) {
  fs::create_directories(folder / "lessons/06_mine");
  std::ofstream(folder / "lessons/06_mine/lesson.cpp")
      << "workbook::lesson workbook::this_lesson() {\n  return {.title = \"What limits the speed\",\n";
  std::ofstream(folder / "course.json") << R"({"name": "Waves", "gridstride": "1.0",
    "parts": [{"number": 1, "title": "Universal functions", "first": 1, "last": 12}]})";
  setenv("GRIDSTRIDE_ROOT", folder.c_str(), 1);
  const outcome text = course("list");
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_NE(text.out.find("Part 1: Universal functions\n  06  mine  What limits the speed\n\n1 lesson. Run"),
            std::string::npos)
      << text.out;
  const json d = json::parse(course("list --json").out);
  EXPECT_EQ(d["schema"], "gridstride-course");
  EXPECT_EQ(d["parts"], json::parse(R"([{"number": 1, "title": "Universal functions", "lessons": [
    {"number": 6, "name": "mine", "title": "What limits the speed", "state": "written"}]}])"));
}

TEST_F(command, course_lists_the_states_of_exercises) {
  for (const char* name : {"04_ufunc", "08_zero_suppress", "13_first_kernel"}) {
    fs::create_directories(folder / "lessons" / name);
    std::ofstream(folder / "lessons" / name / "lesson.cpp") << "\n";
    std::ofstream(folder / "lessons" / name / "checks.cpp") << "\n";
  }
  fs::create_directories(folder / "my");
  std::ofstream(folder / "my/progress.txt") << "04 ufunc passed 2026-03-01 1\n08 zero_suppress started 2026-03-02 0\n";
  setenv("GRIDSTRIDE_ROOT", folder.c_str(), 1);
  const std::string text = course("list").out;
  for (const char* line : {"\n✓ 04  ufunc", "\n… 08  zero_suppress", "\n  13  first_kernel"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  fs::create_directories(folder / "lessons/13_first_kernel/warm_up");
  std::ofstream(folder / "lessons/13_first_kernel/warm_up/checks.cpp") << "\n";
  std::ofstream(folder / "my/progress.txt", std::ios::app) << "13w first_kernel passed 2026-03-02 0\n";
  EXPECT_NE(course("list").out.find("\n… 13  first_kernel"), std::string::npos) << "one of two has passed";
  std::map<std::string, std::string> states, warm_ups;
  const json d = json::parse(course("list --json").out);
  for (const json& part : d["parts"])
    for (const json& lesson : part["lessons"])
      if (lesson.contains("exercise")) states[lesson["name"]] = lesson["exercise"];
  for (const json& part : d["parts"])
    for (const json& lesson : part["lessons"])
      if (lesson.contains("warm_up")) warm_ups[lesson["name"]] = lesson["warm_up"];
  EXPECT_EQ(warm_ups, (std::map<std::string, std::string>{{"first_kernel", "passed"}}));
  EXPECT_EQ(states, (std::map<std::string, std::string>{
                        {"ufunc", "passed"}, {"zero_suppress", "started"}, {"first_kernel", "untouched"}}));
}

TEST_F(command, course_runs_a_lesson_by_its_number) {
  // A course of its own: the program beside the toy lesson's, as build/<preset>/{workbook,lessons}.
  fs::create_directories(folder / "lessons/99_toy");
  std::ofstream(folder / "lessons/99_toy/lesson.cpp") << "\n";
  fs::create_directories(folder / "build/lessons");
  fs::create_directories(folder / "build/workbook");
  fs::copy(TOY_LESSON, folder / "build/lessons/99_toy");
  fs::copy(COURSE_PROGRAM, folder / "build/workbook/gridstride-workbook");
  setenv("GRIDSTRIDE_ROOT", folder.c_str(), 1);
  const std::string program = "'" + (folder / "build/workbook/gridstride-workbook").string() + "' run ";
  const outcome o = run(program + "99 --json --seed 5");
  EXPECT_EQ(o.status, 0) << o.error;
  EXPECT_EQ(json::parse(o.out)["seed"], 5);
  EXPECT_EQ(run(program + "toy --size 11").status, 1);
  EXPECT_NE(run(program + "99 --help").out.find("99 toy: One of everything"), std::string::npos);
  fs::remove(folder / "build/lessons/99_toy");
  const outcome missing = run(program + "99");
  EXPECT_EQ(missing.status, 3);
  EXPECT_NE(missing.error.find("is not built; build and run it with ./gridstride run 99"), std::string::npos);
}

TEST_F(command, course_refuses_wrong_usage) {
  setenv("GRIDSTRIDE_ROOT", folder.c_str(), 1);
  EXPECT_EQ(course("").status, 2);
  EXPECT_EQ(course("dance").status, 2);
  EXPECT_EQ(course("run").error, "gridstride-workbook: run: no lesson is given; give a number: run 01\n");
  EXPECT_EQ(course("run").status, 2);
  EXPECT_EQ(course("run 77").status, 2);
  EXPECT_EQ(course("run 77").error,
            "gridstride-workbook: lesson '77': there is none of that number or name; no lesson is there yet\n");
  EXPECT_EQ(course("--help").status, 0);
  EXPECT_EQ(course("run --help").status, 0);
}

}  // namespace
