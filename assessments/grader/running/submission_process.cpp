#include "assessments/grader/running/submission_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "assessments/grader/running/call_memory.h"
#include "assessments/grader/running/runner_process.h"
#include "assessments/grader/running/untrusted_inspection.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workshop/machine.h"

namespace grader {

using gs::detail::printable;
using workshop::bytes_text, workshop::flavour, workshop::isolation, workshop::memory_limit;
namespace {

// All cases that the task names.
std::vector<const test_case*> cases_of(const task& t) {
  std::vector<const test_case*> cases;
  for (const test_case& c : t.public_cases) cases.push_back(&c);
  for (const test_case& c : t.hidden_cases) cases.push_back(&c);
  for (const criterion& k : t.criteria)
    for (const test_case& c : k.cases) cases.push_back(&c);
  return cases;
}

// A linear index as one index per dimension, row-major.
std::vector<std::size_t> index_of(std::size_t element, const std::vector<std::size_t>& extents) {
  std::vector<std::size_t> index(extents.size());
  for (std::size_t d = extents.size(); d-- > 0; element /= std::max<std::size_t>(extents[d], 1))
    index[d] = element % std::max<std::size_t>(extents[d], 1);
  return index;
}

std::string element_text(const std::string& array, const std::vector<std::size_t>& index) {
  return fmt::format("{}[{}]", array, fmt::join(index, ", "));
}

std::string shape_text(const std::vector<std::size_t>& extents) {
  return fmt::format("({}{})", fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
}

}  // namespace

mishap mishap_of(const wrong_answer& w) {
  mishap m{.kind = mishap_kind::wrong_answer,
           .array = w.array,
           .index = w.index,
           .extents = w.extents,
           .expected = w.expected,
           .got = w.got,
           .wrong = w.wrong};
  const std::string tolerance = w.tolerance > 0 ? fmt::format(" to within {:.3g}", w.tolerance) : "";
  if (w.extents.empty()) {
    m.text = fmt::format("{} is {}, expected {}{}.", w.array, w.got, w.expected, tolerance);
    if (!w.explanation.empty()) m.text += fmt::format(" {}.", w.explanation);
    return m;
  }
  std::size_t elements = 1;
  for (const std::size_t extent : w.extents) elements *= extent;
  m.text = fmt::format("{} of shape {} is {}, expected {}{}", element_text(w.array, w.index), shape_text(w.extents),
                       w.got, w.expected, tolerance);
  m.text += fmt::format("; {} of {} {} wrong.", w.wrong, elements, w.wrong == 1 ? "is" : "are");
  if (!w.explanation.empty()) m.text += fmt::format(" That one is {}.", w.explanation);
  return m;
}

namespace {

mishap mishap_of(const overwritten_guard& g) {
  const auto beyond = g.offset < 0 ? g.offset : g.offset - static_cast<std::ptrdiff_t>(g.size) + 1;
  return {.kind = mishap_kind::outside_output,
          .text = fmt::format("It wrote outside its output: {} elements {} {}, which has {}.",
                              beyond < 0 ? -beyond : beyond, beyond < 0 ? "before the start of" : "past the end of",
                              g.array, g.size),
          .array = g.array};
}

mishap mishap_of(const changed_element& e, const std::vector<array_place>& arrays) {
  mishap m{.kind = mishap_kind::changed_input, .array = e.array};
  for (const array_place& a : arrays)
    if (a.plan.name == e.array) m.extents = a.plan.extents;
  m.index = index_of(e.element, m.extents);
  m.text = fmt::format("It changed its input: {} isn't what it was.", element_text(e.array, m.index));
  return m;
}

}  // namespace

struct submission_process::state {
  const grader::task task;
  const grader::problem& problem;
  const compiled_module module;
  const isolation level;
  const unsigned slot;
  const bool closed = false;
  std::uint64_t inputs_bytes = 1, outputs_bytes = 1;  // of the largest call
  std::optional<runner_process> runner = {};
  std::string printed = {};  // by runners that have ended
  std::uint64_t printed_bytes = 0;

  void make_room_for(const call_memory& memory) {
    inputs_bytes = std::max(inputs_bytes, memory.inputs_bytes());
    // Guard bands are drawn anew for each call: room for the widest ones.
    outputs_bytes = std::max(outputs_bytes, memory.outputs_bytes() + 8 * 2048);
  }

  void retire() {
    if (!runner) return;
    printed += runner->output();
    printed.resize(std::min<std::size_t>(printed.size(), task.limits.output_bytes));
    printed_bytes += runner->output_written();
    runner.reset();
  }

  // Nothing, or why the module can't be loaded.
  std::optional<mishap> be_ready(const call_memory& memory) {
    if (runner && (runner->ended() || memory.inputs_bytes() > runner->inputs().size() ||
                   memory.outputs_bytes() > runner->outputs().size()))
      retire();
    if (runner) return std::nullopt;
    make_room_for(memory);
    runner.emplace(task.limits, module, level, slot, inputs_bytes, outputs_bytes);
    answered a;
    return ask({.step = runner::step::load, .closed = closed}, a);
  }

  // Nothing, and the answer is filled in; or what went wrong, and then the runner is gone.
  std::optional<mishap> ask(const runner::request& r, answered& answer) {
    auto reply = runner->ask(r);
    if (auto* problem = std::get_if<mishap>(&reply)) {
      retire();
      return std::move(*problem);
    }
    answer = std::get<answered>(std::move(reply));
    const std::string text = printable(answer.reply.text.data());
    switch (answer.reply.outcome) {
      case runner::outcome::done:
      case runner::outcome::crashed:
      case runner::outcome::asks_for_lines:
        return std::nullopt;  // both were dealt with before
      case runner::outcome::wrong_shape:
        return mishap{.kind = mishap_kind::wrong_answer, .text = text};
      case runner::outcome::exception:
        return mishap{.kind = mishap_kind::exception, .text = "It threw an exception: " + text};
      case runner::outcome::out_of_memory:
        if (memory_limit() < task.limits.memory_bytes)
          throw gs::machine_error("run a submission",
                                  fmt::format("this machine gives a program {} of memory, and a submission may use {}",
                                              bytes_text(memory_limit()), bytes_text(task.limits.memory_bytes)),
                                  "raise the limit (ulimit -v)");
        return mishap{.kind = mishap_kind::out_of_memory,
                      .text = fmt::format("It ran out of memory (the limit is {:.1f} GB): {}",
                                          static_cast<double>(task.limits.memory_bytes) / 1e9, text)};
    }
    return std::nullopt;
  }

  // The answer in the shared memory, while the runner is stopped.
  std::optional<mishap> check(const test_case& c, const call_memory& memory, bool delivered) {
    const std::span<const std::byte> inputs = runner->inputs(), outputs = runner->outputs();
    if (delivered)
      if (const auto changed = memory.check_inputs(inputs, outputs)) return mishap_of(*changed, memory.arrays());
    if (const auto guard = memory.check_guards(outputs)) return mishap_of(*guard);
    if (delivered != memory.has_device_output()) return std::nullopt;
    if (const auto wrong = problem.check(c, memory.answer(inputs, outputs))) return mishap_of(*wrong);
    return std::nullopt;
  }

  static std::vector<call_result::array_use> uses_of(const call_memory& memory, const runner::reply& reply) {
    std::vector<call_result::array_use> uses;
    for (const array_place& a : memory.arrays()) {
      const std::size_t k = uses.size();
      uses.push_back({.name = a.plan.name,
                      .role = a.plan.role,
                      .bytes = a.bytes(),
                      .used = reply.used_bytes[k],
                      .lacking = reply.lacking_bytes[k]});
    }
    return uses;
  }

  // The device gets the values of one seed, and the host sees those of another one. In the end the inputs are the
  // device's, to check the answer by.
  std::optional<mishap> closed_call(const test_case& c, std::uint64_t seed, call_result& result) {
    call_memory memory(problem.plan(c), true);
    if (auto failed = be_ready(memory)) return give_up(std::move(failed));
    const auto make_inputs = [&](std::uint64_t of) { problem.make_inputs(c, of, memory.inputs(runner->inputs())); };
    if (auto failed = runner->stop()) return give_up(std::move(failed));
    make_inputs(seed);
    memory.keep_exchanged(runner->inputs());
    memory.poison(runner->outputs());
    answered a;
    runner::request prepare = memory.prepare();
    prepare.exchange = 1;
    if (auto failed = ask(prepare, a)) return give_up(std::move(failed));
    if (auto failed = runner->stop()) return give_up(std::move(failed));
    make_inputs(~seed);
    auto went_wrong = ask({.step = runner::step::run, .exchange = 1}, a);
    if (!runner) return went_wrong;
    result.account = a.reply.account;
    result.arrays = uses_of(memory, a.reply);
    if (went_wrong) return give_up(std::move(went_wrong));
    if (auto failed = runner->stop()) return give_up(std::move(failed));
    make_inputs(seed);
    return check_and_deliver(c, memory);
  }

  std::optional<mishap> check_and_deliver(const test_case& c, const call_memory& memory) {
    auto went_wrong = check(c, memory, false);
    answered a;
    auto failed = ask({.step = runner::step::deliver}, a);
    if (!failed) failed = runner->stop();
    if (failed) return give_up(went_wrong ? std::move(went_wrong) : std::move(failed));
    auto delivered = check(c, memory, true);
    return went_wrong ? went_wrong : delivered;
  }

  // Fills `result` step by step; returns what went wrong first. Only a runner that can't go on ends the call early.
  std::optional<mishap> call(const test_case& c, std::uint64_t seed, bool inspect, call_result& result) {
    call_memory memory(problem.plan(c));
    if (auto failed = be_ready(memory)) return give_up(std::move(failed));
    // The process is stopped, so that it can't begin before the request. Preparing a call isn't timed: inputs that stay
    // on the host are made afterwards, or all the work could be done while preparing.
    const bool prepares_inputs = memory.has_device_input();
    const auto make_inputs = [&] {
      problem.make_inputs(c, seed, memory.inputs(runner->inputs()));
      memory.poison(runner->outputs());
    };
    if (auto failed = runner->stop()) return give_up(std::move(failed));
    if (prepares_inputs) make_inputs();
    answered a;
    runner::request prepare = memory.prepare();
    prepare.inspect = inspect;
    if (auto failed = ask(prepare, a)) return give_up(std::move(failed));
    if (!prepares_inputs) {
      if (auto failed = runner->stop()) return give_up(std::move(failed));
      make_inputs();
    }
    auto went_wrong = ask({.step = runner::step::run, .inspect = inspect}, a);
    if (!runner) return went_wrong;
    result.seconds = a.seconds;
    result.account = a.reply.account;
    result.arrays = uses_of(memory, a.reply);
    if (inspect && a.reply.json_bytes > 0) {
      result.inspection = read_untrusted_inspection(a.json);
      if (!result.inspection) return give_up(not_an_inspection());
    }
    if (went_wrong) return give_up(std::move(went_wrong));

    // What a function returns has to be there when it says so; what lies on the device is brought first.
    if (auto failed = runner->stop()) return give_up(std::move(failed));
    return check_and_deliver(c, memory);
  }

  // After an exception nobody knows what state a submission is in: the next call begins with a new process.
  std::optional<mishap> give_up(std::optional<mishap> because) {
    retire();
    return because;
  }

  static mishap not_an_inspection() {
    return {.kind = mishap_kind::refused,
            .text =
                "What came back from the instruments isn't an inspection: it wrote to the channel on which the runner "
                "answers the grader."};
  }
};

submission_process::submission_process(const task& t, const problem& p, const compiled_module& module, isolation level,
                                       unsigned slot, bool closed)
    : state_(new state{.task = t, .problem = p, .module = module, .level = level, .slot = slot, .closed = closed}) {
  for (const test_case* c : cases_of(t)) state_->make_room_for(call_memory(p.plan(*c), closed));
}

submission_process::~submission_process() = default;

call_result submission_process::call(const test_case& c, std::uint64_t seed, bool inspect) {
  if (inspect && state_->module.flavour != flavour::checked)
    throw gs::error("inspect a call", "the module has the plain flavour, which observes nothing",
                    "compile it for the checked flavour");
  call_result result;
  result.went_wrong = state_->closed ? state_->closed_call(c, seed, result) : state_->call(c, seed, inspect, result);
  if (result.went_wrong) result.went_wrong->call = to_string(c);
  return result;
}

std::string submission_process::output() const {
  const std::uint64_t most = state_->task.limits.output_bytes;
  std::string text = state_->printed;
  std::uint64_t written = state_->printed_bytes;
  if (state_->runner) {
    text += state_->runner->output();
    written += state_->runner->output_written();
  }
  text.resize(std::min<std::size_t>(text.size(), most));
  const std::uint64_t cut = written - text.size();
  text = printable(text);
  if (cut > 0) text += fmt::format("\n[{} more bytes were cut]\n", cut);
  return text;
}

}  // namespace grader
