#include "bench/measure/outside_peer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace bench {
namespace {

using message = nlohmann::json;

message understood(const std::string& line) {
  message answer = message::parse(line, nullptr, false);
  if (!answer.is_object()) throw peer_failure(fmt::format("its answer '{:.60}' can't be understood", line));
  if (const auto refusal = answer.find("error"); refusal != answer.end())
    throw peer_failure(refusal->is_string() ? refusal->get<std::string>() : refusal->dump());
  return answer;
}

template <class T>
T value(const message& answer, const char* name) try {
  return answer.at(name).get<T>();
} catch (const message::exception&) {
  throw peer_failure(fmt::format("its answer {:.60} has no proper '{}'", answer.dump(), name));
}

}  // namespace

outside_peer::outside_peer(std::string name, std::vector<std::string> command, std::chrono::milliseconds patience)
    : name_(std::move(name)), command_(std::move(command)), patience_(patience) {}

template <class F>
auto outside_peer::with_process(F f) {
  if (!process_) throw peer_failure("it has ended");
  try {
    return f(*process_);
  } catch (const peer_failure&) {
    process_.reset();
    throw;
  }
}

void outside_peer::start() {
  process_ = std::make_unique<peer_process>(command_);
  with_process([&](peer_process& process) {
    const message greeting = understood(process.listen(patience_));
    if (greeting.contains("lacking"))
      lacking_ = value<std::string>(greeting, "lacking");
    else
      version_ = value<std::string>(greeting, "version");
  });
}

outside_peer::accepted outside_peer::prepare(const assignment& task) {
  if (!process_) start();
  const std::size_t number = ++assignments_;
  message request = {{"assignment", number},
                     {"task", task.task},
                     {"inputs", message::array()},
                     {"scalars", task.scalars},
                     {"output", {{"dtype", task.output.dtype}, {"shape", task.output.shape}}}};
  for (const named_array& input : task.inputs)
    request["inputs"].push_back({{"name", input.name}, {"dtype", input.kind.dtype}, {"shape", input.kind.shape}});
  return with_process([&](peer_process& process) {
    process.empty();
    for (const named_array& input : task.inputs) process.append(input.data);
    const message answer = understood(process.ask(request.dump(), patience_));
    process.empty();
    return accepted{number, value<std::vector<std::string>>(answer, "ways")};
  });
}

large_buffer<std::byte> outside_peer::result(std::size_t number, std::size_t way, std::size_t bytes) {
  return with_process([&](peer_process& process) {
    understood(process.ask(message{{"assignment", number}, {"way", way}, {"result", true}}.dump(), patience_));
    large_buffer<std::byte> data(bytes);
    process.read(data.span());
    process.empty();
    return data;
  });
}

double outside_peer::run(std::size_t number, std::size_t way, std::size_t calls) {
  return with_process([&](peer_process& process) {
    const auto began = std::chrono::steady_clock::now();
    const message request = {{"assignment", number}, {"way", way}, {"calls", calls}};
    const message answer = understood(process.ask(request.dump(), patience_));
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    const auto seconds = value<double>(answer, "seconds");
    if (!(seconds > 0 && seconds <= elapsed))
      throw peer_failure(fmt::format("it claims {:g} s, and its answer took {:g} s", seconds, elapsed));
    return seconds;
  });
}

void outside_peer::rest() noexcept try {
  if (process_) with_process([&](peer_process& process) { understood(process.ask(R"({"task": null})", patience_)); });
} catch (const std::exception&) {  // then the program has been ended, which releases more
}

}  // namespace bench
