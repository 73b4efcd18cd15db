#pragma once
// The record of a run for people: tables for a terminal.

#include <string>

#include "bench/report/growth.h"
#include "bench/report/run_record.h"

namespace bench {

/// The machine, the build, and whatever should make a reader doubt the figures.
std::string heading_text(const run_record& record);
/// How long a run with that budget takes.
std::string budget_text(double seconds);
/// The measured limits.
std::string limits_text(const std::vector<limit>& limits);
/// A workload's name, what it computes, of how many elements.
std::string heading_text(const workload& w);
/// One workload: a line per entrant.
std::string row_text(const row& r);
/// A workload at several sizes: the fastest of ours at each, how everyone's time grows, and where one way overtakes
/// another.
std::string growth_text(const growth& g);
/// How many demands were met.
std::string summary_text(const std::vector<row>& rows);

/// "1.23 ms", "456 ns": three significant digits.
std::string time_text(double seconds);
/// "1.04 [1.02, 1.06]": the median and its interval.
std::string ratio_text(const estimate& ratio);
/// "100,000,000".
std::string count_text(std::size_t n);

}  // namespace bench
