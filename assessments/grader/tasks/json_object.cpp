#include "assessments/grader/tasks/json_object.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"

namespace grader {

using gs::detail::printable;
namespace {

using workbook::read_json_value;

// A value for a message: no longer than a line.
std::string shown(const read_json_value& value) {
  std::string text = value.dump(-1, ' ', true, read_json_value::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

read_json_value parsed(std::string_view document, const std::string& name) {
  return workbook::read_json(document, "reading " + name, "give it as JSON");
}

}  // namespace

json_object::json_object(std::string_view document, const std::string& name)
    : json_object(parsed(document, name), name, "") {}

json_object::json_object(read_json_value value, std::string name, std::string path)
    : value_(std::move(value)), name_(std::move(name)), path_(std::move(path)) {
  if (!value_.is_object())
    throw gs::error("reading " + name_,
                    (path_.empty() ? "it" : path_.substr(0, path_.size() - 1)) + " is " + shown(value_),
                    "give an object: {...}");
}

void json_object::refuse(const std::string& member, const std::string& found, const std::string& advice) const {
  throw gs::error("reading " + name_, printable(path_ + member + " " + found), advice);
}

const read_json_value& json_object::at(const std::string& member) {
  asked_.insert(member);
  const auto found = value_.find(member);
  if (found == value_.end()) refuse(member, "is missing", "add it");
  return *found;
}

std::string json_object::any_text(const std::string& member) {
  const read_json_value& v = at(member);
  if (!v.is_string()) refuse(member, "is " + shown(v), "give a text");
  return v.get_ref<const std::string&>();
}

std::string json_object::text(const std::string& member) {
  std::string v = any_text(member);
  if (v.empty()) refuse(member, "is an empty text", "fill it in");
  return v;
}

double json_object::number(const std::string& member) {
  const read_json_value& v = at(member);
  if (!v.is_number() || v.get<double>() < 0) refuse(member, "is " + shown(v), "give a number from 0 on");
  return v;
}

double json_object::any_number(const std::string& member) {
  const read_json_value& v = at(member);
  if (v.is_number()) return v;
  if (v == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (v == "inf") return std::numeric_limits<double>::infinity();
  if (v == "-inf") return -std::numeric_limits<double>::infinity();
  refuse(member, "is " + shown(v), "give a number");
}

std::uint64_t json_object::count(const std::string& member) {
  const read_json_value& v = at(member);
  if (!v.is_number_unsigned()) refuse(member, "is " + shown(v), "give an integer from 0 on");
  return v;
}

std::uint64_t json_object::digits(const std::string& member) {
  const std::string v = text(member);
  std::uint64_t number = 0;
  if (const auto [end, error] = std::from_chars(v.data(), v.data() + v.size(), number);
      error != std::errc() || end != v.data() + v.size())
    refuse(member, "is " + shown(v), "give an integer from 0 on, as a text");
  return number;
}

bool json_object::truth(const std::string& member) {
  const read_json_value& v = at(member);
  if (!v.is_boolean()) refuse(member, "is " + shown(v), "give true or false");
  return v;
}

json_object json_object::object(const std::string& member) { return {at(member), name_, path_ + member + "."}; }

const read_json_value& json_object::list(const std::string& member) {
  const read_json_value& v = at(member);
  if (!v.is_array()) refuse(member, "is " + shown(v), "give a list: [...]");
  return v;
}

std::vector<json_object> json_object::objects(const std::string& member) {
  std::vector<json_object> items;
  for (const read_json_value& value : list(member))
    items.push_back(json_object(value, name_, fmt::format("{}{}[{}].", path_, member, items.size())));
  return items;
}

std::vector<std::string> json_object::texts(const std::string& member) {
  std::vector<std::string> items;
  for (const read_json_value& value : list(member)) {
    if (!value.is_string()) refuse(fmt::format("{}[{}]", member, items.size()), "is " + shown(value), "give a text");
    items.push_back(value.get_ref<const std::string&>());
  }
  return items;
}

std::vector<std::uint64_t> json_object::counts(const std::string& member) {
  std::vector<std::uint64_t> items;
  for (const read_json_value& value : list(member)) {
    if (!value.is_number_unsigned())
      refuse(fmt::format("{}[{}]", member, items.size()), "is " + shown(value), "give an integer from 0 on");
    items.push_back(value);
  }
  return items;
}

std::vector<std::string> json_object::members() {
  std::vector<std::string> names;
  for (const auto& [name, value] : value_.items()) {
    names.push_back(name);
    asked_.insert(name);
  }
  return names;
}

void json_object::expect_no_more() const {
  for (const auto& [name, value] : value_.items())
    if (!asked_.contains(name)) refuse(name, "isn't a known member", "check its spelling, or leave it out");
}

nlohmann::ordered_json number_json(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return v;
}

}  // namespace grader
