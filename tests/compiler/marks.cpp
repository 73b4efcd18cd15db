// Functions that run on the device with and without GS_FN, and in comments what the plugin says of them, which marks.sh
// compares: at a function without it, its name and its caller; and at some of these calls, the function's name.

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/gs.h"

// Kernels and what they call.
float called(float x) { return x; }  // unmarked: called from calls
GS_FN float calls(float x) {
  return 1 + called(x);  // calls: called
}

void kernel_without(gs::thread t, gs::view<float> x) { x[t.grid()] = 1; }  // unmarked: kernel_without
template <unsigned N>
void block_without(gs::block<N> block) {  // unmarked: block_without
  block.each([](auto) {});
}
float first(float x) { return x; }          // unmarked: first from third
float second(float x) { return first(x); }  // unmarked: second from third
GS_FN float third(float x) { return second(first(x)); }

namespace spaced {
static float out(float x) { return x; }  // unmarked: out from calls_spaced
}  // namespace spaced
GS_FN float calls_spaced(float x) { return spaced::out(x); }

// By an address, in a template of the library's, in a lambda, in what g++ makes.
float by_address(float x) { return x; }  // unmarked: by_address from calls_by_address
GS_FN float calls_by_address(float x, bool same) {
  float (*const f)(float) = same ? by_address : calls;  // calls: by_address
  return f(x);
}
bool is_less(float x, float y) { return x < y; }  // unmarked: is_less from calls_smallest
GS_FN float calls_smallest(float x, float y) { return std::min(x, y, is_less); }  // calls: is_less
float in_lambda(float x) { return x; }  // unmarked: in_lambda from calls_in_lambda
GS_FN void calls_in_lambda(gs::block<32> block, gs::view<float> x) {
  block.each([&](auto t) {
    const auto f = [](float y) { return in_lambda(y); };  // calls: in_lambda
    x[t.grid_x()] = f(1);
  });
}
struct counter {
  counter() : n(0) {}  // unmarked: counter from calls_counter
  int n;
};
struct holds_counter {
  counter c;
};
GS_FN int calls_counter() { return holds_counter().c.n; }  // calls: counter

// What becomes a ufunc, or is launched.
float made_ufunc(float x) { return x; }  // unmarked: made_ufunc
inline constexpr auto ufunc = gs::vectorize<made_ufunc>;
float used_ufunc(float x) { return x; }  // unmarked: used_ufunc
long made_two(long x) { return x; }      // unmarked: made_two
GS_FN int made_one(int x) { return x; }
constexpr auto two = gs::vectorize<made_one, made_two>;
void made_gufunc(gs::view<const float> x, float& y) { y = x[0]; }  // unmarked: made_gufunc
constexpr auto gufunc = gs::guvectorize<made_gufunc, "(i)->()">;
struct called_object {
  float operator()(float x) const { return x; }  // unmarked: operator()
};
constexpr auto object_ufunc = gs::vectorize<called_object{}>;
struct marked_object {
  template <class T>
  GS_FN T operator()(T x) const {
    return x;
  }
};
constexpr auto marked_object_ufunc = gs::vectorize<marked_object{}>;
void host(gs::device_array<float>& x, std::vector<float>& y) {
  y = object_ufunc(marked_object_ufunc(gs::vectorize<used_ufunc>(y)));
  gs::launch<kernel_without>({.grid = 1, .block = 32}, x);
  gs::launch<block_without<64>>({.grid = 1, .block = 64});
  std::sort(y.begin(), y.end(), [](float a, float b) { return a > b; });
}

// Members, and what is called without its name.
struct point {
  point() : x(0), y(0) {}                  // unmarked: point from uses_point
  point(float x, float y) : x(x), y(y) {}  // unmarked: point from uses_point
  GS_FN explicit point(float x) : x(x), y(middle(x)) {}
  static float middle(float x) { return x / 2; }  // unmarked: middle from point
  ~point() { x = 1; }                             // unmarked: ~point from uses_point
  float length() const { return x; }              // unmarked: length from uses_point
  GS_FN float width() const { return y; }
  point operator+(const point& o) const { return point(x + o.x, y); }  // unmarked: operator+ from uses_point
  point operator-() const { return *this; }                            // unmarked: operator- from uses_point
  float operator[](int) const { return x; }                            // unmarked: operator[] from uses_point
  float operator()(float t) const { return t; }                        // unmarked: operator() from uses_point
  point& operator+=(const point&) { return *this; }                    // unmarked: operator+= from uses_point
  explicit operator float() const { return x; }                        // unmarked: operator float from uses_point
  explicit operator bool() const { return x > 0; }                     // unmarked: operator bool from uses_point
  friend bool operator<(const point& p, const point& q) { return p.x < q.x; }  // unmarked: operator< from uses_point
  friend point operator*(int, const point& p);
  float of_itself() const { return length(); }
  float never() const { return 1; }
  float x, y;
};
point operator*(int, const point& p) { return p; }  // unmarked: operator* from uses_point
struct declared {
  int out_of_class();
};
int declared::out_of_class() { return 1; }  // unmarked: out_of_class from uses_point
GS_FN float uses_point(gs::view<point> all, const point& b) {
  point p, q(1, 2), r(1);
  float v = (p + b).length() + r.width();
  v += (-all[0])[1];
  v += all[1](2) + static_cast<float>(b);
  p += q;
  if (p) return b < q ? 1 : 0;
  return (2 * b).x + static_cast<float>(declared().out_of_class()) + v;
}

// Lambdas that are kept outside of a function.
constexpr auto square = [](float x) { return x * x; };  // unmarked: square (no function) from calls_lambda
int in_kept_lambda() { return 1; }                      // unmarked: in_kept_lambda from kept
namespace spaced {
const auto kept = [] { return in_kept_lambda(); };  // unmarked: kept (no function) from calls_lambda
}  // namespace spaced
GS_FN float calls_lambda(float x) { return square(x) + static_cast<float>(spaced::kept()); }
constexpr auto of_the_host = [](float x) { return x * x; };
float uses_of_the_host(float x) { return of_the_host(x); }

// Templates, once for all that is made of them.
template <class T>
T instance(T x) {  // unmarked: instance from calls_instances
  return x;
}
GS_FN float calls_instances(float x) { return instance(x) + static_cast<float>(instance(1)); }
template <class T>
GS_FN T marked_instance(T x) {
  return x;
}
GS_FN float calls_marked_instance(float x) { return marked_instance(x); }

// What needs no mark, or doesn't run there.
constexpr float is_constexpr(float x) { return x; }
GS_FN float marked_before(float x);
float marked_before(float x) { return is_constexpr(x); }
#define BOTH inline GS_FN
BOTH float by_macro(float x) { return x; }
float overloaded(int) { return 1; }
GS_FN float overloaded(float x) { return x; }
struct defaulted {
  defaulted() = default;
  ~defaulted() = default;
  GS_FN defaulted(int n) : n(n) {}
  int n = 0;
};
GS_FN float calls_marked(float x) {
  struct local {
    float value() const { return 1; }
  };
  const float called = 1;  // hides the function
  if (sizeof(point(1, 2)) == 3) x = 2;
  return marked_before(x) + by_macro(x) + overloaded(x) + std::sqrt(x) + std::max(x, 1.0f) + called + local().value() +
         static_cast<float>(defaulted().n);
}
float of_the_host_only(float x) { return std::sqrt(x) + overloaded(1); }
