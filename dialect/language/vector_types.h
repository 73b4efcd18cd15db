#pragma once
// CUDA's vector types and dim3. Sizes, members and alignments are those of the CUDA C++ Programming Guide, "Built-in
// Vector Types".

#define GS_DIALECT_VECTORS(name, type, two, four)                                \
  struct name##1 { type x; };                                                    \
  struct alignas(two) name##2 { type x, y; };                                    \
  struct name##3 { type x, y, z; };                                              \
  struct alignas(four) name##4 { type x, y, z, w; };                             \
  constexpr name##1 make_##name##1(type x) { return {x}; }                       \
  constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

GS_DIALECT_VECTORS(char, signed char, 2, 4)
GS_DIALECT_VECTORS(uchar, unsigned char, 2, 4)
GS_DIALECT_VECTORS(short, short, 4, 8)
GS_DIALECT_VECTORS(ushort, unsigned short, 4, 8)
GS_DIALECT_VECTORS(int, int, 8, 16)
GS_DIALECT_VECTORS(uint, unsigned int, 8, 16)
GS_DIALECT_VECTORS(long, long, 16, 16)
GS_DIALECT_VECTORS(ulong, unsigned long, 16, 16)
GS_DIALECT_VECTORS(longlong, long long, 16, 16)
GS_DIALECT_VECTORS(ulonglong, unsigned long long, 16, 16)
GS_DIALECT_VECTORS(float, float, 8, 16)
GS_DIALECT_VECTORS(double, double, 16, 16)

#undef GS_DIALECT_VECTORS

/// Extents of a grid or a block; those that aren't given are 1.
struct dim3 {
  unsigned int x = 1, y = 1, z = 1;

  constexpr dim3(unsigned int x_extent = 1, unsigned int y_extent = 1, unsigned int z_extent = 1)  // NOLINT
      : x(x_extent), y(y_extent), z(z_extent) {}
  constexpr dim3(uint3 extents) : x(extents.x), y(extents.y), z(extents.z) {}  // NOLINT: as CUDA's converts
  constexpr operator uint3() const { return {x, y, z}; }                       // NOLINT
};
