// The kernels of the PoCL peer, OpenCL C: one work item per element, or per number of the result.

#define SIDE 16      // of the tiles of matmul and transpose
#define HALO_SIDE 8  // of the work groups of diffusion_threads
#define SQRT_2_PI 2.5066282746310002f

kernel void add(global const float* restrict x, global const float* restrict y, global float* restrict out) {
  const size_t i = get_global_id(0);
  out[i] = x[i] + y[i];
}

kernel void gaussian_pdf(global const float* restrict x, float mean, float sigma, global float* restrict out) {
  const size_t i = get_global_id(0);
  const float z = (x[i] - mean) / sigma;
  out[i] = exp(-0.5f * z * z) / (sigma * SQRT_2_PI);
}

kernel void neural_layer(global const float* restrict grey, global const float* restrict weight, global float* restrict out) {
  const size_t i = get_global_id(0);
  const float v = grey[i] / 255.0f * weight[i];
  const float rising = exp(v), falling = exp(-v);
  out[i] = (rising - falling) / (rising + falling);
}

kernel void zero_suppress(global const short* restrict x, short threshold, global short* restrict out) {
  const size_t i = get_global_id(0);
  out[i] = x[i] < threshold ? 0 : x[i];
}

kernel void hypot_textbook(global const float* restrict x, global const float* restrict y, global float* restrict out) {
  const size_t i = get_global_id(0);
  const float p = fabs(x[i]), q = fabs(y[i]);
  const float larger = fmax(p, q), t = fmin(p, q) / larger;
  out[i] = larger * sqrt(1 + t * t);
}

kernel void polar_distance(global const float* restrict radius, global const float* restrict angle,
                           global const float* restrict other_radius, global const float* restrict other_angle,
                           global float* restrict out) {
  const size_t i = get_global_id(0);
  const float dx = radius[i] * cos(angle[i]) - other_radius[i] * cos(other_angle[i]);
  const float dy = radius[i] * sin(angle[i]) - other_radius[i] * sin(other_angle[i]);
  out[i] = sqrt(dx * dx + dy * dy);
}

kernel void make_pulses(global const float* restrict time, float period, global const float* restrict height,
                        global float* restrict out) {
  const size_t i = get_global_id(0);
  const float tip = (sin(6.28318531f * time[i] / period) - 0.3f) / 0.7f;
  out[i] = tip > 0 ? tip * height[i] : 0;
}

kernel void l2_norm(global const float* restrict x, uint columns, global float* restrict out) {
  const size_t r = get_global_id(0);
  float sum = 0;
  for (uint i = 0; i < columns; ++i) sum += x[r * columns + i] * x[r * columns + i];
  out[r] = sqrt(sum);
}

// Long rows: sixteen sums side by side.
kernel void l2_norm_16(global const float* restrict x, uint columns, global float* restrict out) {
  const size_t r = get_global_id(0);
  global const float* row = x + r * columns;
  float16 sums = 0;
  uint i = 0;
  for (; i + 16 <= columns; i += 16) {
    const float16 v = vload16(0, row + i);
    sums += v * v;
  }
  const float8 eight = sums.lo + sums.hi;
  const float4 four = eight.lo + eight.hi;
  float sum = four.x + four.y + four.z + four.w;
  for (; i < columns; ++i) sum += row[i] * row[i];
  out[r] = sqrt(sum);
}

// Each work item adds a piece of its own; the host adds what they found.
kernel void reduce(global const float* restrict x, ulong n, global float* restrict sums) {
  const ulong each = (n + get_global_size(0) - 1) / get_global_size(0);
  const ulong begin = min(n, each * get_global_id(0)), end = min(n, begin + each);
  float16 a = 0, b = 0;
  ulong i = begin;
  for (; i + 32 <= end; i += 32) {
    a += vload16(0, x + i);
    b += vload16(0, x + i + 16);
  }
  a += b;
  const float8 eight = a.lo + a.hi;
  const float4 four = eight.lo + eight.hi;
  float sum = four.x + four.y + four.z + four.w;
  for (; i < end; ++i) sum += x[i];
  sums[get_global_id(0)] = sum;
}

kernel void dot_product(global const float* restrict x, global const float* restrict y, ulong n, global float* restrict sums) {
  const ulong each = (n + get_global_size(0) - 1) / get_global_size(0);
  const ulong begin = min(n, each * get_global_id(0)), end = min(n, begin + each);
  float16 a = 0, b = 0;
  ulong i = begin;
  for (; i + 32 <= end; i += 32) {
    a += vload16(0, x + i) * vload16(0, y + i);
    b += vload16(0, x + i + 16) * vload16(0, y + i + 16);
  }
  a += b;
  const float8 eight = a.lo + a.hi;
  const float4 four = eight.lo + eight.hi;
  float sum = four.x + four.y + four.z + four.w;
  for (; i < end; ++i) sum += x[i] * y[i];
  sums[get_global_id(0)] = sum;
}

// Eight streams a work item, a vector of generators.
float8 uniform8(ulong8* s0, ulong8* s1) {
  const ulong8 result = *s0 + *s1, mixed = *s0 ^ *s1;
  *s0 = rotate(*s0, (ulong8)55) ^ mixed ^ (mixed << 14);
  *s1 = rotate(mixed, (ulong8)36);
  return convert_float8(convert_double8(as_long8(result >> 11)) * 0x1p-53);
}
kernel void pi(global const ulong* restrict streams, uint darts, global ulong* restrict inside) {
  const ulong16 first = vload16(0, streams + 16 * get_global_id(0));
  ulong8 s0 = first.even, s1 = first.odd;
  int8 count = 0;
  for (uint k = 0; k < darts; ++k) {
    const float8 x = uniform8(&s0, &s1), y = uniform8(&s0, &s1);
    count -= x * x + y * y <= 1.0f;  // true is -1
  }
  const int4 four = count.lo + count.hi;
  inside[get_global_id(0)] = four.x + four.y + four.z + four.w;
}

// Tiles of SIDE x SIDE in local memory.
kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void matmul(global const float* restrict a,
                                                                        global const float* restrict b,
                                                                        global float* restrict c, uint side) {
  local float from_a[SIDE][SIDE], from_b[SIDE][SIDE];
  const uint x = get_local_id(0), y = get_local_id(1);
  const size_t column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < side; k += SIDE) {
    from_a[y][x] = a[row * side + k + x];
    from_b[y][x] = b[(k + y) * side + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < SIDE; ++i) sum += from_a[y][i] * from_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * side + column] = sum;
}

kernel void matmul_of_each(global const float* restrict a, global const float* restrict b, uint side,
                           global float* restrict c) {
  const size_t j = get_global_id(0), i = get_global_id(1), at = get_global_id(2) * side * side;
  float sum = 0;
  for (uint k = 0; k < side; ++k) sum += a[at + i * side + k] * b[at + k * side + j];
  c[at + i * side + j] = sum;
}

// A work group turns a tile of SIDE x SIDE.
kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void transpose(global const float* restrict in, uint rows,
                                                                           uint columns, global float* restrict out) {
  local float tile[SIDE][SIDE + 1];
  const uint x = get_local_id(0), y = get_local_id(1);
  const size_t left = get_group_id(0) * SIDE, top = get_group_id(1) * SIDE;
  if (top + y < rows && left + x < columns) tile[y][x] = in[(top + y) * columns + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (left + y < columns && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
}

// One work item per cell, no local memory: the caches do as well.
kernel void diffusion(global const float* restrict u, float rate, global float* restrict out) {
  const size_t column = get_global_id(0), row = get_global_id(1), n = get_global_size(0), rows = get_global_size(1);
  const size_t here = row * n + column;
  const float curvature = u[row > 0 ? here - n : here] + u[row + 1 < rows ? here + n : here] +
                          u[column > 0 ? here - 1 : here] + u[column + 1 < n ? here + 1 : here] - 4 * u[here];
  out[here] = u[here] + rate * curvature;
}
kernel void diffusion_laplacian(global const float* restrict u, float rate, global float* restrict out,
                                global float* restrict laplacian) {
  const size_t column = get_global_id(0), row = get_global_id(1), n = get_global_size(0), rows = get_global_size(1);
  const size_t here = row * n + column;
  const float curvature = u[row > 0 ? here - n : here] + u[row + 1 < rows ? here + n : here] +
                          u[column > 0 ? here - 1 : here] + u[column + 1 < n ? here + 1 : here] - 4 * u[here];
  laplacian[here] = curvature;
  out[here] = u[here] + rate * curvature;
}

// The same through local memory, with a halo and a barrier.
kernel __attribute__((reqd_work_group_size(HALO_SIDE, HALO_SIDE, 1))) void diffusion_threads(
    global const float* restrict u, float rate, uint rows, uint columns, global float* restrict out) {
  local float s[HALO_SIDE + 2][HALO_SIDE + 2];
  const uint x = get_local_id(0) + 1, y = get_local_id(1) + 1;
  const size_t column = get_global_id(0), row = get_global_id(1);
  const bool has_cell = row < rows && column < columns;
  const size_t here = row * columns + column;
  if (has_cell) {
    s[y][x] = u[here];
    if (y == 1) s[0][x] = u[row > 0 ? here - columns : here];
    if (y == HALO_SIDE || row + 1 == rows) s[y + 1][x] = u[row + 1 < rows ? here + columns : here];
    if (x == 1) s[y][0] = u[column > 0 ? here - 1 : here];
    if (x == HALO_SIDE || column + 1 == columns) s[y][x + 1] = u[column + 1 < columns ? here + 1 : here];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (has_cell) out[here] = s[y][x] + rate * (s[y - 1][x] + s[y + 1][x] + s[y][x - 1] + s[y][x + 1] - 4 * s[y][x]);
}

// Each work item counts a piece into counters of its own; a second kernel adds them.
kernel void histogram(global const float* restrict x, ulong n, float low, float scale, uint bins, global uint* restrict own) {
  global uint* counts = own + get_global_id(0) * 8 * (bins + 1);
  for (uint b = 0; b < 8 * (bins + 1); ++b) counts[b] = 0;
  const ulong each = (n + get_global_size(0) - 1) / get_global_size(0);
  const ulong begin = min(n, each * get_global_id(0)), end = min(n, begin + each);
  ulong i = begin;
  for (; i + 8 <= end; i += 8) {
    const float8 position = (vload8(0, x + i) - low) * scale;
    uint index[8];
    vstore8(select((uint8)bins, convert_uint8(position), position >= 0.0f && position < (float8)bins), 0, index);
    for (uint k = 0; k < 8; ++k) ++counts[8 * index[k] + k];
  }
  for (; i < end; ++i) {
    const float position = (x[i] - low) * scale;
    ++counts[8 * (position >= 0 && position < bins ? (uint)position : bins)];
  }
}
kernel void add_counts(global const uint* restrict own, uint items, uint bins, global uint* restrict out) {
  const uint b = get_global_id(0);
  uint sum = 0;
  for (uint t = 0; t < items; ++t)
    for (uint k = 0; k < 8; ++k) sum += own[(t * (bins + 1) + b) * 8 + k];
  out[b] = sum;
}

// One set of counters for all, in global memory.
kernel void clear(global uint* restrict counts) { counts[get_global_id(0)] = 0; }
kernel void histogram_global(global const float* restrict x, float low, float scale, uint bins, global uint* restrict counts) {
  const float position = (x[get_global_id(0)] - low) * scale;
  atomic_inc(counts + (position >= 0 && position < bins ? (uint)position : bins));
}

kernel void polynomial_kernel(global const float* restrict x, uint degree, global float* restrict out) {
  const size_t i = get_global_id(0);
  float sum = 1;
  for (uint k = 0; k < degree; ++k) sum = sum * x[i] + 1;
  out[i] = sum;
}

kernel void nothing() {}
