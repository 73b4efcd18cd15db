#pragma once
// An outside peer: a program in another language that does the workloads its own way, in a process of its own.

#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/measure/large_buffer.h"
#include "bench/measure/peer_process.h"

namespace bench {

/// NumPy's name for the type.
template <class T>
std::string dtype_of() {
  if constexpr (std::is_same_v<T, std::complex<float>>) return "complex64";
  const char* kind = std::is_floating_point_v<T> ? "float" : std::is_signed_v<T> ? "int" : "uint";
  return kind + std::to_string(8 * sizeof(T));
}

struct array_kind {
  std::string dtype = "uint8";
  std::size_t item_bytes = 1;
  std::vector<std::size_t> shape = {0};
};
template <class T>
array_kind array_of(std::vector<std::size_t> shape) {
  return {dtype_of<T>(), sizeof(T), std::move(shape)};
}

/// An input, with the name that peers know it by. Without a shape it is a vector.
struct named_array {
  template <class T>
  named_array(std::string name, std::span<T> data, std::vector<std::size_t> shape = {})
      : name(std::move(name)),
        kind(array_of<std::remove_const_t<T>>(shape.empty() ? std::vector{data.size()} : std::move(shape))),
        data(std::as_bytes(data)) {}
  std::string name;
  array_kind kind;
  std::span<const std::byte> data;
};

/// A task for peers outside of this process.
struct assignment {
  std::string task;
  std::vector<named_array> inputs = {};
  std::map<std::string, double> scalars = {};
  array_kind output = {};  ///< without elements if nothing is computed
  /// Throws bench::disagreement if the result is wrong; `who` is the peer's name.
  std::function<void(const std::string& who, std::span<const std::byte> result)> check = {};
};

/// The protocol: one JSON document a line. The program starts with {"version": TEXT} or {"lacking": TEXT}, and answers
///
///   {"assignment": NUMBER, "task": NAME, "inputs": [{"name", "dtype", "shape"}], "scalars": {NAME: VALUE},
///    "output": {"dtype", "shape"}}
///       {"ways": [NAME]}, the ways in which it can do the task; none if it doesn't know it. The inputs lie one after
///       another in the file in memory, which is emptied afterwards: the program keeps copies
///   {"assignment": NUMBER, "way": INDEX, "result": true}
///       {}, after it has filled its output with -77, done the task once, and written the output to the file
///   {"assignment": NUMBER, "way": INDEX, "calls": NUMBER}
///       {"seconds": NUMBER}, after it has done the task that many times; by its own clock, without its start and end
///   {"task": null}
///       {}, after it has released all arrays
///
/// with {"error": TEXT} where it can't. All functions throw bench::peer_failure, and end the program then.
class outside_peer {
 public:
  /// `command` isn't started until it is needed. Each answer has to come within `patience`.
  outside_peer(std::string name, std::vector<std::string> command,
               std::chrono::milliseconds patience = std::chrono::minutes(2));

  const std::string& name() const { return name_; }
  /// Starts the program, which then tells its version or what it lacks; the other one is empty.
  void start();
  const std::string& version() const { return version_; }
  const std::string& lacking() const { return lacking_; }

  /// An assignment that the program has accepted, beside earlier ones: the number under which it knows it, and the
  /// names of its ways.
  struct accepted {
    std::size_t number;
    std::vector<std::string> ways;
  };
  /// Starts the program again if it has ended, and gives it copies of the inputs.
  accepted prepare(const assignment& task);
  large_buffer<std::byte> result(std::size_t number, std::size_t way, std::size_t bytes);
  /// Seconds for all calls together.
  double run(std::size_t number, std::size_t way, std::size_t calls);
  /// Releases the arrays of all assignments.
  void rest() noexcept;

  /// 0 if the program isn't running.
  pid_t process() const { return process_ ? process_->id() : 0; }

 private:
  std::string name_, version_, lacking_;
  std::vector<std::string> command_;
  std::chrono::milliseconds patience_;
  template <class F>
  auto with_process(F f);

  std::unique_ptr<peer_process> process_;
  std::size_t assignments_ = 0;  // so far
};

}  // namespace bench
