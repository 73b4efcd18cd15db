#include "dialect/runtime/unchecked_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dialect/runtime/error_checks.h"
#include "runtime/observe/observe.h"

namespace {

using place = std::pair<std::string_view, unsigned>;  // file and line, of a std::source_location

std::string place_text(const place& at) {
  return fmt::format("{}:{}", std::filesystem::path(at.first).filename().string(), at.second);
}

std::string counted(std::size_t n, const char* one, const char* several) {
  return fmt::format("{} {}", n, n == 1 ? one : several);
}

struct record {
  std::string call;
  cudaError_t error;
  place where;
  std::thread::id thread;
  std::uint64_t count = 1;
  bool operator==(const record& other) const {
    return call == other.call && error == other.error && where == other.where && thread == other.thread;
  }
};

// Whether note() will be asked for, by an inspection: elsewhere a call that succeeds costs nothing.
#if GRIDSTRIDE_CHECKED
constexpr bool makes_notes = true;
#else
constexpr bool makes_notes = false;
#endif

// What is known of the program's calls.
class call_history {
 public:
  static call_history& get() {
    static auto* const one = new call_history;  // never destroyed: other statics may still call
    return *one;
  }

  void drop(const char* call, cudaError_t result, place where) {
    const bool failed = result != cudaSuccess && result != cudaErrorNotReady;
    if (!makes_notes && !failed) return;
    const std::lock_guard lock(mutex_);
    if (makes_notes) {
      if (dropped_.empty()) first_dropped_ = where;
      dropped_.insert({where, call});
    }
    if (failed) add({call, result, where, std::this_thread::get_id()});
  }
  void launch(place where) {
    if (!makes_notes) return;
    const std::lock_guard lock(mutex_);
    ++launches_begun_;
    launches_[where] = launches_begun_;
  }
  void fail_launch(const char* kernel, place where) {
    const cudaError_t error = dialect::last_error_of_thread();
    const std::lock_guard lock(mutex_);
    // What comes after a fault fails with it, whatever it is.
    if (error != dialect::sticky_error())
      add({fmt::format("the launch of {}", kernel), error, where, std::this_thread::get_id()});
  }
  // The program has looked at an error, or has seen that there is none.
  void ask(cudaError_t seen) {
    const std::lock_guard lock(mutex_);
    launches_checked_ = launches_begun_;
    if (seen == cudaSuccess) return;
    const auto is_seen = [&](const record& r) {
      return r.error == seen ? seen == dialect::sticky_error() || r.thread == std::this_thread::get_id()
                             : r.thread == std::this_thread::get_id() && r.call.starts_with("the launch of ");
    };
    std::erase_if(records_, is_seen);
    fault_is_seen_ = fault_is_seen_ || seen == dialect::sticky_error();
  }
  void use_result(cudaError_t result) {
    if (result != cudaSuccess && result == dialect::sticky_error()) return ask(result);
    if (!makes_notes) return;
    const std::lock_guard lock(mutex_);
    launches_checked_ = launches_begun_;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    fault_is_seen_ = false;
  }

  std::vector<record> records() {
    const std::lock_guard lock(mutex_);
    return records_;
  }
  // A sentence on what would go unnoticed; empty if nothing would.
  std::string note() {
    const std::lock_guard lock(mutex_);
    std::vector<place> unchecked;
    for (const auto& [where, number] : launches_)
      if (number > launches_checked_) unchecked.push_back(where);
    if (dropped_.empty() && unchecked.empty()) return "";
    std::string text;
    if (!dropped_.empty())
      text =
          fmt::format("the {} dropped", dropped_.size() == 1 ? std::string("result of 1 call is")
                                                             : fmt::format("results of {} calls are", dropped_.size()));
    if (!unchecked.empty())
      text += fmt::format("{}{} followed by no check", text.empty() ? "" : ", and ",
                          counted(unchecked.size(), "launch is", "launches are"));
    if (text.front() == 't') text.front() = 'T';
    const place first = dropped_.empty() ? unchecked.front() : first_dropped_;
    return fmt::format(
        "{}, the first in {}: an error there would go unnoticed. Compare what calls return with cudaSuccess, and ask "
        "cudaGetLastError() after launches.",
        text, place_text(first));
  }

 private:
  void add(record one) {
    if (one.error == dialect::sticky_error()) {  // one finding of it is enough
      if (fault_is_seen_ || std::ranges::find(records_, one.error, &record::error) != records_.end()) return;
    }
    if (records_.empty()) begin_account();
    const auto known = std::ranges::find(records_, one);
    if (known != records_.end())
      ++known->count;
    else
      records_.push_back(std::move(one));
  }
  static void begin_account();

  std::mutex mutex_;
  std::vector<record> records_;
  bool fault_is_seen_ = false;
  std::set<std::pair<place, std::string_view>> dropped_;  // calls whose results are
  place first_dropped_;
  std::map<place, std::size_t> launches_;  // the number of the last one there
  std::size_t launches_begun_ = 0, launches_checked_ = 0;
};

// The last call of this thread, until it is known whether its result is used.
thread_local bool result_is_open = false;
thread_local cudaError_t open_result = cudaSuccess;

place place_of(const std::source_location& at, unsigned lines_before = 0) {
  return {at.file_name(), at.line() - std::min<unsigned>(at.line(), lines_before)};
}

// When the program ends, or its inspection does.
void settle_last_call() { dialect::begin_call(); }

#if GRIDSTRIDE_CHECKED
gs::instruments::error_account account() {
  settle_last_call();
  gs::instruments::error_account a{{}, call_history::get().note()};
  for (const record& r : call_history::get().records())
    a.errors.push_back({r.call, cudaGetErrorName(r.error), {std::string(r.where.first), r.where.second, 0}, r.count});
  return a;
}
[[maybe_unused]] const bool is_asked = [] {
  gs::instruments::account_for_errors_by(account);
  return true;
}();
void call_history::begin_account() {}
#else
void print_account() {
  settle_last_call();
  for (const record& r : call_history::get().records())
    dialect::print_refusal(
        cudaGetErrorName(r.error),
        fmt::format("{} in {} failed with it, and nobody asked; compare what calls return with cudaSuccess, and ask "
                    "cudaGetLastError() after launches",
                    r.call, place_text(r.where)));
}
void call_history::begin_account() { [[maybe_unused]] static const int once = std::atexit(print_account); }
#endif

}  // namespace

namespace dialect {

void operator,(cudaError_t result, const dropped_result& dropped) {
  result_is_open = false;
  call_history::get().drop(dropped.call, result, place_of(dropped.end, dropped.lines));
}

void note_launch(const std::source_location& launch) {
  begin_call();
  call_history::get().launch(place_of(launch));
}
void note_failed_launch(const char* kernel, const std::source_location& launch) {
  call_history::get().fail_launch(kernel, place_of(launch));
}

void begin_call() {
  if (std::exchange(result_is_open, false)) call_history::get().use_result(open_result);
}
void end_call(cudaError_t result) {
  result_is_open = true;
  open_result = result;
}
void take_result() { result_is_open = false; }
void note_asked(cudaError_t seen) {
  begin_call();
  call_history::get().ask(seen);
}
void forget_fault() { call_history::get().forget(); }

}  // namespace dialect
