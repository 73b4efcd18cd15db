#pragma once
// samples: the numbers of a plot, from any range of numbers, without a change of their values.

#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace workbook {

/// Anything that can be walked through and holds numbers: a vector, a span, an xtensor container.
template <class R>
concept number_range = requires(const R& r) {
  r.begin();
  r.end();
  requires std::is_arithmetic_v<std::remove_cvref_t<decltype(*r.begin())>>;
};

/// A column of numbers. Narrow types are kept narrow (100 million float32 take 400 MB); each is read as a double.
class samples {
 public:
  // Defined in samples.cpp: inline, a lesson would compile them again for each of its plots.
  samples();
  samples(const samples&);
  samples(samples&&) noexcept;
  samples& operator=(const samples&);
  samples& operator=(samples&&) noexcept;
  ~samples();

  samples(std::initializer_list<double> values);
  // Moved from, not copied.
  samples(std::vector<float>&& values);   // NOLINT: ranges convert
  samples(std::vector<double>&& values);  // NOLINT

  template <number_range R>
  requires(!std::is_same_v<std::remove_cvref_t<R>, samples>) samples(const R& range) {  // NOLINT: ranges convert
    using T = std::remove_cvref_t<decltype(*range.begin())>;
    using stored = std::conditional_t<std::is_same_v<T, float> || sizeof(T) <= 2, float, double>;
    std::vector<stored> values;
    if constexpr (requires { range.size(); }) values.reserve(static_cast<std::size_t>(range.size()));
    for (auto it = range.begin(); it != range.end(); ++it) values.push_back(static_cast<stored>(*it));
    *this = samples(std::move(values));
  }

  /// first, first + step, first + 2 step, ...: takes no memory.
  static samples regular(double first, double step, std::size_t size) {
    samples s;
    s.values_ = progression{first, step, size};
    return s;
  }

  std::size_t size() const {
    if (const auto* p = std::get_if<progression>(&values_)) return p->size;
    if (const auto* f = std::get_if<std::vector<float>>(&values_)) return f->size();
    return std::get<std::vector<double>>(values_).size();
  }
  bool empty() const { return size() == 0; }

  double operator[](std::size_t i) const {
    if (const auto* d = std::get_if<std::vector<double>>(&values_)) return (*d)[i];
    if (const auto* f = std::get_if<std::vector<float>>(&values_)) return static_cast<double>((*f)[i]);
    const auto& p = std::get<progression>(values_);
    return p.first + p.step * static_cast<double>(i);
  }

  /// The numbers as a span of float or of double, for loops that read them all; empty for those of regular().
  /// Calls read(span) and returns what it returns.
  template <class F>
  auto visit(const F& read) const {
    if (const auto* d = std::get_if<std::vector<double>>(&values_)) return read(std::span<const double>(*d));
    if (const auto* f = std::get_if<std::vector<float>>(&values_)) return read(std::span<const float>(*f));
    return read(std::span<const double>());
  }
  bool is_regular() const { return std::holds_alternative<progression>(values_); }

  struct progression {
    double first, step;
    std::size_t size;
  };
  /// As they are kept.
  using storage = std::variant<std::vector<double>, std::vector<float>, progression>;
  const storage& content() const { return values_; }
  storage& content() { return values_; }

 private:
  storage values_;
};

}  // namespace workbook
