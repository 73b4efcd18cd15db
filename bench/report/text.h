#pragma once
// The record of a run for people: tables for a terminal.

#include <string>

#include "bench/report/run_record.h"

namespace bench {

/// The machine, the build, and whatever should make a reader doubt the figures.
std::string heading_text(const run_record& record);
/// The measured limits.
std::string limits_text(const std::vector<limit>& limits);
/// One workload: a line per entrant.
std::string row_text(const row& r);
/// How many of the wanted ratios were met.
std::string summary_text(const std::vector<row>& rows);

/// "1.23 ms", "456 ns": three significant digits.
std::string time_text(double seconds);
/// "100,000,000".
std::string count_text(std::size_t n);

}  // namespace bench
