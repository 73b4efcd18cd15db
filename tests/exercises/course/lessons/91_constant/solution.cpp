// Exercise 91: a constant.

// Your turn.
inline constexpr int answer = 42;
//= inline constexpr int answer = 0;
// Until here.
