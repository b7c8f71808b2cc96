// Whether functions for AVX2 are compiled at all: PRIVPC_HAS_AVX2, for every header that has some.
// Whether they are called is for the processor to say, when the program runs.
//
// Not by GCC for 64-bit Windows. There the stack is aligned to 16 bytes, GCC keeps 32-byte
// registers on it as if it were aligned to 32 (bug 54412 of GCC), and a process that stores one
// crashes. Noise of every kind would go through such a function. Some builds of GCC work around it
// (Debian's cross compiler is one), those of Rtools do not, and a macro cannot tell them apart.
// Clang aligns the stack itself.
#pragma once

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#if defined(__clang__) || !(defined(_WIN32) || defined(__CYGWIN__))
#define PRIVPC_HAS_AVX2 1
#endif
#endif
