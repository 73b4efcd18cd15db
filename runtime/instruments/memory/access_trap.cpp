#include "runtime/instruments/memory/access_trap.h"

#if GRIDSTRIDE_CHECKED

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <random>

#include "runtime/core/fault_signal.h"
#include "runtime/engine/kernel_faults.h"
#include "runtime/instruments/memory/device_arena.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace access_trap {
namespace {

constexpr std::uintptr_t page = 4096;
constexpr long trap_flag = 0x100;      // of EFLAGS: Intel's manual, volume 1, "System Flags and IOPL Field"
constexpr std::size_t most_pages = 8;  // closed at a time
constexpr unsigned most_traps = 4096;  // of the first piece of work; of the k-th, a k-th of it
constexpr unsigned least_traps = 64;   // of any

std::atomic<bool> on{false};
std::atomic<unsigned> pauses{0}, draws{0}, left{0};
std::mutex mutex;                                              // of the blocks, and of who closes pages
std::map<std::uintptr_t, std::size_t> blocks;                  // begin and bytes
std::array<std::atomic<std::uintptr_t>, most_pages> closed{};  // 0: none
struct sigaction violation_before, step_before;
device_arena* arena = nullptr;
teller tell = nullptr;

// What the instruction that runs now has been let into: it may go to several pages.
struct opened_pages {
  std::array<std::uintptr_t, most_pages> pages;
  unsigned count;
};
[[maybe_unused, gnu::tls_model("initial-exec")]] constinit thread_local opened_pages opened{};

void allow(std::uintptr_t address, int rights) { mprotect(reinterpret_cast<void*>(address), page, rights); }

void allow_closed(int rights) {
  for (const auto& address : closed)
    if (address != 0) allow(address, rights);
}

[[maybe_unused]] bool is_closed(std::uintptr_t address) {
  return std::ranges::any_of(closed, [&](const auto& one) { return one == address; });
}

void open_for_good() {
  allow_closed(PROT_READ | PROT_WRITE);
  for (auto& address : closed) address = 0;
}

#if defined(__x86_64__)
void pass_on(const struct sigaction& before, int number, siginfo_t* info, void* context) {
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(number, info, context);
  else
    sigaction(number, &before, nullptr);  // tried again, it ends there
}

void on_violation(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr), of_page = address / page * page;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (!arena->contains(address) || arena->find(address) == nullptr)
    return pass_on(violation_before, number, info, context);
  if (!is_closed(of_page)) return;  // not any more
  const auto& interrupted = *static_cast<const ucontext_t*>(context);
  tell(address, detail::was_a_write(interrupted) ? access_kind::write : access_kind::read,
       reinterpret_cast<const void*>(detail::code_of(interrupted)));
  if (left.fetch_sub(1) <= 1) return open_for_good();
  allow(of_page, PROT_READ | PROT_WRITE);
  opened.pages[opened.count++ % most_pages] = of_page;
  registers[REG_EFL] |= trap_flag;
}

void on_step(int number, siginfo_t* info, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (opened.count == 0) return pass_on(step_before, number, info, context);
  registers[REG_EFL] &= ~trap_flag;
  for (; opened.count > 0; --opened.count)
    if (const std::uintptr_t one = opened.pages[(opened.count - 1) % most_pages]; pauses == 0 && is_closed(one))
      allow(one, PROT_NONE);
}
#endif

}  // namespace

bool is_on() { return on; }

void belong_to(device_arena& memory, teller told) {
  arena = &memory;
  tell = told;
}

void begin() {
#if defined(__x86_64__)
  const std::lock_guard lock(mutex);
  detail::catch_kernel_faults();  // first: else the first kernel would put its handler before the trap's
  detail::handle_signal(SIGSEGV, &on_violation, violation_before);
  detail::handle_signal(SIGTRAP, &on_step, step_before);
  blocks.clear();
  draws = 0;
  on = true;
#endif
}

// Signals come here as long as the program runs: a thread of the host may still be on its way.
void end() {
  const std::lock_guard lock(mutex);
  if (!on) return;
  on = false;
  open_for_good();
  sigaction(SIGSEGV, &violation_before, nullptr);
  sigaction(SIGTRAP, &step_before, nullptr);
}

void add(std::uintptr_t begin, std::size_t bytes) {
  if (!on || bytes == 0) return;
  const std::lock_guard lock(mutex);
  blocks[begin] = bytes;
}

void remove(std::uintptr_t begin) {
  if (!on) return;
  const std::lock_guard lock(mutex);
  blocks.erase(begin);
}

void draw() {
  if (!on) return;
  static std::mt19937_64 random{std::random_device()()};
  const std::lock_guard lock(mutex);
  open_for_good();
  left = std::max(most_traps / (draws + 1), least_traps);
  ++draws;
  std::array<std::pair<std::uintptr_t, std::size_t>, most_pages> chosen;
  const auto end = std::ranges::sample(blocks, chosen.begin(), most_pages, random);
  for (auto one = chosen.begin(); one != end; ++one) {
    const std::size_t pages = (one->second + page - 1) / page;
    closed[static_cast<std::size_t>(one - chosen.begin())] = one->first + random() % pages * page;
  }
  if (pauses == 0) allow_closed(PROT_NONE);
}

}  // namespace access_trap

trap_pause::trap_pause() : opens_(access_trap::on) {
  if (!opens_) return;
  const std::lock_guard lock(access_trap::mutex);
  if (access_trap::pauses++ == 0) access_trap::allow_closed(PROT_READ | PROT_WRITE);
}
trap_pause::~trap_pause() {
  if (!opens_) return;
  const std::lock_guard lock(access_trap::mutex);
  if (--access_trap::pauses == 0) access_trap::allow_closed(PROT_NONE);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
