#pragma once
// A lesson's program, run as a learner runs it: options in, exit status and JSON out.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// Times are not what is tested here: each may take this long, unless a test says otherwise.
inline const int short_timings = setenv("GRIDSTRIDE_TIMEIT_SECONDS", "0.02", 1);

struct lesson_outcome {
  int status = -1;  ///< exit status; -1 if a signal ended the program
  std::string out;  ///< what it printed, on both streams
};

/// Runs a shell command and waits for it.
inline lesson_outcome run_command(const std::string& command) {
  std::FILE* pipe = popen((command + " </dev/null").c_str(), "r");
  if (!pipe) throw std::runtime_error("popen: the command can't be started: " + command);
  lesson_outcome outcome;
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) outcome.out.append(part.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

/// `name` is the lesson's folder, "06_gaussian_pdf".
inline std::string lesson_program(const std::string& name) { return "'" LESSON_PROGRAMS "/" + name + "'"; }

inline lesson_outcome run_lesson(const std::string& name, const std::string& options) {
  return run_command(lesson_program(name) + " " + options + " 2>&1");
}

/// The option that sets a lesson's size; empty if the lesson has no size to choose.
inline std::string size_option(const std::string& name, const std::string& size) {
  return run_lesson(name, "--help").out.find("--size") != std::string::npos ? " --size " + size : "";
}

/// The report of a run that must end well: status 0, one JSON document, every check passed.
inline nlohmann::json passing_report(const std::string& name, const std::string& options) {
  const lesson_outcome outcome = run_command(lesson_program(name) + " --json " + options + " 2>/dev/null");
  EXPECT_EQ(outcome.status, 0) << name << " " << options << "\n" << run_lesson(name, options).out;
  const nlohmann::json report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report.at("status"), "passed");
  EXPECT_GE(report.at("checks").at("all"), 1) << name << " checks nothing";
  for (const nlohmann::json& item : report.at("items")) {
    if (item.at("kind") != "check") continue;
    EXPECT_TRUE(item.at("passed")) << name << " " << options << ": " << item.dump();
  }
  return report;
}

/// The items of a report of one kind, in order: "check", "table", "timing", "ledger", "xy plot", ...
inline std::vector<nlohmann::json> items_of(const nlohmann::json& report, const std::string& kind) {
  std::vector<nlohmann::json> documents;
  for (const nlohmann::json& item : report.at("items"))
    if (item.at("kind") == kind) documents.push_back(item);
  return documents;
}

/// A prime size that a lesson's run takes little time with; smaller where it is the side of a matrix.
inline std::string prime_size(const std::string& name) {
  return name == "24_matmul" || name == "26_diffusion" || name == "27_fft_mask" || name == "41_distributed_diffusion"
             ? "101"
             : "1009";
}

/// Every lesson there is, by its folder, but for those that this build can't have.
inline std::vector<std::string> lesson_names() {
  const std::string left_out = " " LESSONS_LEFT_OUT " ";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LESSON_SOURCES)) {
    const std::string name = entry.path().filename();
    if (left_out.find(" " + name + " ") != left_out.npos) continue;
    if (std::filesystem::exists(entry.path() / "lesson.cpp")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}
inline std::string test_name(const testing::TestParamInfo<std::string>& info) { return info.param; }
