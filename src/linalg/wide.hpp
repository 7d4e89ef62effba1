// Wider registers where the processor has them; the result is the same bit for bit. For .cpp files.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define DAEDALUS_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define DAEDALUS_WIDE
#endif
