#pragma once
// Where submissions of one task are compiled and called. The real one does both in sandboxes; tests have fakes.

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "assessments/grader/running/compile.h"
#include "assessments/grader/running/submission_process.h"
#include "assessments/grader/tasks/task.h"
#include "runtime/device/device.h"

namespace grader {

using workshop::flavour, workshop::isolation, workshop::source_file;

/// A loaded module that can be called.
class called_module {
 public:
  virtual ~called_module() = default;
  virtual call_result call(const test_case& c, std::uint64_t seed, bool inspect) = 0;
  virtual std::string output() const = 0;  ///< what it printed
};

/// Its functions may be called from several threads, each with a slot of its own.
class submission_workshop {
 public:
  virtual ~submission_workshop() = default;
  virtual std::variant<compiled_module, mishap> compile(const source_file& source, flavour f, unsigned slot) = 0;
  /// Throws gs::machine_error if a sandbox can't be set up.
  virtual std::unique_ptr<called_module> start(const compiled_module& module, unsigned slot) = 0;
  /// The same for calls in which the host can't take part: submission_process with `closed`.
  virtual std::unique_ptr<called_module> start_closed(const compiled_module& module, unsigned slot) {
    return start(module, slot);
  }
  /// The task's baseline. Throws gs::machine_error if there is none.
  virtual const compiled_module& baseline() = 0;
  /// Bytes of the inputs that are on the device: a kernel must have reached them. Host arrays may go through ufuncs,
  /// whose loops aren't counted by line. Throws gs::error for a case that the task's problem doesn't know.
  virtual std::uint64_t input_bytes(const test_case& c) const = 0;
  virtual std::string isolation_name() const = 0;
  virtual std::string device_name() const { return gs::device().name; }  ///< where submissions run
};

/// The real one. `t` must live as long. Throws gs::error for a task without a problem. With the GPU's name
/// (gpu.h), flavour::cuda stands in for the plain one, and submissions and baseline run on the GPU.
std::unique_ptr<submission_workshop> sandboxed_workshop(const task& t, isolation level, const std::string& gpu = "");

}  // namespace grader
