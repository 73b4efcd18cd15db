#include "bench/own_program/program_times.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"

namespace bench {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, '\t');) fields.push_back(field);
  return fields;
}

double number(const std::string& field, const std::string& line) {
  double value = 0;
  const auto [end, failed] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (failed != std::errc() || end != field.data() + field.size())
    throw gs::error("read the program's times",
                    fmt::format("'{}' is no number, in: {}", gs::detail::one_line(field), gs::detail::one_line(line)),
                    "let nothing but gs::timeit write to GRIDSTRIDE_TIMEIT_FILE");
  return value;
}

// gs::detail::untimed_scope makes NaN of a time.
bool is_timed(const program_time& time) {
  if (time.run_seconds.empty()) return false;
  for (const double seconds : time.run_seconds)
    if (!std::isfinite(seconds)) return false;
  return true;
}

}  // namespace

std::vector<program_time> read_times(const std::string& lines) {
  constexpr std::size_t first_run = 6;  // behind file, line, column, bytes, operations and loops
  std::vector<program_time> times;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() <= first_run) number("", line);
    program_time time{.name = fmt::format("{}:{}", std::filesystem::path(fields[0]).filename().string(), fields[1]),
                      .run_seconds = {},
                      .bytes = number(fields[3], line),
                      .operations = number(fields[4], line)};
    for (std::size_t k = first_run; k < fields.size(); ++k) time.run_seconds.push_back(number(fields[k], line));
    if (is_timed(time)) times.push_back(std::move(time));
  }
  return times;
}

std::vector<program_time> read_report_times(const std::string& document) {
  std::vector<program_time> times;
  try {
    const auto report = nlohmann::json::parse(document);
    for (const auto& item : report.at("items")) {
      if (item.at("kind") != "timing") continue;
      program_time time{.name = item.at("name"),
                        .run_seconds = {},
                        .bytes = item.value("bytes", 0.0),
                        .operations = item.value("operations", 0.0)};
      for (const auto& seconds : item.at("run_seconds"))
        time.run_seconds.push_back(seconds.is_number() ? seconds.get<double>() : std::nan(""));
      if (is_timed(time)) times.push_back(std::move(time));
    }
  } catch (const nlohmann::json::exception& problem) {
    throw gs::error("read the program's report", problem.what(), "leave standard output to the report");
  }
  return times;
}

}  // namespace bench
