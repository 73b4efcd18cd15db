#pragma once
// Streams a report from the program that makes it to one that shows it, item by item while it grows. Both programs are
// of the same build. (Other programs read the JSON document.)

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workbook/json/report_json.h"
#include "workbook/report.h"

namespace workbook {

/// The sending end. An item is sent when the next one comes, because a table may still get rows; tables that have got
/// more since are sent again at the end.
class report_sender {
 public:
  /// Sets on_progress and on_item of the report, which must outlive this object. `descriptor` stays the caller's.
  report_sender(report& r, int descriptor);
  ~report_sender();
  report_sender(const report_sender&) = delete;

  /// Sends the remaining items and how the run ended. Like sending an item, throws gs::machine_error if nobody reads.
  void end(const std::optional<run_failure>& failure);

 private:
  void send_until(std::size_t count);
  void send(char kind, std::string_view content);

  report& report_;
  int descriptor_;
  std::vector<std::size_t> sent_;  // per item: how many rows it had, if it is a table
};

/// The receiving end: reassembles the report from bytes as they arrive.
class report_receiver {
 public:
  /// Throws gs::error for bytes that aren't a report.
  void take(std::string_view bytes);

  /// What is known before the first item: which lesson, on which device. Parameters aren't sent.
  const std::optional<run_description>& about() const { return about_; }
  /// Items don't change once they have come; one that is sent again takes the place of the earlier one.
  const std::vector<std::shared_ptr<const item>>& items() const { return items_; }
  double fraction() const { return fraction_; }  ///< of the work that is done, as the lesson says; 0 if it doesn't
  const std::string& doing() const { return doing_; }
  /// The sender has come to its end; with a failure, or without.
  bool ended() const { return ended_; }
  const std::optional<run_failure>& failure() const { return failure_; }

 private:
  void take_message(char kind, std::string_view content);

  std::string pending_;
  std::optional<run_description> about_;
  std::vector<std::shared_ptr<const item>> items_;
  double fraction_ = 0;
  std::string doing_;
  bool ended_ = false;
  std::optional<run_failure> failure_;
};

}  // namespace workbook
