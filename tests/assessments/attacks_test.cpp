// Submissions that try to get what they haven't earned, or to do harm: each must fail, for the reason its first line
// names, at the strongest level of isolation that works here, with GRIDSTRIDE_ALL_ISOLATION=1 at every one; afterwards
// nothing of it is left, and a right submission that was called at the same time has passed.
//
// An attack that looks for something (a file, a socket, a process) gives the right answers only if it found it: then it
// passes, and the test fails.

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "assessments/grader/running/compile.h"
#include "assessments/grader/running/submission_process.h"
#include "assessments/grader/running/submission_workshop.h"
#include "assessments/grader/tasks/problem.h"
#include "assessments/grader/verdict/grade.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "tests/temporary_folder.h"
#include "workshop/sandbox.h"

namespace {

namespace fs = std::filesystem;
using grader::mishap;
using workshop::isolation;
using module_or_mishap = std::variant<grader::compiled_module, mishap>;

const fs::path attacks = fs::path(__FILE__).parent_path() / "attacks";
// The strongest first.
constexpr isolation levels[] = {isolation::bubblewrap, isolation::namespaces, isolation::landlock, isolation::limits};

std::string word(isolation level) { return level == isolation::limits ? "limits" : to_string(level); }

std::set<std::string> words(std::string list) {
  std::ranges::replace(list, ',', ' ');
  std::istringstream in(list);
  return {std::istream_iterator<std::string>(in), {}};
}

// What an attack's first lines say of it.
struct attack {
  fs::path file;
  std::set<std::string> expected;    // mishaps, of which at least one must come
  std::set<std::string> stopped_by;  // levels
  unsigned line = 0;                 // where, if it says so
};

attack read_attack(const std::string& name) {
  attack a{
      .file = attacks / (name + ".cpp"), .expected = {}, .stopped_by = words("bubblewrap namespaces landlock limits")};
  std::ifstream in(a.file);
  for (std::string line; std::getline(in, line) && line.starts_with("//");) {
    if (line.starts_with("// expect: ")) a.expected = words(line.substr(11));
    if (line.starts_with("// at line: ")) a.line = static_cast<unsigned>(std::stoul(line.substr(12)));
    if (line.starts_with("// stopped by: ")) a.stopped_by = words(line.substr(15));
  }
  return a;
}

std::vector<std::string> attack_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(attacks)) names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

// A1 with small sizes and short limits: enough to fail in.
grader::task small_task() {
  const fs::path folder = fs::path(__FILE__).parent_path().parent_path().parent_path() / "assessments/A1_neural_layer";
  grader::task t = grader::read_task(folder);
  const auto values = [](std::uint64_t n) { return grader::test_case{.sizes = {{"values", n}}, .data = "image"}; };
  t.public_cases = {values(1009)};
  t.hidden_cases = {values(4099)};
  std::erase_if(t.criteria, [](const grader::criterion& c) {
    return c.kind != grader::criterion_kind::correctness && c.kind != grader::criterion_kind::speed;
  });
  for (grader::criterion& c : t.criteria)
    if (!c.cases.empty()) c.cases = {values(4099)};
  t.limits = {.compile_seconds = 20,
              .call_seconds = 2,
              .total_seconds = 20,
              .memory_bytes = std::uint64_t{512} << 20,
              .compile_memory_bytes = std::uint64_t{1536} << 20,
              .scratch_bytes = 16 << 20,
              .output_bytes = 1 << 16};
  return t;
}

class process_at_work final : public grader::called_module {
 public:
  process_at_work(const grader::task& t, const grader::problem& p, const grader::compiled_module& module,
                  isolation level, unsigned slot)
      : process_(t, p, module, level, slot) {}
  grader::call_result call(const grader::test_case& c, std::uint64_t seed, bool inspect) override {
    return process_.call(c, seed, inspect);
  }
  std::string output() const override { return process_.output(); }

 private:
  grader::submission_process process_;
};

// Runs at one level what was compiled once.
class workshop_at final : public grader::submission_workshop {
 public:
  workshop_at(const grader::task& t, const grader::problem& p, isolation level, const module_or_mishap& module)
      : task_(t), problem_(p), level_(level), module_(module), baseline_(*grader::built_baseline(t)) {}
  module_or_mishap compile(const workshop::source_file&, workshop::flavour, unsigned) override { return module_; }
  std::unique_ptr<grader::called_module> start(const grader::compiled_module& module, unsigned slot) override {
    return std::make_unique<process_at_work>(task_, problem_, module, level_, slot);
  }
  const grader::compiled_module& baseline() override { return baseline_; }
  std::uint64_t input_bytes(const grader::test_case&) const override { return 0; }
  std::string isolation_name() const override { return to_string(level_); }

 private:
  const grader::task& task_;
  const grader::problem& problem_;
  isolation level_;
  const module_or_mishap& module_;
  const grader::compiled_module baseline_;
};

// Another user's process, whose environment and name are private, and a file of that user's.
class witness {
 public:
  witness() {
    fs::create_directory(folder());
    std::ofstream(folder() / "file") << "gridstride-attack-secret\n";
    process_ = fork();
    if (process_ == 0) {
      const char* environment[] = {"SECRET=gridstride-attack-secret", nullptr};
      execle("/bin/sleep", "gridstride-attack-secret", "600", nullptr, environment);
      _exit(1);
    }
  }
  ~witness() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    std::error_code none;
    fs::remove_all(folder(), none);
  }
  pid_t process() const { return process_; }
  static fs::path folder() { return "/tmp/gridstride-attack-witness-" + std::to_string(getpid()); }

 private:
  pid_t process_ = 0;
};

// Calls a right submission now and then until it is stopped: its process must exist, but need not be busy.
class neighbour {
 public:
  neighbour(const grader::task& t, const grader::problem& p, isolation level)
      : thread_([this, &t, &p, level] {
          grader::submission_process right(t, p, *grader::built_baseline(t), level, 7);
          for (std::uint64_t seed = 0; seed < 3 || !stop_; ++seed) {
            if (const auto r = right.call(t.public_cases[0], seed); r.went_wrong) wrong_ = r.went_wrong->text;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}
  ~neighbour() { failure_text(); }
  /// Empty if all was right.
  std::string failure_text() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return wrong_;
  }

 private:
  std::atomic<bool> stop_ = false;
  std::string wrong_;
  std::thread thread_;
};

bool is_of_an_attack(const std::string& name) {
  return name.starts_with("gridstride-attack-") && !name.starts_with("gridstride-attack-witness");
}

std::vector<std::string> files_left(const fs::path& folder) {
  std::vector<std::string> left;
  for (const char* place : {"/tmp", "/var/tmp", "/dev/shm"})
    for (const auto& entry : fs::directory_iterator(place))
      if (is_of_an_attack(entry.path().filename())) left.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator(folder)) left.push_back(entry.path());
  return left;
}

// Whether this process has descendants but for a known one, and keeps them for two seconds: what was killed takes a
// moment to go. Descendants whose parents have ended are children of this process.
bool has_children_but(pid_t except) {
  for (const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);;) {
    std::ifstream in("/proc/self/task/" + std::to_string(gettid()) + "/children");
    bool has_child = false;
    for (pid_t child = 0; in >> child;) has_child |= child != except && waitpid(child, nullptr, WNOHANG) == 0;
    if (!has_child || std::chrono::steady_clock::now() > deadline) return has_child;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// What the grader writes goes to a folder of the test's own, which the sandboxes' users may pass through.
class attack_fails : public testing::TestWithParam<std::string> {
 protected:
  attack_fails() {
    fs::permissions(scratch_.path(), fs::perms(0755));
    setenv("TMPDIR", scratch_.path().c_str(), 1);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  ~attack_fails() override { unsetenv("TMPDIR"); }

  gridstride_test::temporary_folder scratch_;
};

}  // namespace

TEST_P(attack_fails, at_the_strongest_level_or_at_all) {
  const attack a = read_attack(GetParam());
  ASSERT_FALSE(a.expected.empty()) << "its first line doesn't say what is expected";
  grader::task t = small_task();
  if (GetParam().starts_with("compiles_")) t.limits.compile_seconds = 4;  // it exists only to use them up
  const auto problem = grader::problem_of(t.id);
  const witness bystander;
  std::optional<module_or_mishap> module;
  const bool at_all = std::getenv("GRIDSTRIDE_ALL_ISOLATION") != nullptr;
  for (const isolation level : levels) {
    if (module && !at_all) break;
    if (!a.stopped_by.contains(word(level))) continue;
    if (!works(level)) {
      std::cout << word(level) << " doesn't work here\n";
      continue;
    }
    SCOPED_TRACE(word(level));
    // What didn't compile at one level must not at any other.
    if (!module || std::holds_alternative<mishap>(*module))
      module = grader::compile(t, workshop::read_source(a.file), workshop::flavour::plain, level, 3);

    workshop_at workshop(t, *problem, level, *module);
    neighbour right(t, *problem, level);
    const grader::verdict v = grader::grade(t, a.file, workshop, {.seed = 1, .slot = 5});
    EXPECT_EQ(right.failure_text(), "") << "the submission beside it";

    EXPECT_FALSE(v.passed) << v.output;
    const bool as_expected = std::ranges::any_of(
        v.mishaps, [&](const mishap& m) { return a.expected.contains(std::string(grader::name_of(m.kind))); });
    EXPECT_TRUE(as_expected) << grader::to_json(v);
    if (a.line > 0) {
      EXPECT_TRUE(std::ranges::any_of(v.mishaps, [&](const mishap& m) { return m.place.line == a.line; }))
          << grader::to_json(v);
    }
    EXPECT_LE(v.output.size(), t.limits.output_bytes + 1000);
    EXPECT_FALSE(has_children_but(bystander.process())) << "a process was left behind";
  }
  const bool tried = module.has_value();
  module.reset();
  const auto left = files_left(scratch_.path());
  EXPECT_TRUE(left.empty()) << left.front();
  if (!tried) GTEST_SKIP() << "no level of isolation that stops it works here";
}

INSTANTIATE_TEST_SUITE_P(all, attack_fails, testing::ValuesIn(attack_names()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });
