#pragma once
// An object of a JSON document, read member by member and strictly: errors name the member by its path.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "workbook/json/read_json.h"

namespace grader {

/// Its functions throw gs::error for a member that is missing or of another type: "reading FILE: criteria[2].points is
/// -1; give a number from 0 on".
class json_object {
 public:
  /// Parses a document whose outermost value must be an object; `name` is what messages call it.
  json_object(std::string_view document, const std::string& name);

  bool has(const std::string& member) const { return value_.contains(member); }
  std::string text(const std::string& member);  ///< not empty
  std::string any_text(const std::string& member);
  double number(const std::string& member);         ///< finite, from 0 on
  double any_number(const std::string& member);     ///< also "NaN", "inf" and "-inf"
  std::uint64_t count(const std::string& member);   ///< an integer from 0 on
  std::uint64_t digits(const std::string& member);  ///< the same as text: JavaScript's numbers hold 53 bits
  bool truth(const std::string& member);
  json_object object(const std::string& member);
  std::vector<json_object> objects(const std::string& member);
  std::vector<std::string> texts(const std::string& member);
  std::vector<std::uint64_t> counts(const std::string& member);

  /// The names of its members, sorted. Counts as reading all of them.
  std::vector<std::string> members();
  /// Throws gs::error if there is a member that wasn't read.
  void expect_no_more() const;
  /// Throws gs::error about a member: what is wrong with it, and what to do.
  [[noreturn]] void refuse(const std::string& member, const std::string& found, const std::string& advice) const;

 private:
  json_object(workbook::read_json_value value, std::string name, std::string path);
  const workbook::read_json_value& at(const std::string& member);
  const workbook::read_json_value& list(const std::string& member);

  workbook::read_json_value value_;
  std::string name_, path_;  // the path ends in a dot, or is empty
  std::set<std::string> asked_;
};

/// What any_number() reads: a number, or a text for one that JSON can't express.
nlohmann::ordered_json number_json(double v);

}  // namespace grader
