#include "workbook/json/read_json.h"

#include <set>

#include "runtime/core/error.h"

namespace workbook {
namespace {

// Walks through a document and keeps nothing but its depth and the names of the enclosing objects. (nlohmann::json's
// own callback looks through all elements of an array at the end of each object in it.)
class limit_watch final : public nlohmann::json_sax<nlohmann::json> {
 public:
  limit_watch(json_limits limits, const std::string& asked, const std::string& advice)
      : limits_(limits), asked_(asked), advice_(advice) {}

  bool start_object(std::size_t) override { return begin(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(std::string& name) override {
    if (limits_.members_once && !names_.back().insert(name).second)
      throw gs::error(asked_, "the member " + nlohmann::json(name).dump() + " stands in it twice", advice_);
    return true;
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(nlohmann::json::binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  bool begin() {
    if (names_.size() >= static_cast<std::size_t>(limits_.depth))
      throw gs::error(asked_, "it is nested more than " + std::to_string(limits_.depth) + " deep", advice_);
    names_.emplace_back();
    return true;
  }
  bool end() {
    names_.pop_back();
    return true;
  }

  json_limits limits_;
  const std::string &asked_, &advice_;
  std::vector<std::set<std::string>> names_;  // of the members so far, for each object or array around
};

}  // namespace

void expect_json_within(json_limits limits, std::string_view text, const std::string& asked,
                        const std::string& advice) {
  if (text.size() > limits.bytes)
    throw gs::error(asked, "it has more than " + std::to_string(limits.bytes) + " bytes", advice);
  limit_watch watch(limits, asked, advice);
  nlohmann::json::sax_parse(text, &watch);
}

read_json_value read_json(std::string_view text, const std::string& asked, const std::string& advice,
                          json_limits limits) {
  expect_json_within(limits, text, asked, advice);
  try {
    return read_json_value::parse(text);
  } catch (const nlohmann::detail::parse_error& e) {
    throw gs::error(asked, "it is not JSON, or was cut off (byte " + std::to_string(e.byte) + ")", advice);
  } catch (const nlohmann::detail::exception&) {
    throw gs::error(asked, "it holds a number beyond the range of a double", advice);
  }
}

}  // namespace workbook
