#pragma once
// The report: what a lesson found, as data. Every face (terminal, JSON, pictures, the viewer, the grader) reads it.

#include <cstdint>
#include <deque>
#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/core/ledger.h"
#include "runtime/instruments/results/inspection.h"
#include "runtime/timing/timeit.h"
#include "workbook/parameters.h"
#include "workbook/plot.h"
#include "workbook/prediction.h"
#include "workbook/table.h"

namespace workbook {

struct heading {
  std::string text;
};
struct paragraph {
  std::string text;
};
/// A statement about the results that is either true or false.
struct check {
  std::string name;
  bool passed = false;
  std::string expected;  ///< may be empty
  std::string got;       ///< may be empty
  /// Where the lesson or the checks of an exercise ask.
  std::source_location where = std::source_location::current();
};
/// What one execution of a timed statement moves and computes; 0 where it isn't known.
struct work {
  double bytes = 0;
  double operations = 0;
};
struct timed_statement {
  std::string name;
  gs::timing time;
  workbook::work work;
};
struct account_entry {
  std::string name;
  gs::ledger account;
};

/// What the instruments found and counted in the lesson's kernels.
struct inspection_entry {
  gs::inspection result;
  bool all_lines = false;  ///< shows every line's counters, also of lines that could not do better
};

using item = std::variant<heading, paragraph, table, check, timed_statement, account_entry, plot, inspection_entry,
                          tested_prediction>;

/// What the report is about; filled in by the program that runs the lesson.
struct run_description {
  int lesson = 0;
  std::string name;
  std::string title;
  std::string device;  ///< name of the device
  std::string target;  ///< where ufuncs run on host arrays: cpu, parallel or device
  workbook::parameters parameters;
};

class report {
 public:
  void heading(std::string text);
  void paragraph(std::string text);

  /// The table stays where it is in the report; rows may be added later:
  ///   auto& t = report.table("Points", {"x", {"distance", "m"}});  t.row(3, 4.5);
  workbook::table& table(std::string title, std::vector<column> columns);

  /// Each returns whether the check passed. One failed check and the program ends with exit status 1.
  bool check(std::string name, bool passed, std::source_location location = std::source_location::current());
  bool check_equal(std::string name, const cell& got, const cell& expected,
                   std::source_location location = std::source_location::current());
  /// |got - expected| <= tolerance * |expected|. NaN is near nothing.
  bool check_near(std::string name, double got, double expected, double tolerance,
                  std::source_location location = std::source_location::current());
  /// got <= limit.
  bool check_at_most(std::string name, double got, double limit,
                     std::source_location location = std::source_location::current());

  /// With `work`, GB/s and GFLOP/s stand beside the time: report.timing("add", t, {.bytes = 12e6}).
  void timing(std::string name, gs::timing time, work per_loop = {});
  /// What came out where the lesson declares a prediction of that name, beside the reader's guess. Throws gs::error if
  /// it declares none.
  void prediction(const parameters& values, std::string_view name, double measured);
  /// What the ledger says about a piece of work: report.account("add", scope.account()).
  void account(std::string name, const gs::ledger& account);
  /// Throws gs::error if the plot's parts don't fit together.
  void plot(workbook::plot p);
  /// One of the requests that gs::inspect saw a warp make, as a plot. Throws gs::error if there is no such request, or
  /// it is to local memory.
  void access_picture(std::string title, gs::warp_picture warp, std::size_t request = 0);

  /// What gs::inspect returned. One finding and the program ends with exit status 1.
  void inspection(gs::inspection result, bool all_lines = false);

  /// How far a long piece of work is; shown while it runs, kept nowhere.
  void progress(double done, double total, std::string_view activity = "") const;

  const std::deque<item>& items() const { return items_; }
  /// The part about an inspected run: the checks that failed, its findings and counters, and what follows.
  report inspected_part() const;
  std::size_t checks() const;
  std::size_t failed_checks() const;
  std::size_t findings() const;  ///< of all inspections

  run_description about;
  /// Called by progress(); set by whoever shows the progress.
  std::function<void(double fraction, std::string_view activity)> on_progress;
  /// Called with each item that was added; a table's rows may come later. Set by whoever needs items before the end.
  std::function<void(const item& i)> on_item;

 private:
  item& add(item entry);
  bool add_check(workbook::check c);

  std::deque<item> items_;  // a deque: references to tables stay valid
};

}  // namespace workbook
