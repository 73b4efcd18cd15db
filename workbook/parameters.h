#pragma once
// Parameters of a lesson: what can be chosen, within which range, and what was chosen.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "workbook/prediction.h"

namespace workbook {

/// A whole number, `--name N` on the command line, where 1e6, 1M, 100k and 1_000_000 are understood.
struct integer {
  std::string name = {};
  std::string text = {};  ///< what it means, for --help and the viewer
  long long min = 0;
  long long max = 0;
  long long default_value = 0;
  std::optional<long long> inspected = {};  ///< the default where kernels are observed: enough to show what they do
};

/// A real number.
struct real {
  std::string name = {};
  std::string text = {};
  double min = 0;
  double max = 0;
  double default_value = 0;
  std::string unit = {};
  std::optional<double> inspected = {};
};

/// One of a few words. The default is the first unless given.
struct choice {
  std::string name = {};
  std::string text = {};
  std::vector<std::string> choices = {};
  std::string default_value = {};
};

using parameter = std::variant<integer, real, choice>;
using parameter_value = std::variant<long long, double, std::string>;

const std::string& name_of(const parameter& p);
const std::string& text_of(const parameter& p);
/// "1 to 100,000,000" or "one of cpu, device".
std::string range_of(const parameter& p);
/// The default where kernels are observed, if it is another one.
std::optional<parameter_value> inspected_value(const parameter& p);
/// Reads a value as it is typed. Throws gs::error that names the range if it isn't one or lies outside.
parameter_value parse_value(const parameter& p, std::string_view text);
std::string to_text(const parameter_value& v);

/// The values a lesson runs with: one for each declared parameter, the seed, which every lesson has, and the reader's
/// guesses.
class parameters {
 public:
  static constexpr std::uint64_t default_seed = 1;

  parameters() = default;
  /// All at their defaults, and nothing guessed. Throws gs::error for a declaration that can't be right: a name twice,
  /// an empty range, a default outside it, or one for inspection, a prediction without a question.
  explicit parameters(std::vector<parameter> declared, std::vector<prediction> predictions = {});

  /// Throws gs::error if there is no such parameter, it is of another type, or the value is out of range.
  void set(std::string_view name, std::string_view text);
  /// Gives each parameter with a default for inspection that value.
  void use_inspected();
  void set_seed(std::uint64_t seed) { seed_ = seed; }

  /// Throw gs::error if the lesson didn't declare a parameter of that name and type.
  long long integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& choice(std::string_view name) const;
  /// An integer parameter as a number of elements; it must not be negative.
  std::size_t size(std::string_view name = "size") const;
  std::uint64_t seed() const { return seed_; }

  /// The reader's guess, if there is one. These throw gs::error if the lesson doesn't declare a prediction of that
  /// name.
  std::optional<double> guess(std::string_view name) const;
  void set_guess(std::string_view name, std::string_view text);
  const prediction& asked(std::string_view name) const;

  const std::vector<parameter>& declared() const { return declared_; }
  const std::vector<prediction>& predictions() const { return predictions_; }
  const parameter_value& value(std::string_view name) const;

 private:
  std::size_t position(std::string_view name) const;
  std::size_t position_of_prediction(std::string_view name) const;

  std::vector<parameter> declared_;
  std::vector<parameter_value> values_;
  std::vector<prediction> predictions_;
  std::vector<std::optional<double>> guesses_;  // one for each prediction
  std::uint64_t seed_ = default_seed;
};

/// Reads a seed as it is typed: 0 to 2^64 - 1. Throws gs::error if it isn't one.
std::uint64_t parse_seed(std::string_view text);

}  // namespace workbook
