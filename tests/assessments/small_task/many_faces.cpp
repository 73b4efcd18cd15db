// A submission that does one of many things. Right unless it is asked for something else.

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>

// BEHAVIOURS

GS_FN void double_kernel(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  for (auto i : t.grid_stride(y.size())) y[i] = 2 * x[i];
}
GS_FN void fill_kernel(gs::thread t, gs::view<float> y) {
  for (auto i : t.grid_stride(y.size())) y[i] = -1;
}
GS_FN void race_kernel(gs::thread t, gs::view<float> y) {
  y.data()[0] = static_cast<float>(t.grid());  // race here
}
GS_FN void crash_kernel(gs::thread t, gs::view<float> y) {
  const float* volatile nowhere = reinterpret_cast<const float*>(16);
  if (t.grid() == 3) y[0] = nowhere[0];  // crash in kernel here
}

GS_FN void burn_kernel(gs::thread t, gs::view<float> y) {
  volatile int zero = 0;
  while (zero == 0 && t.grid() == 3) y[3] = 1;  // burn in kernel here
}

static int deeper(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth > 0 ? deeper(depth + 1) + frame[0] : 0;  // overflow here
}

static void give_away(const char* path) {
  const int file = open(path, O_RDONLY);
  if (file >= 0) throw std::runtime_error(std::string("it could open ") + path);
}
static void leave_behind(const char* path) {
  const int file = open(path, O_CREAT | O_WRONLY, 0600);
  if (file >= 0) throw std::runtime_error(std::string("it could make ") + path);
}

static void misbehave(int chosen, std::span<const float> x, const gs::device_array<float>& held,
                      const gs::device_array<float>& out) {
  volatile int zero = 0;
  switch (chosen) {
    case behaviour("crash"):
      *reinterpret_cast<volatile int*>(16) = 1;  // crash here
      break;
    case behaviour("crash_in_kernel"):
      gs::launch<crash_kernel>({.grid = 1, .block = 32}, out);
      break;
    case behaviour("host_reads"):
      gs::synchronize();
      zero = static_cast<const volatile float*>(held.data())[0] > 1;  // read by the host here
      break;
    case behaviour("host_writes"):
      std::thread([&] { static_cast<volatile float*>(out.data())[0] = 1; }).join();  // written by the host here
      break;
    case behaviour("stack_overflow"):
      deeper(1);
      break;
    case behaviour("abort"):
      std::abort();
    case behaviour("divide_by_zero"):
      std::printf("%d\n", 7 / zero);
      break;
    case behaviour("exit"):
      std::puts("PASS");
      std::exit(0);
    case behaviour("quick_exit"):
      _exit(0);
    case behaviour("sleep"):
      std::this_thread::sleep_for(std::chrono::hours(1));
      break;
    case behaviour("exception"):
      throw std::runtime_error("no idea");
    case behaviour("odd_exception"):
      throw 42;
    case behaviour("bad_alloc"): {
      std::vector<std::unique_ptr<char[]>> hoard;
      while (true) std::memset(hoard.emplace_back(new char[64 << 20]).get(), 1, 64 << 20);
    }
    case behaviour("device_full"): {
      std::vector<gs::device_array<float>> hoard;
      while (true) hoard.emplace_back(gs::shape(std::size_t{16} << 20));
    }
    case behaviour("write_input"):
      const_cast<float*>(x.data())[1] = 0;  // write input here
      break;
    case behaviour("before_out"):
      out.data()[-3] = 1;
      break;
    case behaviour("behind_out"):
      out.data()[out.size() + 1] = 1;
      break;
    case behaviour("change_held"):
      held.data()[2] += 1;
      break;
    case behaviour("early_answer"): {
      char reply[4096] = {};
      (void)!write(3, reply, sizeof reply);
      break;
    }
    case behaviour("wrong_nonce"): {
      // A reply of the right size.
      std::vector<char> reply(REPLY_BYTES);
      (void)!write(3, reply.data(), reply.size());
      break;
    }
    case behaviour("close_channel"):
      close(3);
      break;
    case behaviour("print_much"): {
      const std::string line(1 << 20, 'x');
      for (int k = 0; k < 100; ++k) std::fwrite(line.data(), 1, line.size(), stdout);
      break;
    }
    case behaviour("fork"):
      while (true) (void)fork();  // fork here
    case behaviour("system"):
      if (std::system("true") == 0) throw 1;
      break;
    case behaviour("execute"):
      execl("/bin/true", "true", nullptr);
      break;
    case behaviour("socket"):
      (void)socket(AF_INET, SOCK_STREAM, 0);
      break;
    case behaviour("kill_parent"):
      kill(getppid(), SIGKILL);
      break;
    case behaviour("read_files"):
      give_away("/etc/shadow");
      give_away("/etc/passwd");
      give_away(SECRET_FILE);
      break;
    case behaviour("write_files"):
      leave_behind("/left");
      leave_behind("/usr/left");
      leave_behind("/dev/shm/left");
      break;
    case behaviour("fill_disk"): {
      const int file = open("/tmp/much", O_CREAT | O_WRONLY, 0600);
      const std::vector<char> piece(1 << 20);
      signal(SIGXFSZ, SIG_IGN);
      int written = 0;
      while (file >= 0 && write(file, piece.data(), piece.size()) > 0) ++written;
      if (written > 64) throw std::runtime_error("it could write " + std::to_string(written) + " MiB");
      break;
    }
    case behaviour("burn"):
      while (zero == 0) {  // burn here
      }
      break;
    case behaviour("burn_in_kernel"):
      gs::launch<burn_kernel>({.grid = 1, .block = 32}, out);
      break;
    case behaviour("race"):
      gs::launch<race_kernel>({.grid = 2, .block = 32}, out);
      break;
    case behaviour("print_escapes"):
      std::printf("\x1b[2J\x1b]0;title\a\xff ok\n");
      break;
    case behaviour("signal_exit"):
      _exit(128 + SIGSEGV);
#if defined(__x86_64__)
    case behaviour("i386_call"): {
      long result = 20;  // getpid
      asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
      break;
    }
    case behaviour("x32_call"):
      syscall(0x40000000 | 39);
      break;
#endif
    case behaviour("lease"):
      fcntl(open("/proc/self/exe", O_RDONLY), F_SETLEASE, F_RDLCK);
      break;
    case behaviour("lock"):
      flock(open("/proc/self/exe", O_RDONLY), LOCK_SH);
      break;
    case behaviour("stop_runner"):
      std::thread([] {
        while (true) kill(getpid(), SIGCONT);
      }).detach();
      std::this_thread::sleep_for(std::chrono::seconds(1));  // so that it comes to that
      break;
    default:
      break;
  }
}

std::vector<float> act(int chosen, std::span<const float> x, const gs::device_array<float>& held,
                       const gs::device_array<float>& out) {
  static std::vector<float> earlier;
  misbehave(chosen, x, held, out);
  if (chosen == behaviour("wrong_out"))
    gs::launch<fill_kernel>({.grid = 4, .block = 128}, out);
  else
    gs::launch<double_kernel>({.grid = 4, .block = 128}, held, out);
  std::vector<float> y(x.begin(), x.end());
  for (float& value : y) value += 1;
  if (chosen == behaviour("wrong_returned") && y.size() > 5) y[5] = 7;
  if (chosen == behaviour("wrong_size")) y.push_back(0);
  if (chosen == behaviour("remember")) {
    if (earlier.size() == y.size()) y = earlier;
    earlier = y;
  }
  return y;
}
