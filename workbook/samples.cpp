#include "workbook/samples.h"

namespace workbook {

samples::samples() = default;
samples::samples(const samples&) = default;
samples::samples(samples&&) noexcept = default;
samples& samples::operator=(const samples&) = default;
samples& samples::operator=(samples&&) noexcept = default;
samples::~samples() = default;

samples::samples(std::initializer_list<double> values) : values_(std::vector<double>(values)) {}
samples::samples(std::vector<float>&& values) : values_(std::move(values)) {}
samples::samples(std::vector<double>&& values) : values_(std::move(values)) {}

}  // namespace workbook
