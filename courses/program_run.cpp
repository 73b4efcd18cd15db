#include "courses/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "runtime/core/error.h"
#include "runtime/host/descriptor.h"
#include "runtime/host/start_process.h"
#include "workshop/file_text.h"
#include "workshop/private_folder.h"

namespace courses {

program_outcome run_program(const std::vector<std::string>& command,
                            const std::vector<std::pair<std::string, std::string>>& variables) {
  const workshop::private_folder place;
  const auto output = place.path() / "output", error = place.path() / "error";
  std::vector<std::string> environment = gs::detail::own_environment();
  for (const auto& [name, value] : variables) {
    std::erase_if(environment, [&](const std::string& one) { return one.starts_with(name + "="); });
    environment.push_back(fmt::format("{}={}", name, value));
  }
  const auto opened = [](const std::filesystem::path& file) {
    return gs::detail::descriptor(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  };
  program_outcome outcome;
  try {
    const gs::detail::descriptor to_output = opened(output), to_error = opened(error);
    outcome.status = gs::detail::wait_for_process(gs::detail::start_process({.command = command,
                                                                             .output = to_output.number(),
                                                                             .error = to_error.number(),
                                                                             .environment = environment,
                                                                             .own_session = false}));
  } catch (const std::system_error& problem) {
    throw gs::machine_error("run " + command.front(), problem.what(), "build it again");
  }
  outcome.output = workshop::read_text(output, "reading what a program printed", std::uint64_t{64} << 20);
  outcome.error = workshop::read_text(error, "reading what a program said", std::uint64_t{64} << 20);
  return outcome;
}

}  // namespace courses
