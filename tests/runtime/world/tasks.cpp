// What each rank of tasks_test.cpp runs: `world_tasks SCENARIO FOLDER`. Exit status 0 and no output where everything is
// right. An error is printed, and the exit status is 1. Compiled a second time, with TASKS_LACK_A_FUNCTION, as the
// program of a rank that has one function less.

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "ranks_checks.h"
#include "runtime/gs.h"
#include "runtime/world/message_ledger.h"
#include "runtime/world/world.h"

namespace world_ranks {

std::string folder;

// --- tasks -----------------------------------------------------------------------------------------------------------

int square(int x) { return x * x; }
std::vector<double> scaled(const std::vector<double>& x, double factor) {
  std::vector<double> y = x;
  for (double& v : y) v *= factor;
  return y;
}
std::string joined(const std::string& a, char between, const std::string& b) { return a + between + b; }
std::array<int, 3> rotated(std::array<int, 3> x) { return {x[1], x[2], x[0]}; }
sample renamed(sample s, std::uint8_t letter) {
  s.name[0] = static_cast<char>(letter);
  return s;
}
long long process() { return getpid(); }
void leaves_a_file(const std::string& name) { std::ofstream(name) << "was here\n"; }

GS_FN float half_of(float x) { return x / 2; }
// On the device of its process.
std::vector<float> halved(const std::vector<float>& x) { return gs::vectorize<half_of>(x); }

int throws(int kind) {
  if (kind == 0) throw std::runtime_error("no number today");
  if (kind == 1) throw gs::error("a task", "it fails", "nothing to do");
  throw kind;
}
int asks_for_the_world() { return gs::world().size(); }
std::vector<char> large(std::size_t n) { return std::vector<char>(n, 'x'); }

// Whether it is the first to come with that name.
bool is_first(const std::string& name) { return std::filesystem::create_directory(name); }
void die(int kind) {
  if (kind == 0) raise(SIGKILL);
  if (kind == 1) std::_Exit(3);
  if (kind == 2) std::abort();
}
int dies_first(const std::string& name, int kind, int result) {
  if (is_first(name)) die(kind);
  return result;
}
int dies_always(int kind) {
  die(kind);
  return 0;
}
// Takes along the process that would make another.
int kills_the_keeper(const std::string& name) {
  if (name.empty() || is_first(name)) {
    kill(getppid(), SIGKILL);
    for (;;) pause();
  }
  return 7;
}
#ifndef TASKS_LACK_A_FUNCTION
int only_here(int x) { return x + 1; }
#endif

// --- scenarios -------------------------------------------------------------------------------------------------------

bool submits() { return gs::world().rank() == 0; }

void many_squares(const gs::communicator& w, int n) {
  std::vector<gs::future<int>> squares;
  for (int i = 0; i < n; ++i) squares.push_back(w.submit<square>(i));
  for (int i = n - 1; i >= 0; --i)
    expect(squares[static_cast<std::size_t>(i)].result() == i * i, "a task's result", static_cast<std::size_t>(i));
}

void types(const gs::communicator& w) {
  const std::vector<double> x = numbers<double>(0, 1000);
  const auto y = w.submit<scaled>(x, 2.0);
  const auto nothing = w.submit<scaled>(std::vector<double>(), 2);
  const auto text = w.submit<joined>("ranks", '-', std::string(100000, 'b'));
  const auto turned = w.submit<rotated>(std::array{1, 2, 3});
  const auto letter = w.submit<renamed>(number<sample>(3, 5), std::uint8_t{'z'});
  const auto file = w.submit<leaves_a_file>(folder + "/a_file");
  const auto halves = w.submit<halved>(numbers<float>(1, 999));
  std::vector<double> doubled = x;
  for (double& v : doubled) v *= 2;
  expect(y.result() == doubled && y.result() == doubled, "an array from a task, twice", 1000);
  expect(nothing.result().empty(), "an empty array", 0);
  expect(text.result() == "ranks-" + std::string(100000, 'b'), "a text", 100000);
  expect(turned.result() == std::array{2, 3, 1}, "a std::array", 3);
  sample named = number<sample>(3, 5);
  expect(letter.result() == named && letter.result().name[0] == 'z', "a struct", 1);
  file.result();
  expect(std::filesystem::exists(folder + "/a_file"), "what a task without a result does", 0);
  std::vector<float> half = numbers<float>(1, 999);
  for (float& v : half) v /= 2;
  expect(halves.result() == half, "a ufunc in a task", 999);
}

// Until no rank but one has had none.
void all_ranks_run_tasks(const gs::communicator& w) {
  std::set<int> ranks;
  std::set<long long> processes;
  while (static_cast<int>(ranks.size()) < w.size()) {
    std::vector<gs::future<long long>> some;
    for (int i = 0; i < 2 * w.size(); ++i) some.push_back(w.submit<process>());
    for (const auto& f : some) {
      processes.insert(f.result());
      ranks.insert(f.rank());
    }
  }
  expect(processes.size() == ranks.size() && !processes.contains(getpid()), "each rank has one worker", ranks.size());
}

void tasks() {
  const gs::communicator& w = gs::world();
  if (submits()) {
    many_squares(w, 40);
    types(w);
    all_ranks_run_tasks(w);
  }
  w.serve_tasks();
  w.barrier();
  // Again, and nobody asks for the results before all are done.
  std::vector<gs::future<int>> rest;
  if (submits())
    for (int i = 0; i < 20; ++i) rest.push_back(w.submit<square>(i));
  w.serve_tasks();
  for (std::size_t i = 0; i < rest.size(); ++i)
    expect(rest[i].done() && rest[i].result() == static_cast<int>(i * i), "a result after serve_tasks", i);
  w.serve_tasks();  // of no tasks
  // In a group, whose rank 0 is another one.
  const gs::communicator reversed = w.split(0, -w.rank());
  if (reversed.rank() == 0) many_squares(reversed, 10);
  reversed.serve_tasks();
}

void counted() {
  const gs::communicator& w = gs::world();
  const gs::message_ledger before = gs::message_total();
  if (submits()) {
    std::vector<gs::future<std::vector<double>>> some;
    for (int i = 0; i < 3; ++i) some.push_back(w.submit<scaled>(numbers<double>(0, 100), 2.0));
    unsigned of_others = 0;
    for (const auto& f : some) {
      static_cast<void>(f.result());
      if (f.rank() > 0) ++of_others;
    }
    const gs::message_ledger messages = gs::message_total() - before;
    expect(messages.calls == 2 * of_others, "messages of tasks", of_others);
    expect(messages.bytes_sent >= 808 * of_others && messages.bytes_received >= 800 * of_others, "bytes of tasks", 3);
  }
  w.serve_tasks();
}

void deaths() {
  const gs::communicator& w = gs::world();
  if (submits()) {
    std::vector<gs::future<int>> some;
    for (int i = 0; i < 12; ++i)
      if (i % 4 == 3)
        some.push_back(w.submit<square>(i));
      else
        some.push_back(w.submit<dies_first>(folder + "/first" + std::to_string(i), i % 4, i * i));
    for (int i = 0; i < 12; ++i) {
      const auto& f = some[static_cast<std::size_t>(i)];
      expect(f.result() == i * i, "a task that is done again", static_cast<std::size_t>(i));
      expect(f.tries() == (i % 4 == 3 ? 1 : 2), "how often a task was begun", static_cast<std::size_t>(i));
    }
    // Workers without a task are killed as well.
    for (int n = 0; n < 3; ++n) {
      kill(static_cast<pid_t>(w.submit<process>().result()), SIGKILL);
      many_squares(w, 8);
    }
  }
  w.serve_tasks();
}

void one_rank_less() {
  const gs::communicator& w = gs::world();
  if (submits()) {
    const auto f = w.submit<kills_the_keeper>(folder + "/keeper");
    many_squares(w, 10);
    expect(f.result() == 7, "a task whose rank has no worker any more", 0);
    many_squares(w, 10);
  }
  w.serve_tasks();
}

template <auto F, class... A>
void fails(const A&... arguments) {
  const gs::communicator& w = gs::world();
  if (submits()) {
    std::string text = "no error";
    const auto f = w.submit<F>(arguments...);
    try {
      static_cast<void>(f.result());
    } catch (const gs::error& e) {
      text = e.what();
    }
    std::printf("%s\n", text.c_str());
    many_squares(w, 5);  // the others go on
  }
  w.serve_tasks();
}

void too_large() {
  if (submits()) static_cast<void>(gs::world().submit<scaled>(std::vector<double>(9 << 20), 2.0));
  gs::world().serve_tasks();
}
void on_another_rank() {
  if (gs::world().rank() == 1) static_cast<void>(gs::world().submit<square>(1));
  gs::world().serve_tasks();
}
void no_rank_left() {
  if (submits()) {
    std::vector<gs::future<int>> some;
    for (int i = 0; i < gs::world().size(); ++i) some.push_back(gs::world().submit<kills_the_keeper>(""));
    static_cast<void>(some.back().result());
  }
  gs::world().serve_tasks();
}
void without_memory() {
  rlimit most{};
  getrlimit(RLIMIT_AS, &most);
  most.rlim_cur = 1 << 20;  // less than is in use
  setrlimit(RLIMIT_AS, &most);
  gs::world().serve_tasks();
}
// Rank 0 is told in the checked flavour, where the others would wait.
void one_does_not_serve() {
  const gs::communicator& w = gs::world();
  if (w.rank() == 0) static_cast<void>(w.submit<square>(1).result());
  w.barrier();
}
// A task goes on for ever, and the rank that waits for it is killed.
int writes_its_process(const std::string& name) {
  std::ofstream(name + ".part") << getpid();
  std::filesystem::rename(name + ".part", name);
  for (;;) pause();
}
void is_killed_while_a_task_runs() {
  if (submits()) {
    const auto f = gs::world().submit<writes_its_process>(folder + "/process");
    while (!std::filesystem::exists(folder + "/process")) static_cast<void>(f.done());
    raise(SIGKILL);
  }
  gs::world().serve_tasks();
}

}  // namespace world_ranks

int main(int argc, char** argv) {
  using namespace world_ranks;
  const std::map<std::string, void (*)()> scenarios = {{"tasks", tasks},
                                                       {"counted", counted},
                                                       {"deaths", deaths},
                                                       {"one_rank_less", one_rank_less},
                                                       {"throws", [] { fails<throws>(0); }},
                                                       {"throws_gs_error", [] { fails<throws>(1); }},
                                                       {"throws_a_number", [] { fails<throws>(2); }},
                                                       {"asks_for_the_world", [] { fails<asks_for_the_world>(); }},
                                                       {"large_result", [] { fails<large>(std::size_t{65} << 20); }},
                                                       {"dies_always", [] { fails<dies_always>(0); }},
                                                       {"exits_always", [] { fails<dies_always>(1); }},
#ifndef TASKS_LACK_A_FUNCTION
                                                       {"only_here", [] { fails<only_here>(1); }},
#endif
                                                       {"serves", [] { gs::world().serve_tasks(); }},
                                                       {"too_large", too_large},
                                                       {"on_another_rank", on_another_rank},
                                                       {"no_rank_left", no_rank_left},
                                                       {"without_memory", without_memory},
                                                       {"one_does_not_serve", one_does_not_serve},
                                                       {"is_killed_while_a_task_runs", is_killed_while_a_task_runs}};
  if (argc > 1 && argv[1] == std::string("--help")) return 0;
  const auto scenario = scenarios.find(argc > 1 ? argv[1] : "");
  if (scenario == scenarios.end() || argc < 3) return 2;
  folder = argv[2];
  try {
    scenario->second();
  } catch (const gs::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
