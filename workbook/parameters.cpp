#include "workbook/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "runtime/core/error.h"
#include "workbook/number_text.h"
#include "workbook/typed_number.h"

namespace workbook {
namespace {

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};

constexpr const char* no_name = "it is no name for an option";

bool names_an_option(const std::string& name) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

[[noreturn]] void refuse(const parameter& p, std::string_view text, std::string_view why) {
  throw gs::error("--" + name_of(p), fmt::format("'{}' {}", text, why), "give " + range_of(p));
}

}  // namespace

const std::string& name_of(const parameter& p) {
  return std::visit([](const auto& kind) -> const std::string& { return kind.name; }, p);
}

const std::string& text_of(const parameter& p) {
  return std::visit([](const auto& kind) -> const std::string& { return kind.text; }, p);
}

std::string range_of(const parameter& p) {
  return std::visit(overloaded{[](const integer& i) { return fmt::format("{} to {}", grouped(i.min), grouped(i.max)); },
                               [](const real& r) {
                                 return fmt::format("{} to {}{}{}", significant(r.min, 6), significant(r.max, 6),
                                                    r.unit.empty() ? "" : " ", r.unit);
                               },
                               [](const choice& c) { return fmt::format("one of {}", fmt::join(c.choices, ", ")); }},
                    p);
}

std::optional<parameter_value> inspected_value(const parameter& p) {
  if (const auto* i = std::get_if<integer>(&p); i && i->inspected) return *i->inspected;
  if (const auto* r = std::get_if<real>(&p); r && r->inspected) return *r->inspected;
  return {};
}

parameter_value parse_value(const parameter& p, std::string_view text) {
  if (const auto* i = std::get_if<integer>(&p)) {
    const auto v = typed_number(text);
    if (!v || *v != std::floor(*v)) refuse(p, text, "is not a whole number");
    if (*v < static_cast<long double>(i->min) || *v > static_cast<long double>(i->max))
      refuse(p, text, "is out of range");
    return static_cast<long long>(*v);
  }
  if (const auto* r = std::get_if<real>(&p)) {
    const auto v = typed_number(text);
    if (!v) refuse(p, text, "is not a number");
    const auto value = static_cast<double>(*v);
    if (!(value >= r->min && value <= r->max)) refuse(p, text, "is out of range");
    return value;
  }
  const auto& c = std::get<choice>(p);
  if (std::find(c.choices.begin(), c.choices.end(), text) == c.choices.end()) refuse(p, text, "is not among them");
  return std::string(text);
}

std::string to_text(const parameter_value& v) {
  return std::visit(overloaded{[](long long i) { return grouped(i); }, [](double d) { return significant(d, 6); },
                               [](const std::string& s) { return s; }},
                    v);
}

parameters::parameters(std::vector<parameter> declared, std::vector<prediction> predictions)
    : declared_(std::move(declared)), predictions_(std::move(predictions)), guesses_(predictions_.size()) {
  static constexpr std::array reserved{"help",    "json",        "target", "seed",      "plots", "lines",
                                       "inspect", "instruments", "gpu",    "registers", "line",  "orders"};
  std::set<std::string> names;
  for (const parameter& p : declared_) {
    const std::string& name = name_of(p);
    const auto wrong = [&](const std::string& found, const std::string& advice) {
      throw gs::error(fmt::format("declaring the parameter '{}'", name), found, advice);
    };
    if (!names_an_option(name)) wrong(no_name, "use lower-case letters, digits and _, a letter first");
    if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
      wrong("every lesson has an option of that name", "choose another name");
    if (!names.insert(name).second) wrong("it is declared twice", "choose another name");
    values_.push_back(std::visit(
        overloaded{[&](const workbook::choice& c) -> parameter_value {
                     if (c.choices.empty()) wrong("it has nothing to choose from", "give at least one choice");
                     std::string value = c.default_value.empty() ? c.choices.front() : c.default_value;
                     if (std::find(c.choices.begin(), c.choices.end(), value) == c.choices.end())
                       wrong(fmt::format("its default '{}' is not among its choices", value), "add it");
                     return value;
                   },
                   [&](const auto& number) -> parameter_value {
                     if (!(number.min <= number.default_value && number.default_value <= number.max))
                       wrong(fmt::format("its default {} is not within {} to {}", number.default_value, number.min,
                                         number.max),
                             "give min <= default_value <= max");
                     if (number.inspected && !(number.min <= *number.inspected && *number.inspected <= number.max))
                       wrong(fmt::format("its default {} for inspection is not within {} to {}", *number.inspected,
                                         number.min, number.max),
                             "give min <= inspected <= max");
                     return number.default_value;
                   }},
        p));
  }
  names.clear();
  for (const prediction& p : predictions_) {
    const auto wrong = [&](const char* found, const char* advice) {
      throw gs::error(fmt::format("declaring the prediction '{}'", p.name), found, advice);
    };
    if (!names_an_option(p.name)) wrong(no_name, "use lower-case letters, digits and _, a letter first");
    if (p.question.empty()) wrong("it asks nothing", "give a question");
    if (!names.insert(p.name).second) wrong("it is declared twice", "choose another name");
  }
}

std::size_t parameters::position(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < declared_.size(); ++k) {
    if (name_of(declared_[k]) == name) return k;
    names.push_back(name_of(declared_[k]));
  }
  throw gs::error(fmt::format("the parameter '{}'", name), "this lesson doesn't declare it",
                  names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", ")));
}

void parameters::set(std::string_view name, std::string_view text) {
  const std::size_t k = position(name);
  values_[k] = parse_value(declared_[k], text);
}

std::size_t parameters::position_of_prediction(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < predictions_.size(); ++k) {
    if (predictions_[k].name == name) return k;
    names.push_back(predictions_[k].name);
  }
  throw gs::error(fmt::format("the prediction '{}'", name), "this lesson doesn't declare it",
                  names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", ")));
}

void parameters::set_guess(std::string_view name, std::string_view text) {
  const std::size_t k = position_of_prediction(name);
  guesses_[k] = parse_guess(predictions_[k], text);
}

std::optional<double> parameters::guess(std::string_view name) const { return guesses_[position_of_prediction(name)]; }

const prediction& parameters::asked(std::string_view name) const { return predictions_[position_of_prediction(name)]; }

void parameters::use_inspected() {
  for (std::size_t k = 0; k < declared_.size(); ++k)
    if (auto inspected = inspected_value(declared_[k])) values_[k] = *std::move(inspected);
}

const parameter_value& parameters::value(std::string_view name) const { return values_[position(name)]; }

namespace {
template <class T>
const T& get_as(const parameter_value& v, std::string_view name, const char* asked) {
  if (const T* found = std::get_if<T>(&v)) return *found;
  static constexpr std::array kinds{"an integer", "a real number", "a choice"};
  throw gs::error(fmt::format("the parameter '{}' as {}", name, asked),
                  fmt::format("it is declared as {}", kinds[v.index()]), "read it as what it is declared as");
}
}  // namespace

long long parameters::integer(std::string_view name) const {
  return get_as<long long>(value(name), name, "an integer");
}
double parameters::real(std::string_view name) const { return get_as<double>(value(name), name, "a real number"); }
const std::string& parameters::choice(std::string_view name) const {
  return get_as<std::string>(value(name), name, "a choice");
}
std::size_t parameters::size(std::string_view name) const {
  const long long n = integer(name);
  if (n < 0)
    throw gs::error(fmt::format("the parameter '{}' as a size", name), fmt::format("it is {}", n),
                    "declare it with min at least 0");
  return static_cast<std::size_t>(n);
}

std::uint64_t parse_seed(std::string_view text) {
  std::uint64_t seed = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size())
    throw gs::error("--seed", fmt::format("'{}' is not a seed", text), "give a whole number from 0 to 2^64 - 1");
  return seed;
}

}  // namespace workbook
