#pragma once
// cuRAND's calls of the host: cuRAND Library Programming Guide, "Host API Overview". XORWOW and Philox, in the order of
// CURAND_ORDERING_PSEUDO_DEFAULT, which is that of CURAND_ORDERING_PSEUDO_LEGACY: the same numbers as cuRAND's, except
// for Poisson ones. A generator made by curandCreateGenerator() fills memory of the device, queued on its stream; one
// made by curandCreateGeneratorHost() fills memory of the host at once. What isn't here isn't found when a source
// compiles.

#include <cstddef>

#include "dialect/runtime/streams.h"

enum curandStatus_t {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
using curandStatus = curandStatus_t;
/// Those of them that there are: XORWOW, which is the default, and PHILOX4_32_10.
enum curandRngType_t {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
using curandRngType = curandRngType_t;
enum curandOrdering_t {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
};
using curandOrdering = curandOrdering_t;
using curandGenerator_t = struct curandGenerator_st*;

#define CURAND_VERSION 10400

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int* version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
/// Goes on where the generator is, in the sequence of another seed; where cuRAND's Philox goes on then, it doesn't
/// say: set an offset, too. At first the seed is 0.
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
/// How many numbers are skipped from the beginning of the sequence.
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
/// CURAND_ORDERING_PSEUDO_SEEDED and DYNAMIC aren't there.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
/// Seeds are made when they are needed.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);

/// Fills `numbers` with `n` numbers: 32 random bits; uniformly distributed in (0, 1]; normally distributed, and the
/// exponential of such ones; Poisson distributed with a mean of more than 0 and at most 400,000. XORWOW gives normally
/// distributed numbers in pairs: `n` is even.
///@{
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, std::size_t n);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, std::size_t n);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, std::size_t n);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, std::size_t n, float mean,
                                    float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, std::size_t n, double mean,
                                          double deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, std::size_t n, float mean,
                                       float deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, std::size_t n, double mean,
                                             double deviation);
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, std::size_t n, double mean);
///@}
