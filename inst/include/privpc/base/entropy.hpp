// Entropy of the operating system: the only source of the keys from which privacy noise is made.
//
// If the system gives none, an exception is thrown and nothing is released. There is no way back
// to a clock, an address or a process number: an observer could guess those, and with them the
// noise.
#pragma once

#include <cstddef>
#include <stdexcept>

#if defined(_WIN32)
// Declared here because <windows.h> would bring its macros (min, max) into every file.
extern "C" __declspec(dllimport) long __stdcall BCryptGenRandom(void* algorithm,
                                                                unsigned char* buffer,
                                                                unsigned long size,
                                                                unsigned long flags);
#else
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#if defined(__linux__) && defined(__has_include)
#if __has_include(<sys/random.h>)
#include <sys/random.h>
#define PRIVPC_HAS_GETRANDOM 1
#endif
#endif
#endif

namespace privpc {

// Overwrites memory that held a key. Stores through a volatile pointer may not be left out,
// although nobody reads the memory afterwards.
inline void wipe(void* memory, std::size_t size) {
  volatile unsigned char* byte = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < size; ++i)
    byte[i] = 0;
}

#if !defined(_WIN32)

// Fills `size` bytes by calls read_some(buffer, size), which behave as read(2): they may give fewer
// bytes than asked for, or -1 with errno. Interrupted calls are repeated. False on any other
// error, and on an end of file, which a source of entropy does not have.
template <class ReadSome>
bool fill_completely(unsigned char* out, std::size_t size, ReadSome&& read_some) {
  while (size > 0) {
    const auto got = read_some(out, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || static_cast<std::size_t>(got) > size) return false;
    out += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

inline bool fill_from_device(unsigned char* out, std::size_t size) {
  int device;
  do {
    device = ::open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  } while (device < 0 && errno == EINTR);
  if (device < 0) return false;
  const bool done = fill_completely(
      out, size, [device](unsigned char* to, std::size_t n) { return ::read(device, to, n); });
  ::close(device);
  return done;
}

#endif

inline bool try_fill_from_entropy(unsigned char* out, std::size_t size) {
#if defined(_WIN32)
  constexpr unsigned long system_preferred = 2;  // BCRYPT_USE_SYSTEM_PREFERRED_RNG
  return BCryptGenRandom(nullptr, out, static_cast<unsigned long>(size), system_preferred) >= 0;
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__) || \
    defined(__DragonFly__)
  ::arc4random_buf(out, size);  // cannot fail: it ends the process instead
  return true;
#elif defined(PRIVPC_HAS_GETRANDOM)
  // Without flags it waits, once after the start of the machine, until there is entropy.
  if (fill_completely(out, size,
                      [](unsigned char* to, std::size_t n) { return ::getrandom(to, n, 0); })) {
    return true;
  }
  // Linux before 3.17 does not know the call, but has the same source as a device.
  return errno == ENOSYS && fill_from_device(out, size);
#else
  return fill_from_device(out, size);
#endif
}

inline void fill_from_entropy(void* out, std::size_t size) {
  if (!try_fill_from_entropy(static_cast<unsigned char*>(out), size)) {
    throw std::runtime_error(
        "the operating system gave no random bytes, and no noise is drawn without them");
  }
}

}  // namespace privpc
