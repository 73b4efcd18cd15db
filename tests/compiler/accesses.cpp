// Accesses, arrays and what else the instruments need of a source, in comments what the plugin notes of them, which
// accesses.sh compares: "access:" the object and the indices of each access of the line, or the whole text where a
// function makes it, & where an address is made; "name:" and "array:" the variables that get what is made in the line;
// "barrier:", and the lines of functions in block style and of those with casts.

#include <memory>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "runtime/numpy/arithmetic.h"

struct tiles {
  gs::tile<float, 8, 8> a;
  gs::tile<unsigned, 32> n;
  float raw[32];
};
struct field {
  gs::view<float> v;
  GS_FN float& operator()(gs::detail::index i, int) const { return v[i]; }
};
GS_FN float load(gs::view<const float> v, gs::detail::index i) { return v[i]; }  // a place that is that of the call
GS_FN unsigned bin(float x) { return unsigned(x); }

GS_FN void writes(gs::thread t, gs::shared<tiles> s, gs::view<const float, 2> A, gs::view<float> x, field f) {
  const std::size_t i = t.grid_x(), j = 3;
  constexpr std::size_t N = 4;
  s->a(i, j) = A(i, j + 1);                       // access: s->a | i | j ;; A | i | j + 1
  t.sync();                                       // barrier: 1
  x[N] = x[2 * 3] + x[(i + 1) * 2];               // access: x | N ;; x | 2 * 3 ;; x | (i + 1) * 2
  x[1] = x[static_cast<int>(j)];                  // access: x | 1 ;; x | static_cast<int>(j)
  gs::atomic_ref(s->n[bin(x[i])]).fetch_add(1u);  // access: x | i ;; s->n | bin(x[i])
  x[0] = A(i /* rows */, j);                      // access: x | 0 ;; A | i /* rows */ | j
  x[i] = load(x, 2 * i) + f(i, 1);                // access: x | i ;; load(x, 2 * i) ;; f | i | 1
  x[i] += (*s).a(2, 1);                           // access: x | i ;; (*s).a | 2 | 1
  const float sum = A(i,                          // access: A | i | j * 2
                      j * 2);
  x[i] = sum;                     // access: x | i
  const gs::detail::index at(i);  // name: at
  x[at] = 1;
  const auto add = [&](auto m) { x[m] += A(m, m); };  // access: x | m ;; A | m | m
  add(j);
  gs::local_array<float, 4> mine;
  mine[2] = x[i];             // access: mine | 2 ;; x | i
  x[i] = mine[N - 1];         // access: x | i ;; mine | N - 1
  t.sync_count(mine[0] > 0);  // access: mine | 0  barrier: 1
}

template <class T>
GS_FN void in_template(gs::thread t, gs::shared<tiles> s, gs::view<T> x, gs::view<const T, 2> A) {
  const std::size_t i = t.grid_x();
  x[i + 1] = A(i, i) + s->a(i, 2) + s->n[i];  // access: x | i + 1 ;; A | i | i ;; s->a | i | 2 ;; s->n | i
}
template void in_template<float>(gs::thread, gs::shared<tiles>, gs::view<float>, gs::view<const float, 2>);
template void in_template<double>(gs::thread, gs::shared<tiles>, gs::view<double>, gs::view<const double, 2>);

GS_FN void addresses(gs::thread t, gs::shared<tiles> s, gs::view<float> x) {
  float* const p = &s->a(0, 0);            // access: &s->a | 0 | 0
  float& r = s->a(1, 1);                   // access: &s->a | 1 | 1
  x[t.grid_x()] = *p + r + (s->n[3] & 1);  // access: x | t.grid_x() ;; s->n | 3
  if (s->n[1] && s->n[2]) p[1] = 2;        // access: s->n | 1 ;; s->n | 2
}

#define BOTH(a, b) ((a) + (b))
GS_FN void in_macro(gs::thread t, gs::view<float> x) {
  x[0] = BOTH(x[1], x[t.grid_x()]);  // access: x | 0
  x[1] = BOTH(1, x[2]);              // access: x | 1 ;; x | 2
}

GS_FN void in_blocks(gs::block<16> block, gs::view<float> x) {  // blocks: 4
  block.each([&](auto t) {
    x[t.grid_x()] = 1;  // access: x | t.grid_x()
  });
}

GS_FN void casts(gs::thread, float* p) {  // casts: 3
  auto* const bits = reinterpret_cast<unsigned*>(p);
  bits[0] = 1;
}
GS_FN void casts_in_c(gs::thread, float* p) {  // casts: 1
  *(unsigned*)p = 1;
}
GS_FN void reads_past_index(gs::thread, gs::shared<tiles> s) {  // casts: 1
  s->a.elements[0] = 1;
}
GS_FN void no_casts(gs::thread, const float* p, void* q, float* r) {
  const void* one = p;
  *r = static_cast<float>(one == q);
}

struct solver {
  gs::device_array<float> first_, second_;
  explicit solver(std::size_t n) : first_(n), second_(n) {}  // name: first_ second_  array: first_ second_
};
void arrays(const std::vector<float>& h) {
  auto x = gs::to_device(h);                                                     // name: x  array: x
  gs::device_array<float> y(5), z{7};                                            // name: y z  array: y z
  const auto p = gs::to_device(h), q = gs::to_device(std::vector<float>(3, 1));  // name: p q  array: p q
  y = gs::to_device(h);                                                          // name: y  array: y
  const auto back = gs::to_device(h).copy_to_host();                             // name: back
  const auto sum = gs::add(x, y), twice = gs::add(                               // array: sum twice
                                      x, x);                                     // array: twice
  const auto host = gs::add(x, y).copy_to_host();                                // name: host
  const auto& kept = std::as_const(x);
  gs::add(kept, x);
  solver s(3);
  auto folded = gs::to_device(h).reshape({1, -1});                     // name: folded  array: folded
  auto owned = std::make_unique<gs::device_array<int>>(gs::shape(4));  // array: owned
  gs::device_array<float>* kept_on = new gs::device_array<float>(16);  // name: kept_on  array: kept_on
  kept_on = new gs::device_array<float>(gs::to_device(h).size());      // name: kept_on  array: kept_on
  const float number = gs::to_device(h).copy_to_host()[0];
  const auto later = [&] { kept_on = new gs::device_array<float>(16); };  // name: kept_on  array: kept_on
  delete kept_on;
  y = gs::add(gs::to_device(std::vector<float>(5, number)), x);  // array: y
}
