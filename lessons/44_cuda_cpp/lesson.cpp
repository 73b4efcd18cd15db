// Lesson 44: three programs with gs (with_gs.h) and in CUDA C++ (by_hand.cu): the same bits, and what gs writes for
// you.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lessons/44_cuda_cpp/with_gs.h"
#include "runtime/core/error.h"
#include "runtime/gs.h"
#include "workbook/lesson.h"
#include "workshop/build_parts.h"
#include "workshop/file_text.h"
#include "workshop/process.h"

// --- with gs ---------------------------------------------------------------------------------------------------------

struct numbers {
  std::vector<float> x, y;
};

// The ones that by_hand.cu makes.
numbers made_of(std::size_t n) {
  numbers made{.x = std::vector<float>(n), .y = std::vector<float>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    made.x[i] = static_cast<float>(i * 37 % 1009) / 1009;
    made.y[i] = 1.0f / static_cast<float>(1 + i);
  }
  return made;
}

struct results {
  std::vector<float> sum, block_sums;
  std::vector<unsigned> counts;
};

results computed(const numbers& in) {
  return {.sum = with_gs::added(in.x, in.y), .block_sums = with_gs::summed(in.x), .counts = with_gs::counted(in.x)};
}

// Against plain loops.
void check(const numbers& in, const results& got, workbook::report& report) {
  std::size_t wrong_sums = 0;
  std::vector<double> block_sums(got.block_sums.size());
  std::vector<unsigned> counts(with_gs::bins);
  for (std::size_t i = 0; i < in.x.size(); ++i) {
    wrong_sums += got.sum[i] != in.x[i] + in.y[i];
    block_sums[i / with_gs::block] += static_cast<double>(in.x[i]);
    ++counts[static_cast<std::size_t>(in.x[i] * with_gs::bins)];
  }
  double furthest = 0;
  for (std::size_t k = 0; k < block_sums.size(); ++k)
    furthest = std::max(furthest, std::abs(static_cast<double>(got.block_sums[k]) - block_sums[k]));
  report.check_equal("wrong sums of x and y", wrong_sums, 0);
  report.check_at_most("sums of blocks, furthest from those in float64", furthest, 1e-4);
  report.check("the histogram is a plain loop's", got.counts == counts);
}

// --- by hand ---------------------------------------------------------------------------------------------------------

std::filesystem::path beside_this_file(const std::string& name) {
  return std::filesystem::path(__FILE__).parent_path() / name;
}

// FNV-1a of all the bits, as by_hand.cu has it.
template <class T>
std::string fingerprint(const std::vector<T>& values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t k = 0; k < values.size() * sizeof(T); ++k) hash = (hash ^ bytes[k]) * 0x100000001b3;
  std::string digits;
  for (int k = 60; k >= 0; k -= 4) digits += "0123456789abcdef"[hash >> k & 15];
  return digits;
}

// What by_hand.cu prints: a name and what it says of it, a line each. Or why there is nothing.
struct printed {
  std::map<std::string, std::string> lines = {};
  std::string problem = {};
  bool is_lack = false;  // of this machine: no mistake of the program
};

// As `./gridstride run lessons/44_cuda_cpp/by_hand.cu N` does it.
printed run_by_hand(std::size_t n) {
  const auto program = workshop::build_folder(workshop::flavour::plain) / "programs/gridstride-program";
  if (!std::filesystem::exists(program))
    return {.problem = "this build has nothing that compiles CUDA C++", .is_lack = true};
  const workshop::program_result ended = workshop::run_program(
      {.command = {program.string(), "run", beside_this_file("by_hand.cu").string(), std::to_string(n)}}, 120);
  if (ended.timed_out) return {.problem = "it took longer than 120 s"};
  if (ended.status != 0) return {.problem = ended.output, .is_lack = ended.status == 3};
  printed made;
  std::istringstream text(ended.output);
  for (std::string line; std::getline(text, line);) {
    const std::size_t end = line.starts_with("2048 threads: ") ? line.find(':') : line.find(' ');
    const std::size_t next = line.find_first_not_of(": ", end);
    if (end != line.npos && next != line.npos) made.lines[line.substr(0, end)] = line.substr(next);
  }
  return made;
}

void compare(const results& got, const printed& by_hand, workbook::report& report) {
  report.heading("The same bits");
  const std::vector<std::pair<std::string, std::string>> with_gs{
      {"add", fingerprint(got.sum)}, {"block_sums", fingerprint(got.block_sums)}, {"count", fingerprint(got.counts)}};
  auto& table = report.table("Fingerprints of the results", {"program", "with gs", "by hand"});
  for (const auto& [name, print] : with_gs) {
    const auto other = by_hand.lines.find(name);
    table.row(name, print, other == by_hand.lines.end() ? "" : other->second);
    if (by_hand.is_lack) continue;
    report.check(name + ": the same bits by hand", other != by_hand.lines.end() && other->second == print);
  }
  if (!by_hand.problem.empty()) report.paragraph("by_hand.cu has not run: " + by_hand.problem + ".");
}

// --- what was written ------------------------------------------------------------------------------------------------

// The lines of the three programs that aren't blank and aren't comments; `end` begins what comes after them.
std::vector<std::string> code_of(const std::string& file, const std::string& end) {
  std::istringstream text(workshop::read_text(beside_this_file(file), "reading " + file));
  std::vector<std::string> lines;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("// --- ")) inside = !line.starts_with("// --- " + end);
    const std::size_t first = line.find_first_not_of(' ');
    if (inside && first != line.npos && !line.substr(first).starts_with("//")) lines.push_back(line);
  }
  return lines;
}

std::size_t count_of(const std::vector<std::string>& lines, const std::vector<std::string>& words) {
  std::size_t found = 0;
  for (const std::string& line : lines)
    for (const std::string& word : words)
      for (std::size_t at = 0; (at = line.find(word, at)) != line.npos; at += word.size()) ++found;
  return found;
}

void what_was_written(const gs::ledger& account, workbook::report& report) {
  report.heading("What you write, and what happens");
  const auto by_hand = code_of("by_hand.cu", "main"), with_gs = code_of("with_gs.h", "done");
  auto& table = report.table("In the sources of the three programs", {"", "by_hand.cu", "with_gs.h"});
  table.row("lines of code", by_hand.size(), with_gs.size());
  const auto row = [&](const std::string& what, const std::vector<std::string>& words) {
    const std::size_t left = count_of(by_hand, words), right = count_of(with_gs, words);
    table.row(what, left, right);
    return std::pair(left, right);
  };
  const auto asked = row("memory asked for", {"cudaMalloc(", "gs::device_array<", "gs::to_device("});
  row("copied or filled", {"cudaMemcpy(", "cudaMemset(", "gs::to_device(", "copy_to_host("});
  row("memory given back", {"cudaFree("});
  row("sizes in bytes", {"sizeof("});
  row("error codes looked at", {"CHECK("});
  row("launches", {"<<<", "gs::launch<"});
  report.account("with gs, the three programs", account);
  report.check_equal("arrays that gs made, and that by_hand.cu asks for", account.allocations, asked.first);
  report.check_equal("launches", account.launches, 3);
}

// --- an error --------------------------------------------------------------------------------------------------------

void too_many_threads(const printed& by_hand, workbook::report& report) {
  report.heading("A launch that no device can do");
  std::string said;
  try {
    const gs::device_array<float> x(1);
    gs::launch<with_gs::add>({.grid = 1, .block = 2048}, x, x, x);
  } catch (const gs::error& e) {
    said = e.what();
  }
  auto& table = report.table("A block of 2048 threads", {"", "what you hear of it"});
  table.row("with gs", said);
  report.check("gs throws", said.find("2048") != std::string::npos);
  if (const auto line = by_hand.lines.find("2048 threads"); line != by_hand.lines.end()) {
    table.row("by hand", line->second);
    report.check("by hand it is a code, and nothing has run",
                 line->second == "cudaErrorInvalidConfiguration, nothing ran");
  }
}

void run(const workbook::parameters& given, workbook::report& report) {
  const numbers in = made_of(given.size());
  const gs::ledger_scope scope;
  const results got = computed(in);
  const gs::ledger account = scope.account();
  check(in, got, report);
  const printed by_hand = run_by_hand(given.size());
  compare(got, by_hand, report);
  what_was_written(account, report);
  too_many_threads(by_hand, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 44,
          .name = "cuda_cpp",
          .title = "CUDA C++, by hand",
          .summary = "Three programs as they are written for nvcc: the same bits, and all that gs has written for you.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers",
                                           .min = 1,
                                           .max = 10'000'000,
                                           .default_value = 100'000,
                                           .inspected = 10'000}},
          .run = run};
}
