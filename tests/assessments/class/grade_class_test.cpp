// A class with a fake grader: which files are found, which are graded again, and that a bad file doesn't affect the
// rest.

#include "assessments/grader/class/grade_class.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "assessments/grader/verdict/file_hash.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "runtime/core/error.h"
#include "tests/temporary_folder.h"

namespace grade_class_test {

namespace fs = std::filesystem;
using grader::class_result, grader::found_submission, grader::verdict;

class class_of_learners : public testing::Test {
 protected:
  class_of_learners() {
    folder = box / "submissions";
    output = box / "graded";
    fs::create_directory(folder);
    task.id = "A2";
    task.name = "histogram";
    grader::criterion& c = task.criteria.emplace_back();
    c.id = c.title = "right";
    c.points = 100;
  }

  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((folder / file).parent_path());
    std::ofstream(folder / file) << text;
  }

  // What the source says happens to it.
  struct scripted_grading : grader::class_grading {
    scripted_grading(class_of_learners& c, const found_submission& o, unsigned s) : owner(c), submission(o), slot(s) {
      std::getline(std::ifstream(submission.file), script);
    }
    void before_timing() override {
      EXPECT_FALSE(owner.alone);
      {
        const std::lock_guard lock(owner.mutex);
        ++owner.graded[submission.name];
        EXPECT_TRUE(owner.slots.insert(slot).second) << "two at a time with one slot";
        owner.most_at_a_time = std::max(owner.most_at_a_time, owner.slots.size());
      }
      if (script == "waits") std::this_thread::sleep_for(std::chrono::milliseconds(50));
      {
        const std::lock_guard lock(owner.mutex);
        owner.slots.erase(slot);
      }
      if (script == "throws") throw std::runtime_error("something unforeseen");
      if (script == "no more threads")
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
      if (script == "machine") throw gs::machine_error("starting a sandbox", "it does not work", "install bubblewrap");
    }
    bool has_timing() const override { return script == "timed" || script == "throws later"; }
    void timing() override {
      if (!has_timing()) return;
      EXPECT_TRUE(owner.alone);
      EXPECT_TRUE(owner.slots.empty());
      EXPECT_EQ(++owner.timed, 1);
      if (script == "throws later") {
        --owner.timed;
        throw std::runtime_error("something later");
      }
      --owner.timed;
    }
    verdict finish() override {
      verdict v;
      v.task_id = "A2";
      v.task_version = owner.task.version;
      v.version = "0.1";
      v.file = submission.file;
      v.sha256 = grader::sha256_of_file(submission.file);
      v.criteria = {{"right", "right", grader::criterion_state::passed, 100, 100, true, "all"}};
      if (!owner.task.criteria.empty()) v.criteria.clear();
      for (const grader::criterion& c : owner.task.criteria)
        v.criteria.push_back({c.id, c.title, grader::criterion_state::passed, c.points, c.points, false, ""});
      v.device = owner.device;
      v.points = v.possible = 100;
      v.passed = true;
      return v;
    }
    class_of_learners& owner;
    found_submission submission;
    unsigned slot;
    std::string script;
  };

  fs::path verdict_of(const std::string& name) const { return output / "verdicts" / (name + ".json"); }

  class_result grade(unsigned jobs = 2, bool grades_again = false, const std::string& version = "0.1") {
    graded.clear();
    messages.clear();
    const auto submissions = grader::find_submissions(folder);
    grader::class_options options{
        .output = output, .jobs = jobs, .again = grades_again, .version = version, .device = device};
    options.before_phase = [&](bool is_alone) { alone = is_alone; };
    options.say = [&](std::string_view line) {
      const std::lock_guard lock(mutex);
      messages.emplace_back(line);
    };
    options.on_progress = [&](double fraction, std::string_view) {
      EXPECT_GE(fraction, 0);
      EXPECT_LE(fraction, 1);
      progress = std::max(progress.load(), fraction);
    };
    return grader::grade_class(
        task, submissions,
        [&](const found_submission& submission, unsigned slot) {
          return std::make_unique<scripted_grading>(*this, submission, slot);
        },
        options);
  }

  const gridstride_test::temporary_folder own_;
  fs::path box = own_.path(), folder, output;
  grader::task task;
  std::string device;
  std::mutex mutex;
  std::map<std::string, int> graded;
  std::set<unsigned> slots;
  std::size_t most_at_a_time = 0;
  std::atomic<bool> alone = false;
  std::atomic<int> timed = 0;
  std::atomic<double> progress = 0;
  std::vector<std::string> messages;
};

TEST_F(class_of_learners, is_found_in_files_and_folders) {
  write("anna.cpp", "");
  write("ben/histogram.cpp", "");
  write("ben/notes.txt", "");
  write("cleo/a.cpp", "");
  write("cleo/b.cpp", "");
  write("dora/readme.md", "");
  write("readme.md", "");
  write(".hidden/a.cpp", "");
  write(".hidden.cpp", "");
  write("emil.cpp", "");
  write("emil/emil.cpp", "");
  fs::create_symlink("/etc/shadow", folder / "fred.cpp");
  fs::create_directory(folder / "gina.cpp");
  const auto submissions = grader::find_submissions(folder);
  std::vector<std::string> names;
  for (const auto& submission : submissions)
    names.push_back(submission.name + (submission.problem.empty() ? "" : ": " + submission.problem));
  EXPECT_EQ(names,
            (std::vector<std::string>{"anna", "ben", "cleo: The folder holds 2 C++ files; there must be exactly one.",
                                      "dora: The folder holds 0 C++ files; there must be exactly one.", "emil",
                                      "emil.cpp", "fred: It is a link, not a file.",
                                      "gina.cpp: The folder holds 0 C++ files; there must be exactly one."}));
  EXPECT_EQ(submissions[1].file, folder / "ben/histogram.cpp");
  EXPECT_THROW(grader::find_submissions(folder / "anna.cpp"), gs::error);
}

TEST_F(class_of_learners, is_graded_side_by_side_and_timed_alone) {
  for (int k = 0; k < 12; ++k) write("waits" + std::to_string(k) + ".cpp", "waits");
  for (int k = 0; k < 12; ++k) write("timed" + std::to_string(k) + ".cpp", "timed");
  const class_result result = grade(3);
  EXPECT_EQ(result.submissions.size(), 24u);
  EXPECT_EQ(result.reused, 0u);
  EXPECT_EQ(progress, 1);
  EXPECT_LE(most_at_a_time, 3u);
  EXPECT_GE(most_at_a_time, 2u);
  for (const auto& submission : result.submissions) {
    EXPECT_TRUE(submission.result.passed) << submission.name;
    EXPECT_EQ(graded[submission.name], 1);
    EXPECT_TRUE(fs::exists(output / "verdicts" / (submission.name + ".json")));
  }
  EXPECT_TRUE(fs::exists(output / "report.csv"));
  EXPECT_TRUE(fs::exists(output / "report.html"));
}

TEST_F(class_of_learners, may_have_the_longest_names) {
  for (const char last : {'a', 'b'}) write(std::string(250, 'n') + last + ".cpp", "fine");
  EXPECT_EQ(grade().submissions.size(), 2u);
  EXPECT_EQ(grade().reused, 2u) << "each has a verdict of its own";
}

TEST_F(class_of_learners, goes_on_after_a_bad_file) {
  write("a.cpp", "throws");
  write("b.cpp", "fine");
  write("c.cpp", "throws later");
  write("d/x.txt", "");
  write("e.cpp", "timed");
  const class_result result = grade(2);
  ASSERT_EQ(result.submissions.size(), 5u);
  for (const auto& [name, v] : result.submissions) EXPECT_EQ(v.passed, name == "b" || name == "e") << name;
  const verdict& a = result.submissions[0].result;
  ASSERT_EQ(a.mishaps.size(), 1u);
  EXPECT_EQ(a.mishaps[0].kind, grader::mishap_kind::refused);
  EXPECT_EQ(a.mishaps[0].text, "It can't be graded: something unforeseen");
  EXPECT_EQ(a.criteria.at(0).state, grader::criterion_state::not_run);
  EXPECT_EQ(result.submissions[3].result.mishaps[0].text, "The folder holds 0 C++ files; there must be exactly one.");
  EXPECT_EQ(messages.size(), 3u);
  for (const auto& submission : result.submissions)
    EXPECT_TRUE(fs::exists(verdict_of(submission.name))) << submission.name;
  EXPECT_EQ(grade(2).reused, 2u) << "what could not be graded is tried again";
}

TEST_F(class_of_learners, has_a_line_and_a_verdict_for_each) {
  for (const char* file : {"upper.CPP", "dos.Cpp", "gnu.cc", "old.C", "more.cxx", "plus.c++", "in/solution.cc"})
    write(file, "fine");
  fs::create_directory(box / "elsewhere");
  fs::create_directory_symlink(box / "elsewhere", folder / "linked");
  fs::create_symlink("/nowhere", folder / "broken");
  fs::create_symlink(folder / "gnu.cc", folder / "again.cc");
  fs::create_symlink(folder / "gnu.cc", folder / "notes.txt");
  fs::create_directory(folder / "empty");
  const class_result result = grade();
  std::string names;
  for (const auto& [name, v] : result.submissions) {
    names += name + (v.passed ? " " : "(refused) ");
    EXPECT_TRUE(fs::exists(verdict_of(name))) << name;
  }
  EXPECT_EQ(names, "again(refused) broken(refused) dos empty(refused) gnu in linked(refused) more old plus upper ");
}

TEST_F(class_of_learners, has_a_name_for_each) {
  for (const char* file : {"c/x.cpp", "c.cpp", "c.cpp.cpp", "c.cc", "d.cpp", "d.cpp.cc", "e.x/a.cpp", "e.cpp"})
    write(file, "fine");
  const class_result result = grade();
  std::string names;
  for (const auto& [name, v] : result.submissions) names += name + " ";
  EXPECT_EQ(names, "c c.cc c.cpp c.cpp.cpp d d.cpp.cc e e.x ");
  EXPECT_EQ(std::distance(fs::directory_iterator(output / "verdicts"), fs::directory_iterator()), 8);
  EXPECT_EQ(grade().reused, 8u);
}

TEST_F(class_of_learners, ends_with_what_the_machine_lacks_after_the_others) {
  write("a.cpp", "fine");
  write("b.cpp", "machine");
  write("c.cpp", "no more threads");
  write("d.cpp", "timed");
  try {
    grade(1);
    ADD_FAILURE() << "nothing was lacking";
  } catch (const gs::machine_error& e) {
    EXPECT_STREQ(e.what(),
                 "grade a class: 2 of 4 submissions could not be graded here; starting a sandbox: it does not work; "
                 "install bubblewrap; the same command goes on from here");
  }
  for (const char* name : {"a", "d"}) EXPECT_TRUE(fs::exists(verdict_of(name))) << name;
  for (const char* name : {"b", "c"}) EXPECT_FALSE(fs::exists(verdict_of(name))) << name;
  EXPECT_TRUE(fs::exists(output / "report.csv"));
  EXPECT_EQ(messages.size(), 2u);
  write("b.cpp", "fine");
  write("c.cpp", "fine");
  EXPECT_EQ(grade(1).reused, 2u);
  EXPECT_EQ(graded, (std::map<std::string, int>{{"b", 1}, {"c", 1}}));
}

TEST_F(class_of_learners, is_not_graded_twice) {
  for (const char* file : {"a.cpp", "b.cpp", "c/c.cpp"}) write(file, "fine");
  grade();
  EXPECT_EQ(graded.size(), 3u);
  EXPECT_EQ(grade().reused, 3u);
  EXPECT_TRUE(graded.empty());
  // Another file, another verdict.
  write("b.cpp", "fine\n// and more");
  EXPECT_EQ(grade().reused, 2u);
  EXPECT_EQ(graded, (std::map<std::string, int>{{"b", 1}}));
  // A verdict that was cut off.
  std::ofstream(output / "verdicts/a.json") << "{\"schema\": ";
  grade();
  EXPECT_EQ(graded, (std::map<std::string, int>{{"a", 1}}));
  // Other versions of task and project.
  EXPECT_EQ(grade(2, false, "0.2").reused, 0u);
  ++task.version;
  EXPECT_EQ(grade().reused, 0u);
  EXPECT_EQ(grade().reused, 3u);
  // Another device, and points that are asked for there.
  device = "a GPU";
  EXPECT_EQ(grade().reused, 0u);
  grader::criterion& bandwidth = task.criteria.emplace_back();
  bandwidth.id = "bandwidth";
  bandwidth.gpu.emplace();
  EXPECT_EQ(grade().reused, 0u);
  EXPECT_EQ(grade().reused, 3u);
  task.criteria.back().points = 20;
  EXPECT_EQ(grade().reused, 0u);
  EXPECT_EQ(grade().reused, 3u);
  // On demand.
  EXPECT_EQ(grade(2, true).reused, 0u);
  EXPECT_EQ(graded.size(), 3u);
}

TEST_F(class_of_learners, says_if_it_cannot_write) {
  write("a.cpp", "fine");
  std::ofstream(output) << "a file where the folder should be";
  EXPECT_THROW(grade(), gs::machine_error);
}

TEST_F(class_of_learners, can_be_empty) {
  EXPECT_TRUE(grade().submissions.empty());
  EXPECT_TRUE(fs::exists(output / "report.html"));
}

}  // namespace grade_class_test
