// A plain driver for libFuzzer's entry points, without clang: reads every seed of a folder, then mutations by a
// generator with a fixed seed: the same inputs in every run, so that a fault can be reproduced.
//   fuzz_progress SEEDS        2,000 inputs; with GRIDSTRIDE_FUZZ_SECONDS=60 as many as fit in a minute
// GRIDSTRIDE_FUZZ_SEED=7 starts the generator elsewhere. An input that crashes, or takes ten seconds of the processor,
// is written to crashed-input-PROGRAM. A seed that the reader refuses is a fault, too: its
// mutations would hardly be read at all.

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

const std::string* running = nullptr;  // the reader's input
std::string kept_in;                   // the name of the file crashed-input-PROGRAM

extern "C" void keep_input(int signal_number) {
  const int file = open(kept_in.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && running && write(file, running->data(), running->size()) >= 0) close(file);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

using clock = std::chrono::steady_clock;
std::chrono::duration<double> longest{};

// Whether the reader accepts it.
bool try_input(const std::string& input) {
  constexpr itimerval limit{.it_interval = {}, .it_value = {.tv_sec = 10, .tv_usec = 0}}, none{};
  running = &input;
  setitimer(ITIMER_PROF, &limit, nullptr);  // of the processor's time: other programs may be slow beside it
  const auto begin = clock::now();
  const int refused = LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  longest = std::max<std::chrono::duration<double>>(longest, clock::now() - begin);
  setitimer(ITIMER_PROF, &none, nullptr);
  return refused == 0;
}

double number_of_environment(const char* name, double default_number) {
  const char* const text = std::getenv(name);
  return text ? std::atof(text) : default_number;
}

// What readers have stumbled over.
constexpr std::string_view tokens[] = {"-1",    "0",           "4294967296", "18446744073709551616",
                                       "1e999", "5e-324",      "-0.0",       "NaN",
                                       "null",  "true",        "\"\"",       "[]",
                                       "{}",    "\"\\u0000\"", "\x1b[2J",    "\xe2\x80\xae",
                                       "\xff",  "\r\n",        "```",        "#",
                                       "|",     "](",          "\n\n",       " "};

class mutator {
 public:
  mutator(const std::vector<std::string>& seeds, std::uint64_t start) : seeds_(seeds), random_(start) {}

  std::string next() {
    std::string text = seeds_[random_below(seeds_.size())];
    for (std::size_t changes = 1 + random_below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::size_t random_below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void change(std::string& text) {
    const std::size_t at = random_below(text.size() + 1), length = random_below(text.size() - at + 1);
    const std::size_t count = std::min<std::size_t>(length, 1 + random_below(16));
    const std::string_view token = tokens[random_below(std::size(tokens))];
    switch (random_below(9)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ 1 << random_below(8));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(random_below(256)));
        break;
      case 2:
        text.erase(at, count);
        break;
      case 3:
        text.insert(at, token);
        break;
      case 4:
        text.replace(at, count, token);
        break;
      case 5:
        replace_number(text, at, token);
        break;
      case 6:
        text.resize(at);
        break;
      case 7: {
        const std::string& second_seed = seeds_[random_below(seeds_.size())];
        const std::size_t from = random_below(second_seed.size() + 1);
        text.insert(at, second_seed.substr(from, random_below(second_seed.size() - from + 1)));
        break;
      }
      default:  // many copies of it
        std::string repeated;
        for (std::size_t times = random_below(8) == 0 ? 100'000 : random_below(64); times > 0; --times)
          repeated += count > 0 && count < 8 ? text.substr(at, count) : "[";
        text.insert(at, repeated);
    }
  }
  static void replace_number(std::string& text, std::size_t from, std::string_view by) {
    constexpr std::string_view digits = "0123456789";
    const std::size_t begin = text.find_first_of(digits, from);
    if (begin == text.npos) return;
    const std::size_t end = std::min(text.find_first_not_of(digits, begin), text.size());
    text.replace(begin, end - begin, by);
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) return std::fputs("give the folder of the seeds\n", stderr), 2;
  kept_in = "crashed-input-" + std::filesystem::path(arguments[0]).filename().string();
  static char stack_for_handler[1 << 16];
  const stack_t other_stack{.ss_sp = stack_for_handler, .ss_flags = 0, .ss_size = sizeof stack_for_handler};
  sigaltstack(&other_stack, nullptr);
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPROF}) {
    struct sigaction action{};
    action.sa_handler = keep_input;
    action.sa_flags = SA_ONSTACK;
    sigaction(number, &action, nullptr);
  }

  std::map<std::string, std::string> files;  // a folder has no order
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().string()].assign(std::istreambuf_iterator<char>(in), {});
  }
  if (files.empty()) return std::fputs("there are no seeds\n", stderr), 2;
  std::vector<std::string> seeds{""};
  try_input(seeds.front());
  for (const auto& [name, seed] : files) {
    if (!try_input(seed)) return std::fprintf(stderr, "the reader refuses the seed %s\n", name.c_str()), 1;
    seeds.push_back(seed);
  }

  const double seconds = number_of_environment("GRIDSTRIDE_FUZZ_SECONDS", 0);
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  std::size_t inputs = 0, taken = 0;
  constexpr std::size_t count = 2000;
  mutator mutated(seeds, static_cast<std::uint64_t>(number_of_environment("GRIDSTRIDE_FUZZ_SEED", 1)));
  for (; seconds > 0 ? clock::now() < end : inputs < count; ++inputs) taken += try_input(mutated.next());
  std::printf("%zu seeds and %zu inputs made of them, %zu taken, %.2f s at most\n", seeds.size(), inputs, taken,
              longest.count());
}
