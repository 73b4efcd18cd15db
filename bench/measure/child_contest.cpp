#include "bench/measure/child_contest.h"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/machine/machine.h"
#include "bench/measure/agreement.h"
#include "bench/measure/statistics.h"
#include "runtime/core/error.h"

namespace bench {
namespace {

using message = nlohmann::json;

void say(std::FILE* out, const message& m) {
  fmt::print(out, "{}\n", m.dump());
  std::fflush(out);
}

cpu_set_t first_cores(std::size_t count) {
  cpu_set_t allowed, first;
  CPU_ZERO(&allowed);
  CPU_ZERO(&first);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (std::size_t core = 0; core < CPU_SETSIZE && count > 0; ++core)
    if (CPU_ISSET(core, &allowed)) {
      CPU_SET(core, &first);
      --count;
    }
  return first;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment(std::size_t cores) {
  constexpr std::string_view name = "GRIDSTRIDE_THREADS=";
  std::vector<std::string> all{std::string(name) + std::to_string(cores)};
  for (char** one = environ; *one; ++one)
    if (!std::string_view(*one).starts_with(name)) all.emplace_back(*one);
  return all;
}

gs::machine_error no_answer(std::size_t cores, const std::string& found) {
  return {fmt::format("a measurement on {} core{}", cores, cores == 1 ? "" : "s"), found,
          "run this workload alone to see what it says"};
}

// Half the width of the widest interval of a speed-up of ours, over its median.
double uncertainty_of(const std::vector<std::vector<entrant>>& on) {
  double widest = 0;
  for (std::size_t e = 0; e < on.front().size(); ++e)
    for (std::size_t k = 1; k < on.size() && on.front()[e].role == role::ours; ++k) {
      const estimate speedup = paired_ratio(on.front()[e].seconds, on[k][e].seconds);
      widest = std::max(widest, (speedup.high - speedup.low) / 2 / speedup.median);
    }
  return widest;
}

void measure_scaling(scaling& s, const std::vector<std::string>& command, const stopping_rule& rule, double allowed) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  if (const std::size_t needed = s.what.memory * s.cores.size(), free = free_memory(); needed > free) {
    s.skipped = fmt::format("needs {:.1f} GB of memory, a copy for each number of cores; {:.1f} GB are free",
                            static_cast<double>(needed) / 1e9, static_cast<double>(free) / 1e9);
    return;
  }
  std::vector<std::unique_ptr<child_contest>> children;
  for (const std::size_t cores : s.cores) children.push_back(std::make_unique<child_contest>(command, cores));
  std::vector<std::size_t> order(children.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 shuffle{1};
  std::size_t round = 0;
  do {
    std::ranges::shuffle(order, shuffle);
    for (const std::size_t i : order) children[i]->round();
    s.on.clear();
    for (const auto& child : children) {
      s.on.push_back(child->entrants());
      std::erase_if(s.on.back(), [](const entrant& e) { return e.hardware != hardware::all_cores; });
    }
    if (s.on.front().empty()) return;
  } while (!rule.ends(++round, uncertainty_of(s.on), seconds(), allowed));
}

}  // namespace

void serve_rounds(const workload& w, std::FILE* in, std::FILE* out) {
  contest c;
  try {
    c = w.prepare();
    c.warm_up();
  } catch (const disagreement& found) {
    return say(out, {{"wrong", found.what()}});
  } catch (const gs::machine_error& lack) {
    return say(out, {{"skipped", lack.what()}});
  }
  message all = message::array();
  for (const entrant& e : c.entrants())
    all.push_back({{"name", e.name}, {"role", e.role}, {"hardware", e.hardware}, {"calls", e.calls}});
  settle();
  say(out, {{"entrants", all}});
  for (char line[16]; std::fgets(line, sizeof line, in) && std::strcmp(line, "round\n") == 0;) {
    c.round();
    settle();  // or its waiting threads would disturb the next process
    message seconds = message::array();
    for (const entrant& e : c.entrants()) seconds.push_back(e.seconds.back());
    say(out, {{"seconds", seconds}});
  }
}

child_contest::child_contest(const std::vector<std::string>& command, std::size_t cores, double patience)
    : cores_(cores), patience_(patience) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw no_answer(cores, std::strerror(errno));
  child_.talk = ends[0];
  // What the child needs is made before it is forked: another thread may hold the lock of malloc at that moment.
  const cpu_set_t own = first_cores(cores);
  std::vector<std::string> words = command, variables = environment(cores);
  const auto arguments = pointers(words), with = pointers(variables);
  child_.id = fork();
  if (child_.id == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sched_setaffinity(0, sizeof own, &own);
    dup2(ends[1], STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    execve(arguments[0], arguments.data(), with.data());
    _exit(127);
  }
  close(ends[1]);
  if (child_.id < 0) throw no_answer(cores, std::strerror(errno));
  try {
    const message hello = message::parse(answer());
    if (hello.contains("wrong")) throw disagreement(hello["wrong"]);
    if (hello.contains("skipped")) throw no_answer(cores, hello["skipped"]);
    for (const message& e : hello.at("entrants"))
      entrants_.push_back({.name = e.at("name"),
                           .role = e.at("role"),
                           .hardware = e.at("hardware"),
                           .run = {},
                           .calls = e.at("calls"),
                           .seconds = {}});
  } catch (const message::exception&) {
    throw no_answer(cores, "the process says something that isn't its protocol");
  }
}

child_contest::process::~process() {
  if (talk >= 0) close(talk);
  if (id <= 0) return;
  kill(id, SIGKILL);  // it holds nothing that must be put away
  waitpid(id, nullptr, 0);
}

void child_contest::round() {
  constexpr std::string_view request = "round\n";
  if (::send(child_.talk, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
    throw no_answer(cores_, "the process has ended");
  try {
    const message seconds = message::parse(answer()).at("seconds");
    if (seconds.size() != entrants_.size()) throw no_answer(cores_, "the process has other entrants than before");
    for (std::size_t i = 0; i < entrants_.size(); ++i) entrants_[i].seconds.push_back(seconds[i]);
  } catch (const message::exception&) {
    throw no_answer(cores_, "the process says something that isn't its protocol");
  }
}

// The next line of the child's.
std::string child_contest::answer() {
  for (;;) {
    if (const auto end = read_.find('\n'); end != read_.npos) {
      const std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    pollfd ready{.fd = child_.talk, .events = POLLIN, .revents = 0};
    const int found = poll(&ready, 1, static_cast<int>(patience_ * 1e3));
    if (found < 0 && errno == EINTR) continue;
    if (found == 0) throw no_answer(cores_, fmt::format("the process has been silent for {:.3g} s", patience_));
    char part[4096];
    const ssize_t got = read(child_.talk, part, sizeof part);
    if (got <= 0) throw no_answer(cores_, "the process has ended");
    read_.append(part, static_cast<std::size_t>(got));
  }
}

std::vector<std::size_t> core_counts(std::size_t most) {
  std::vector<std::size_t> all;
  for (std::size_t k = 1; k < most; k = most <= 8 ? k + 1 : 2 * k) all.push_back(k);
  all.push_back(most);
  return all;
}

std::vector<scaling> run_on_cores(const std::vector<workload>& workloads, const std::vector<std::size_t>& cores,
                                  const std::function<std::vector<std::string>(const workload&)>& command,
                                  const run_options& options, const std::function<void(const scaling&)>& end) {
  std::vector<scaling> all;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    scaling& s = all.emplace_back(scaling{.what = workloads[i], .cores = cores, .on = {}});
    if (options.begin) options.begin(s.what);
    try {
      measure_scaling(
          s, command(s.what), options.rounds,
          options.time ? options.time->share(workloads.size() - i) : std::numeric_limits<double>::infinity());
    } catch (const disagreement& found) {
      s.on.clear();
      s.wrong = found.what();
    } catch (const gs::machine_error& lack) {
      s.on.clear();
      s.skipped = lack.what();
    }
    end(s);
  }
  return all;
}

}  // namespace bench
