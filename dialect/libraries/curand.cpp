#include "dialect/libraries/curand.h"

#include <fmt/format.h>

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "dialect/libraries/curand_kernel.h"
#include "dialect/libraries/generator_banks.h"
#include "dialect/libraries/queued_call.h"
#include "dialect/runtime/allocations.h"
#include "dialect/runtime/memory.h"
#include "runtime/device/device.h"

using generator_bank = std::variant<dialect::random::xorwow_bank, dialect::random::philox_bank>;

struct curandGenerator_st {
  std::shared_ptr<generator_bank> bank;  // which the work in the stream changes
  bool on_host;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0;
  unsigned long long position = 0;  // turns of XORWOW, numbers of Philox
  bool begins_anew = true;

  bool is_xorwow() const { return std::holds_alternative<dialect::random::xorwow_bank>(*bank); }
};

namespace dialect::curand_calls {
namespace {

const char* name_of(curandStatus_t status) {
  switch (status) {
#define GS_DIALECT_STATUS(name) \
  case name:                    \
    return #name;
    GS_DIALECT_STATUS(CURAND_STATUS_SUCCESS)
    GS_DIALECT_STATUS(CURAND_STATUS_VERSION_MISMATCH)
    GS_DIALECT_STATUS(CURAND_STATUS_NOT_INITIALIZED)
    GS_DIALECT_STATUS(CURAND_STATUS_ALLOCATION_FAILED)
    GS_DIALECT_STATUS(CURAND_STATUS_TYPE_ERROR)
    GS_DIALECT_STATUS(CURAND_STATUS_OUT_OF_RANGE)
    GS_DIALECT_STATUS(CURAND_STATUS_LENGTH_NOT_MULTIPLE)
    GS_DIALECT_STATUS(CURAND_STATUS_DOUBLE_PRECISION_REQUIRED)
    GS_DIALECT_STATUS(CURAND_STATUS_LAUNCH_FAILURE)
    GS_DIALECT_STATUS(CURAND_STATUS_PREEXISTING_FAILURE)
    GS_DIALECT_STATUS(CURAND_STATUS_INITIALIZATION_FAILED)
    GS_DIALECT_STATUS(CURAND_STATUS_ARCH_MISMATCH)
    GS_DIALECT_STATUS(CURAND_STATUS_INTERNAL_ERROR)
#undef GS_DIALECT_STATUS
  }
  return "unknown status";
}

curandStatus_t refuse(curandStatus_t status, const char* call, const std::string& why) {
  print_refusal(name_of(status), fmt::format("{}: {}", call, why));
  return status;
}
curandStatus_t refuse_null(const char* call) {
  return refuse(CURAND_STATUS_NOT_INITIALIZED, call, "there is no generator; call curandCreateGenerator() before");
}

// --- what is drawn ---------------------------------------------------------------------------------------------------

template <class T>
struct draw {
  using number = T;
  static constexpr bool comes_in_pairs = false, takes_any_number_of_bits = false;
};

struct draw_bits : draw<unsigned> {
  unsigned operator()(auto* state, number* to) const { return *to = ::curand(state), 1; }
};
struct draw_uniform : draw<float> {
  unsigned operator()(auto* state, number* to) const { return *to = curand_uniform(state), 1; }
};
struct draw_uniform_double : draw<double> {
  unsigned operator()(curandStateXORWOW_t* state, number* to) const { return *to = curand_uniform_double(state), 1; }
  unsigned operator()(curandStatePhilox4_32_10_t* state, number* to) const {
    const double2 both = curand_uniform2_double(state);
    to[0] = both.x, to[1] = both.y;
    return 2;
  }
};
template <class T>
struct draw_normal : draw<T> {
  static constexpr bool comes_in_pairs = true;
  T mean, deviation;
  draw_normal(T centre, T width) : mean(centre), deviation(width) {}
  unsigned operator()(auto* state, T* to) const {
    const auto both = [&] {
      if constexpr (std::is_same_v<T, float>)
        return curand_normal2(state);
      else
        return curand_normal2_double(state);
    }();
    to[0] = mean + deviation * both.x, to[1] = mean + deviation * both.y;
    return 2;
  }
};
template <class T>
struct draw_log_normal : draw_normal<T> {
  using draw_normal<T>::draw_normal;
  unsigned operator()(auto* state, T* to) const {
    draw_normal<T>::operator()(state, to);
    to[0] = std::exp(to[0]), to[1] = std::exp(to[1]);
    return 2;
  }
};
struct draw_poisson : draw<unsigned> {
  static constexpr bool takes_any_number_of_bits = true;
  double mean;
  explicit draw_poisson(double rate) : mean(rate) {}
  unsigned operator()(auto* state, number* to) const { return *to = curand_poisson(state, mean), 1; }
};

// --- calls -----------------------------------------------------------------------------------------------------------

// What is wrong with an array; empty if nothing is.
std::string why_unusable(const curandGenerator_st& generator, const void* numbers) {
  if (!numbers) return "the array is a null pointer; pass memory of cudaMalloc()";
  if (!generator.on_host)
    return device_may_use(numbers) ? ""
                                   : "the array is memory of the host, which a GPU can't reach; pass memory of "
                                     "cudaMalloc(), or make the generator by curandCreateGeneratorHost()";
  const std::optional<allocation> memory = allocation_table::get().find(numbers);
  return memory && !memory->on_host()
             ? "the array is memory of the device, and the generator one for the host; make it by "
               "curandCreateGenerator()"
             : "";
}

// One call's work.
template <class Draw>
struct filling {
  std::shared_ptr<generator_bank> bank;
  unsigned long long seed, position;
  bool begins_anew;
  typename Draw::number* numbers;
  std::size_t n;
  Draw draw;

  void operator()(gs::detail::spread_function spread) const {
    std::visit(
        [&]<class Bank>(Bank& b) {
          constexpr std::size_t per_position =
              std::is_same_v<Bank, random::xorwow_bank> ? 1 : Bank::template numbers_per_turn<Draw>;
          if (begins_anew) b.begin(seed, position / per_position);
          random::fill(b, position / per_position, position % per_position, numbers, n, draw, spread);
        },
        *bank);
  }
};

template <class Draw>
curandStatus_t generate(const char* name, curandGenerator_t generator, typename Draw::number* numbers, std::size_t n,
                        const Draw& draw) {
  if (!generator) return refuse_null(name);
  if (n == 0) return CURAND_STATUS_SUCCESS;
  const bool in_pairs = Draw::comes_in_pairs && generator->is_xorwow();
  if (in_pairs && n % 2 != 0)
    return refuse(CURAND_STATUS_LENGTH_NOT_MULTIPLE, name,
                  fmt::format("n is {}, and XORWOW gives normally distributed numbers in pairs; take an even n, or "
                              "CURAND_RNG_PSEUDO_PHILOX4_32_10",
                              n));
  if (const std::string why = why_unusable(*generator, numbers); !why.empty())
    return refuse(CURAND_STATUS_LAUNCH_FAILURE, name, why);
  const filling<Draw> work{
      generator->bank, generator->seed, generator->position, generator->begins_anew, numbers, n, draw};
  generator->position += in_pairs ? n / 2 : n;
  generator->begins_anew = false;
  if (generator->on_host) {
    work([](std::size_t pieces, std::size_t, auto body) { body(0, pieces); });
    return CURAND_STATUS_SUCCESS;
  }
  const cudaError_t code = queue_call(generator->stream, name, [work](gs::detail::spread_function spread) {
    work(spread);
    gs::instruments::note_written(work.numbers, work.n * sizeof(typename Draw::number));
  });
  return code == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t create(const char* name, curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (!generator) return refuse(CURAND_STATUS_NOT_INITIALIZED, name, "generator is a null pointer");
  std::shared_ptr<generator_bank> bank;
  if (type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW)
    bank = std::make_shared<generator_bank>(std::in_place_type<random::xorwow_bank>);
  else if (type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
    bank = std::make_shared<generator_bank>(std::in_place_type<random::philox_bank>);
  else
    return refuse(CURAND_STATUS_TYPE_ERROR, name,
                  "this generator isn't supported; take CURAND_RNG_PSEUDO_XORWOW or CURAND_RNG_PSEUDO_PHILOX4_32_10");
  *generator = new curandGenerator_st{.bank = std::move(bank), .on_host = on_host};
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace dialect::curand_calls

namespace calls = dialect::curand_calls;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return calls::create("curandCreateGenerator", generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return calls::create("curandCreateGeneratorHost", generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator) return calls::refuse_null("curandDestroyGenerator");
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
// What was queued has to change the generators before what comes on the other stream.
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator) return calls::refuse_null("curandSetStream");
  if (stream == generator->stream) return CURAND_STATUS_SUCCESS;
  generator->stream = stream;
  const cudaError_t code = dialect::guarded([] {
    gs::synchronize();
    return cudaSuccess;
  });
  return code == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_PREEXISTING_FAILURE;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (!generator) return calls::refuse_null("curandSetPseudoRandomGeneratorSeed");
  generator->seed = seed;
  generator->begins_anew = true;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!generator) return calls::refuse_null("curandSetGeneratorOffset");
  generator->position = offset;
  generator->begins_anew = true;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!generator) return calls::refuse_null("curandSetGeneratorOrdering");
  if (order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
      order == CURAND_ORDERING_PSEUDO_LEGACY)
    return CURAND_STATUS_SUCCESS;
  return calls::refuse(CURAND_STATUS_OUT_OF_RANGE, "curandSetGeneratorOrdering",
                       "this order isn't supported; take CURAND_ORDERING_PSEUDO_DEFAULT");
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator ? CURAND_STATUS_SUCCESS : calls::refuse_null("curandGenerateSeeds");
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, std::size_t n) {
  return calls::generate("curandGenerate", generator, numbers, n, calls::draw_bits());
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, std::size_t n) {
  return calls::generate("curandGenerateUniform", generator, numbers, n, calls::draw_uniform());
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, std::size_t n) {
  return calls::generate("curandGenerateUniformDouble", generator, numbers, n, calls::draw_uniform_double());
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, std::size_t n, float mean,
                                    float deviation) {
  return calls::generate("curandGenerateNormal", generator, numbers, n, calls::draw_normal<float>(mean, deviation));
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, std::size_t n, double mean,
                                          double deviation) {
  return calls::generate("curandGenerateNormalDouble", generator, numbers, n,
                         calls::draw_normal<double>(mean, deviation));
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, std::size_t n, float mean,
                                       float deviation) {
  return calls::generate("curandGenerateLogNormal", generator, numbers, n,
                         calls::draw_log_normal<float>(mean, deviation));
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, std::size_t n, double mean,
                                             double deviation) {
  return calls::generate("curandGenerateLogNormalDouble", generator, numbers, n,
                         calls::draw_log_normal<double>(mean, deviation));
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, std::size_t n, double mean) {
  constexpr double most_mean = 400000;
  if (!(mean > 0 && mean <= most_mean))
    return calls::refuse(CURAND_STATUS_OUT_OF_RANGE, "curandGeneratePoisson",
                         fmt::format("the mean is {}; it is more than 0 and at most 400000", mean));
  return calls::generate("curandGeneratePoisson", generator, numbers, n, calls::draw_poisson(mean));
}
