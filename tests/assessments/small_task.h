#pragma once
// The small task of these tests, for the grader's side.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "assessments/grader/tasks/problem.h"
#include "assessments/grader/tasks/task.h"
#include "assessments/runner/message.h"
#include "tests/assessments/small_task/behaviours.h"

namespace small_task {

inline const std::filesystem::path folder = SMALL_TASK_FOLDER;

inline grader::task task() {
  grader::task t;
  t.id = "T1";
  t.name = t.title = "small";
  t.function = "act";
  t.signature =
      "std::vector<float> act(int, std::span<const float>, const gs::device_array<float>&, const "
      "gs::device_array<float>&);";
  t.folder = folder;
  t.limits.call_seconds = 20;
  return t;
}

inline grader::test_case sized(std::uint64_t n, const std::string& behaviour = "right") {
  return {.sizes = {{"values", n}}, .data = behaviour};
}

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The line of many_faces.cpp that holds the text; 0 if none does.
inline unsigned line_with(const std::string& text) {
  const std::string source = text_of(folder / "many_faces.cpp");
  const std::size_t at = source.find(text);
  if (at == source.npos) return 0;
  return 1 + static_cast<unsigned>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// many_faces.cpp with what it can't include: the list of behaviours, in one line so that its own keep their numbers.
inline void write_many_faces(const std::filesystem::path& to) {
  std::string list;
  for (const std::string_view name : behaviours) list += "\"" + std::string(name) + "\", ";
  const std::string line = "#define REPLY_BYTES " + std::to_string(sizeof(runner::reply)) + "\n#define SECRET_FILE \"" +
                           __FILE__ + "\"\nconstexpr int behaviour(const char* name) { const char* const all[] = {" +
                           list +
                           "}; int k = 0; for (const char* one : all) { if (__builtin_strcmp(one, name) == 0) return "
                           "k; ++k; } throw name; }\n"
                           "#line " +
                           std::to_string(line_with("// BEHAVIOURS") + 1) + "\n";
  std::string source = text_of(folder / "many_faces.cpp");
  const std::string mark = "// BEHAVIOURS\n";
  source.replace(source.find(mark), mark.size(), line);
  std::ofstream(to) << source;
}

class problem final : public grader::problem {
 public:
  grader::call_plan plan(const grader::test_case& c) const override {
    const std::vector<std::size_t> extents = {c.sizes.at("values")};
    using role = grader::array_role;
    return {.arrays = {{"x", role::host_input, extents},
                       {"held", role::device_input, extents},
                       {"out", role::device_output, extents},
                       {"y", role::host_output, extents}},
            .numbers = {static_cast<double>(behaviour(c.data))}};
  }
  void make_inputs(const grader::test_case&, std::uint64_t seed,
                   std::span<const std::span<std::byte>> arrays) const override {
    std::mt19937_64 random(seed);
    for (const std::span<std::byte> array : arrays)
      for (std::size_t k = 0; k < array.size() / sizeof(float); ++k)
        reinterpret_cast<float*>(array.data())[k] = static_cast<float>(random() % 100'000) / 7;
  }
  std::optional<grader::wrong_answer> check(const grader::test_case& c,
                                            std::span<const std::span<const std::byte>> arrays) const override {
    const auto at = [&](std::size_t array, std::size_t k) {
      return reinterpret_cast<const float*>(arrays[array].data())[k];
    };
    std::optional<grader::wrong_answer> first;
    for (std::size_t k = 0; k < c.sizes.at("values"); ++k)
      for (const std::size_t array : {2u, 3u}) {
        const float expected = array == 2 ? 2 * at(1, k) : at(0, k) + 1;
        if (at(array, k) == expected) continue;
        if (!first)
          first = {.array = array == 2 ? "out" : "y",
                   .index = {k},
                   .extents = {c.sizes.at("values")},
                   .expected = expected,
                   .got = at(array, k),
                   .explanation = ""};
        ++first->wrong;
      }
    return first;
  }
};

}  // namespace small_task
