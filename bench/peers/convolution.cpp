#include <algorithm>
#include <memory>

#include "bench/peers/peers.h"

#if GRIDSTRIDE_ONEDNN
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace bench::peers {

void convolution(std::span<const float> x, std::span<const float> w, std::span<float> y, const convolution_extents& e) {
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t picture = 0; picture < e.batch; ++picture)
    for (std::size_t row = 0; row < e.rows; ++row)
      for (std::size_t column = 0; column < e.columns; ++column) {
        float* const out = y.data() + ((picture * e.rows + row) * e.columns + column) * e.outputs;
        std::fill_n(out, e.outputs, 0.0f);
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j) {
            if (row + i < 1 || row + i > e.rows || column + j < 1 || column + j > e.columns) continue;
            const float* const pixel =
                x.data() + ((picture * e.rows + row + i - 1) * e.columns + column + j - 1) * e.channels;
            const float* const weights = w.data() + (i * 3 + j) * e.channels * e.outputs;
            for (std::size_t k = 0; k < e.channels; ++k)
#pragma omp simd
              for (std::size_t output = 0; output < e.outputs; ++output)
                out[output] += pixel[k] * weights[k * e.outputs + output];
          }
      }
}

#if GRIDSTRIDE_ONEDNN

struct onednn_convolution::state {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::convolution_forward call;
  dnnl::memory x, w, y;
};

onednn_convolution::onednn_convolution(std::span<const float> x, std::span<const float> w, std::span<float> y,
                                       const convolution_extents& e)
    : state_(std::make_unique<state>()) {
  using dnnl::memory;
  const auto extent = [](std::size_t n) { return static_cast<memory::dim>(n); };
  const auto pictures = [&](std::size_t channels) {
    return memory::desc({extent(e.batch), extent(channels), extent(e.rows), extent(e.columns)}, memory::data_type::f32,
                        memory::format_tag::nhwc);
  };
  const memory::dims weights{extent(e.outputs), extent(e.channels), 3, 3};
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto way = dnnl::algorithm::convolution_direct;
  const memory::desc any_order(weights, memory::data_type::f32, memory::format_tag::any);
  const memory::dims ones{1, 1};  // strides, and the padding on both sides
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::convolution_forward::primitive_desc plan(state_->engine, kind, way, pictures(e.channels), any_order,
                                                       pictures(e.outputs), ones, ones, ones);
#else
  const dnnl::convolution_forward::primitive_desc plan(
      {kind, way, pictures(e.channels), any_order, pictures(e.outputs), ones, ones, ones}, state_->engine);
#endif
  state_->call = dnnl::convolution_forward(plan);
  state_->x = memory(plan.src_desc(), state_->engine, const_cast<float*>(x.data()));  // it is only read
  state_->y = memory(plan.dst_desc(), state_->engine, y.data());
  // The weights in the order that it likes: not a part of the time.
  memory given(memory::desc(weights, memory::data_type::f32, memory::format_tag::hwio), state_->engine,
               const_cast<float*>(w.data()));
  state_->w = memory(plan.weights_desc(), state_->engine);
  dnnl::reorder(given, state_->w).execute(state_->stream, given, state_->w);
  state_->stream.wait();
}
onednn_convolution::~onednn_convolution() = default;

void onednn_convolution::run() {
  state_->call.execute(state_->stream,
                       {{DNNL_ARG_SRC, state_->x}, {DNNL_ARG_WEIGHTS, state_->w}, {DNNL_ARG_DST, state_->y}});
  state_->stream.wait();
}

#endif

}  // namespace bench::peers
