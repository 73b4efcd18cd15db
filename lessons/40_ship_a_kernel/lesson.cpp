// Lesson 40: a kernel is sent as text to where the data is, compiled there, and run in a sandbox.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "lessons/40_ship_a_kernel/shipped_kernel.h"
#include "runtime/gs.h"
#include "runtime/world/world.h"
#include "workbook/lesson.h"

// --- the kernels -----------------------------------------------------------------------------------------------------

// What is sent: a file that defines `float kernel(float)`.
const std::string newton = R"(#include "runtime/gs.h"
GS_FN float kernel(float x) {  // the root of x, by Newton's steps
  float y = 0.5f * (1 + x);
  for (int k = 0; k < 6; ++k) y = 0.5f * (y + x / y);
  return y;
}
)";
const std::string misspelt = R"(#include "runtime/gs.h"
GS_FN float kernel(float x) { return 0.5f * (x + y); }
)";
const std::string endless = R"(#include "runtime/gs.h"
GS_FN float kernel(float x) {
  volatile bool goes_on = true;
  while (goes_on) x += 1;
  return x;
}
)";
// Before main, and not in the kernel: code is code, wherever it stands.
std::string curious(const std::string& file) {
  return R"(#include <fstream>
#include <string>
#include "runtime/gs.h"
static float letters_read() {
  std::ifstream secret(")" +
         file + R"(");
  std::string word;
  secret >> word;
  return static_cast<float>(word.size());
}
static const float letters = letters_read();
GS_FN float kernel(float) { return letters; }
)";
}

// --- to all ranks and back -------------------------------------------------------------------------------------------

void broadcast_text(const gs::communicator& world, std::string& text) {
  std::vector<char> letters(text.begin(), text.end());
  std::size_t length = letters.size();
  world.broadcast(length);
  letters.resize(length);
  world.broadcast(letters);
  text.assign(letters.begin(), letters.end());
}

// A text of each rank, on rank 0; empty on the others.
std::vector<std::string> gather_texts(const gs::communicator& world, const std::string& text) {
  const auto lengths = world.gather(text.size());
  const auto letters = world.gather(std::vector<char>(text.begin(), text.end()));
  std::vector<std::string> texts;
  if (!lengths) return texts;
  auto next = letters->begin();
  for (const std::size_t length : *lengths) {
    const auto end = next + static_cast<std::ptrdiff_t>(length);
    texts.emplace_back(next, end);
    next = end;
  }
  return texts;
}

// What became of a kernel on this rank.
struct compiled_here {
  std::optional<shipped::program> program = {};
  std::string problem = {};
  bool came_compiled = false;  // by rank 0
  std::size_t code_bytes = 0;  // of what rank 0 has sent
};

compiled_here compile_here(const std::string& text, bool has_compiler) {
  compiled_here made;
  try {
    if (!has_compiler) throw gs::machine_error("compile a kernel", "this rank has no compiler", "install g++");
    auto result = shipped::compile(text);
    if (auto* const failed = std::get_if<shipped::failure>(&result))
      made.problem = failed->text;
    else
      made.program = std::get<shipped::program>(result);
  } catch (const gs::machine_error& e) {
    made.problem = e.what();
  }
  return made;
}

// The first rank of each machine compiles, the others find the program stored. Where it isn't, each compiles.
compiled_here compile_on_each(const gs::communicator& world, const std::string& text, bool has_compiler) {
  const gs::communicator machine = world.split_by_machine();
  compiled_here made;
  for (const bool first : {true, false}) {
    if ((machine.rank() == 0) == first) made = compile_here(text, has_compiler);
    machine.barrier();
  }
  return made;
}

// Rank 0 compiles, and sends machine code beside the text, which is compiled anew where the code doesn't fit. `fits`:
// what this rank says of its processor, compiler and libraries; empty where it can't say.
compiled_here compile_on_rank_0(const gs::communicator& world, const std::string& text, bool has_compiler,
                                const std::string& fits) {
  compiled_here made;
  shipped::machine_code code;
  if (world.rank() == 0) made = compile_here(text, has_compiler);
  if (made.program) code = shipped::code_of(*made.program);
  broadcast_text(world, code.fits);
  broadcast_text(world, code.bytes);
  if (world.rank() != 0) {
    made.program = shipped::program_from(code, fits);
    made.came_compiled = made.program.has_value();
    if (!made.program) {
      made = compile_here(text, has_compiler);
      if (made.program && !code.bytes.empty())
        made.problem = "the machine code doesn't fit here, and the text was compiled anew";
    }
  }
  made.code_bytes = code.bytes.size();
  return made;
}

// As even as can be among those that can; nothing for the others.
std::vector<std::size_t> shares(std::size_t n, const std::vector<int>& able) {
  const auto count = static_cast<std::size_t>(std::accumulate(able.begin(), able.end(), 0));
  std::vector<std::size_t> parts(able.size(), 0);
  std::size_t k = 0;
  for (std::size_t r = 0; r < able.size() && count > 0; ++r)
    if (able[r] != 0) {
      parts[r] = n / count + (k < n % count ? 1 : 0);
      ++k;
    }
  return parts;
}

// On rank 0: what became of the kernel on all of them.
struct outcome {
  std::vector<int> able;                   // 1 for each rank that has compiled it
  std::vector<std::string> problems = {};  // of each rank; empty: none
  std::vector<float> results = {};         // none where a rank that ran it failed
  int compiled_by = 0;                     // ranks
  double compile_seconds = 0;              // of the slowest rank
  std::size_t code_bytes = 0;              // of the machine code that was sent
  bool all_were_stored = false;
};

// What each rank has, run on its part of the numbers.
outcome run_on_each(const gs::communicator& world, compiled_here made, const std::vector<float>& x, double seconds) {
  outcome o{.able = world.allgather(made.program ? 1 : 0)};
  o.compiled_by = world.allreduce(made.program && !made.came_compiled ? 1 : 0);
  o.compile_seconds = world.allreduce(made.program ? made.program->seconds : 0.0, gs::fold::maximum);
  o.code_bytes = made.code_bytes;
  o.all_were_stored = std::ranges::count(o.able, 1) > 0 &&
                      world.allreduce(!made.program || made.program->was_stored ? 1 : 0, gs::fold::minimum) == 1;
  std::vector<float> part, results;
  std::size_t n = x.size();
  world.broadcast(n);
  if (std::ranges::count(o.able, 1) > 0) part = world.scatter(x, 0, shares(n, o.able));
  if (made.program && !part.empty()) {
    auto ran = shipped::run(*made.program, part, seconds);
    if (auto* const failed = std::get_if<shipped::failure>(&ran))
      made.problem = failed->text;
    else
      results = std::get<std::vector<float>>(ran);
  }
  o.problems = gather_texts(world, made.problem);
  if (auto all = world.gather(results)) o.results = std::move(*all);
  return o;
}

outcome ship(const gs::communicator& world, std::string text, const std::vector<float>& x, double seconds,
             long long without) {
  broadcast_text(world, text);
  return run_on_each(world, compile_on_each(world, text, world.rank() != without), x, seconds);
}

outcome ship_compiled(const gs::communicator& world, std::string text, const std::vector<float>& x, double seconds,
                      long long without, long long misfit) {
  broadcast_text(world, text);
  std::string fits;
  if (world.rank() != misfit) fits = shipped::fitting_here();
  return run_on_each(world, compile_on_rank_0(world, text, world.rank() != without, fits), x, seconds);
}

// --- functions that all ranks have
// ------------------------------------------------------------------------------------

// n, then n / 2 or 3 n + 1, until it is 1 (L. Collatz): nobody knows beforehand how long it takes.
struct collatz_run {
  long long start = 1;
  int steps = 0;
};
collatz_run longest_run(long long first, long long last) {
  collatz_run longest;
  for (long long start = first; start < last; ++start) {
    collatz_run run{.start = start};
    for (long long n = start; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) ++run.steps;
    if (run.steps > longest.steps) longest = run;
  }
  return longest;
}
// Its process is killed the first time, as one that takes too much memory is.
collatz_run killed_at_first(long long first, long long last, const std::string& mark) {
  std::error_code failed;
  if (std::filesystem::create_directory(mark, failed)) std::raise(SIGKILL);
  return longest_run(first, last);
}
collatz_run refused(long long first, long long) {
  if (first < 1) throw std::invalid_argument("a run begins at 1 or more, and not at " + std::to_string(first));
  return {};
}

struct task_row {
  std::string text;
  int rank, tries;
};
// On rank 0: where each range was searched, the longest run of all, and what the task said that has no result.
struct searched {
  std::vector<task_row> rows;
  collatz_run longest;
  std::string refusal;
};

searched search(const gs::communicator& world, long long numbers) {
  searched s;
  const workshop::private_folder folder;
  if (world.rank() == 0) {
    constexpr long long ranges = 8;
    std::vector<gs::future<collatz_run>> runs;
    const auto begin = [&](long long range) { return 1 + numbers * range / ranges; };
    for (long long r = 0; r < ranges; ++r)
      runs.push_back(r == 2 ? world.submit<killed_at_first>(begin(r), begin(r + 1), (folder.path() / "mark").string())
                            : world.submit<longest_run>(begin(r), begin(r + 1)));
    const auto wrong = world.submit<refused>(0, 1);
    for (long long r = 0; r < ranges; ++r) {
      const auto& run = runs[static_cast<std::size_t>(r)];
      const collatz_run found = run.result();
      if (found.steps > s.longest.steps) s.longest = found;
      s.rows.push_back({"from " + std::to_string(begin(r)), run.rank(), run.tries()});
    }
    try {
      static_cast<void>(wrong.result());
    } catch (const gs::error& e) {
      s.refusal = e.found();
    }
  }
  world.serve_tasks();
  return s;
}

void show(const searched& s, long long numbers, workbook::report& report) {
  report.heading("Functions that all ranks have");
  auto& table = report.table("The longest run of 1 to " + std::to_string(numbers) + ": from " +
                                 std::to_string(s.longest.start) + ", " + std::to_string(s.longest.steps) + " steps",
                             {"numbers", "on rank", "processes"});
  for (const task_row& row : s.rows) table.row(row.text, row.rank, row.tries);
  report.paragraph("What another task said: " + s.refusal + ".");
  const collatz_run expected = longest_run(1, numbers + 1);
  report.check_equal("where the longest run begins", s.longest.start, expected.start);
  report.check_equal("its steps", s.longest.steps, expected.steps);
  report.check("a task's exception comes to its result",
               s.refusal.find("a run begins at 1 or more, and not at 0") != std::string::npos);
}

// --- what the lesson shows -------------------------------------------------------------------------------------------

std::string count_text(const outcome& o) {
  return std::to_string(o.compiled_by) + " of " + std::to_string(o.able.size());
}
std::string first_problem(const outcome& o) {
  for (std::size_t r = 0; r < o.problems.size(); ++r)
    if (!o.problems[r].empty()) return "rank " + std::to_string(r) + ": " + o.problems[r];
  return "";
}

// A file that only this user can read, which somebody else's kernel tries to. Its name stays the same from run to run,
// since it is a part of that kernel.
class secret_file {
 public:
  secret_file() : path_((shipped::store().empty() ? folder_.path() : shipped::store()) / "secret") {
    std::ofstream(path_) << "password\n";
  }
  const std::filesystem::path& path() const { return path_; }
  std::size_t letters() const {
    std::string word;
    std::ifstream(path_) >> word;
    return word.size();
  }

 private:
  workshop::private_folder folder_;
  std::filesystem::path path_;
};

double largest_error(const std::vector<float>& roots, const std::vector<float>& x) {
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::sqrt(static_cast<double>(x[i]));
    error = std::max(error, std::abs(static_cast<double>(roots[i]) - expected) / expected);
  }
  return error;
}

void run(const workbook::parameters& given, workbook::report& report) {
  const gs::communicator& world = gs::world();
  const long long without = given.integer("without");
  const secret_file secret;
  std::vector<float> x(world.rank() == 0 ? given.size() : 0);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5f + static_cast<float>(i % 1000) / 500;

  report.heading("Four kernels, as text");
  const outcome root = ship(world, newton, x, 20, without);
  const outcome wrong = ship(world, misspelt, x, 20, without);
  const outcome spy = ship(world, curious(secret.path().string()), x, 20, without);
  const outcome stuck = ship(world, endless, x, 1, without);
  const outcome again = ship(world, newton, x, 20, without);
  const outcome code = ship_compiled(world, newton, x, 20, without, given.integer("misfit"));
  const auto numbers = static_cast<long long>(given.size());
  const searched tasks = search(world, numbers);
  if (world.rank() != 0) return;

  auto& table = report.table("On " + std::to_string(world.size()) + (world.size() == 1 ? " rank" : " ranks"),
                             {"kernel", "compiled by", "took", "results", "what a rank says"});
  const auto row = [&](const char* name, const outcome& o) {
    workbook::cell took;
    if (o.all_were_stored)
      took = "stored";
    else if (o.compile_seconds > 0)
      took = workbook::seconds(o.compile_seconds);
    table.row(name, count_text(o), took, o.results.size(), first_problem(o));
  };
  row("roots", root);
  row("misspelt", wrong);
  row("curious", spy);
  row("endless", stuck);
  row("roots, again", again);
  row("roots, compiled", code);

  const bool somebody_can = std::accumulate(root.able.begin(), root.able.end(), 0) > 0;
  if (!somebody_can)
    throw gs::machine_error("compiling a kernel on each rank", "none of them can: " + first_problem(root),
                            "try ./gridstride doctor on their machines");
  report.check_equal("results of the roots", root.results.size(), x.size());
  if (root.results.size() == x.size())
    report.check_at_most("largest error of a root, in float32's steps", largest_error(root.results, x) / 1.2e-7, 2.0);
  report.check("machine code gives the same roots", code.results == root.results);
  report.check("nobody compiles the misspelt one, and all go on",
               std::accumulate(wrong.able.begin(), wrong.able.end(), 0) == 0 && !first_problem(wrong).empty());
  if (code.code_bytes > 0)
    report.paragraph("The text of the roots has " + std::to_string(newton.size()) + " bytes, the machine code " +
                     std::to_string(code.code_bytes) + ".");
  const std::string level = workshop::to_string(workshop::strongest_isolation());
  report.paragraph("The sandbox of rank 0: " + level + ".");
  auto& read = report.table("Letters of a file that is only yours", {"read by", {"letters", ""}});
  read.row("this program", secret.letters());
  read.row("the curious kernel", spy.results.empty() ? -1.0f : *std::ranges::max_element(spy.results));
  if (workshop::strongest_isolation() != workshop::isolation::limits)
    report.check("the curious kernel reads nothing, and nothing else stops it",
                 spy.results.size() == x.size() && *std::ranges::max_element(spy.results) == 0);
  report.check("the endless one is stopped", stuck.results.empty() && !first_problem(stuck).empty());
  if (!shipped::store().empty()) report.check("the second time nobody compiles", again.all_were_stored);
  show(tasks, numbers, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 40,
      .name = "ship_a_kernel",
      .title = "A kernel goes to where the data is",
      .summary = "A kernel's source is sent to all ranks, compiled there for their processors, and run in a sandbox.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "numbers",
                                       .min = 1,
                                       .max = 10'000'000,
                                       .default_value = 1'000'000,
                                       .inspected = 1000},
                     workbook::integer{.name = "without",
                                       .text = "a rank that has no compiler; -1: none",
                                       .min = -1,
                                       .max = 4095,
                                       .default_value = -1},
                     workbook::integer{.name = "misfit",
                                       .text = "a rank that machine code doesn't fit; -1: none",
                                       .min = -1,
                                       .max = 4095,
                                       .default_value = -1}},
      .run = run};
}
