// Layers and their gradients beside those of JAX: jax_layers.json was made by jax_layers.py.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "runtime/layers/layers.h"

namespace {

using nlohmann::json;

gs::device_array<double> array(const json& recorded) {
  gs::shape extents;
  for (const std::size_t extent : recorded.at("shape")) extents.push_back(extent);
  return gs::to_device(recorded.at("elements").get<std::vector<double>>()).reshape(extents);
}
void expect_array(const gs::device_array<double>& found, const json& expected, const std::string& description) {
  ASSERT_EQ(found.shape(), array(expected).shape()) << description;
  const std::vector<double> elements = found.copy_to_host();
  ASSERT_FALSE(elements.empty()) << description << ": nothing would be compared";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const double right = expected.at("elements").at(i);
    EXPECT_NEAR(elements[i], right, 2e-13 * std::fmax(1, std::fabs(right))) << description << ", element " << i;
  }
}

const json& golden() {
  static const json values = json::parse(std::ifstream(JAX_LAYERS_FILE));
  return values;
}

// The value of `layer`, a function of a tape and of `Arguments` variables, and its gradients.
template <std::size_t Arguments, class Layer>
void agrees(const std::string& name, const Layer& layer) {
  const json& recorded = golden().at(name);
  ASSERT_EQ(recorded.at("arguments").size(), Arguments);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    const auto found = gs::taped(layer).vjp(array(recorded.at("cotangent")), array(recorded.at("arguments").at(K))...);
    expect_array(std::get<0>(found), recorded.at("value"), name);
    (expect_array(std::get<K + 1>(found), recorded.at("gradients").at(K), name + ", gradient " + std::to_string(K)),
     ...);
  }(std::make_index_sequence<Arguments>());
}

TEST(layers_beside_jax, dense) {
  agrees<3>("dense", [](auto& tape, auto x, auto w, auto b) { return gs::dense(tape, x, w, b); });
}
TEST(layers_beside_jax, convolution_in_every_way) {
  for (auto method : {gs::convolution_method::direct, gs::convolution_method::im2col, gs::convolution_method::block,
                      gs::convolution_method::registers})
    agrees<2>("convolution", [=](auto& tape, auto x, auto w) { return gs::convolution_3x3(tape, x, w, method); });
}
TEST(layers_beside_jax, max_pooling) {
  agrees<1>("pooling", [](auto& tape, auto x) { return gs::max_pooling_2x2(tape, x); });
}
TEST(layers_beside_jax, cross_entropy_of_scores_in_the_hundreds) {
  const auto labels = gs::to_device(golden().at("labels").get<std::vector<int>>());
  agrees<1>("cross_entropy", [&](auto& tape, auto x) { return gs::softmax_cross_entropy(tape, x, labels); });
}

}  // namespace
