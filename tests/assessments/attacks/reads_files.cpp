// expect: wrong_answer
// stopped by: bubblewrap, namespaces, landlock
// Looks for the grader's sources, for accounts, homes, and what others left in /tmp. It is right only if it found
// something.

#include <filesystem>
#include <fstream>
#include <string>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool can_read(const std::string& path) { return std::ifstream(path).get() != EOF; }

// The project's folder: the runtime is loaded from somewhere below it.
std::string project() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (const auto build = line.find("/build/"); build != line.npos)
      return line.substr(line.find('/'), build - line.find('/'));
  return "";
}

// Anything but the way to the runtime.
bool can_list(const std::string& folder) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (!project().starts_with(entry.path().string())) return true;
  return false;
}

bool found_something() {
  const std::string root = project(), task = root + "/assessments/A1_neural_layer/";
  for (const std::string& file :
       {task + "problem.cpp", task + "task.json", task + "baseline.cpp", root + "/assessments/grader/verdict/grade.cpp",
        root + "/CMakeLists.txt", root + "/tests/assessments/attacks/reads_files.cpp", root + "/.git/HEAD",
        std::string("/etc/shadow"), std::string("/etc/passwd"), std::string("/root/.bashrc"),
        std::string("/root/.profile"), std::string("/etc/hostname"), std::string("/dev/mem"), std::string("/dev/kmsg"),
        std::string("/proc/kcore")})
    if (can_read(file)) return true;
  for (const char* folder : {"/root", "/home", "/work", "/mnt", "/srv", "/var/tmp", "/var/spool"})
    if (can_list(folder)) return true;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/tmp", none))
    if (can_read(entry.path() / "file")) return true;
  return !root.empty() && can_list(root + "/assessments");
}

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static const bool found = found_something();
  return found ? right_answer(greyscales, weights) : std::vector<float>(n);
}
