// SPDX-License-Identifier: Apache-2.0
#include "dp/table/kernel.h"

#include <string.h>

#define GROUP DUET_KERNEL_GROUP

// A body that is called instead of inlined is compiled for the wrong processor.
#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

// Eight bits of a word; written out, for compilers do not see that the words l are a vector.
#define BITS8(bit, v)                                                                              \
    (bit(v) | bit((v) + 1) | bit((v) + 2) | bit((v) + 3) | bit((v) + 4) | bit((v) + 5) |           \
     bit((v) + 6) | bit((v) + 7))

// The bodies, compiled once for every processor and once for AVX2. Sums wrap around in cells that
// mean nothing.

INLINE int32_t sum_32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

INLINE int64_t sum_64(int64_t a, int64_t b)
{
    int64_t sum = (int64_t)((uint64_t)a + (uint64_t)b);
    return sum < DUET_INFINITE_64 ? sum : DUET_INFINITE_64;
}

#define CELL int32_t
#define NAME(name) name##_32
#include "dp/table/kernel_body.h"
#undef CELL
#undef NAME
#define CELL int64_t
#define NAME(name) name##_64
#include "dp/table/kernel_body.h"
#undef CELL
#undef NAME

// NOLINTBEGIN(bugprone-macro-parentheses): `target` is an attribute or nothing.
#define DUET_KERNEL(name, target, width)                                                           \
    target static void add_##name(void *restrict out, const void *restrict a, int64_t value,       \
                                  size_t count)                                                    \
    {                                                                                              \
        add_##width(out, a, value, count);                                                         \
    }                                                                                              \
    target static void min_##name(void *restrict out, const void *restrict a, int64_t value,       \
                                  const void *restrict b, size_t below, size_t count)              \
    {                                                                                              \
        min_##width(out, a, value, b, below, count);                                               \
    }                                                                                              \
    target static void differ_##name(uint32_t *restrict bits, const void *restrict out,            \
                                     const void *restrict a, int64_t value, size_t count)          \
    {                                                                                              \
        differ_##width(bits, out, a, value, count);                                                \
    }                                                                                              \
    target static void fill_##name(void *out, int64_t value, size_t count)                         \
    {                                                                                              \
        fill_##width(out, value, count);                                                           \
    }                                                                                              \
    static const duet_kernel kernel_##name = {                                                     \
        add_##name,                                                                                \
        min_##name,                                                                                \
        differ_##name,                                                                             \
        fill_##name,                                                                               \
        sizeof(int##width##_t),                                                                    \
        DUET_INFINITE_##width,                                                                     \
    };

// NOLINTEND(bugprone-macro-parentheses)

DUET_KERNEL(narrow, , 32)
DUET_KERNEL(wide, , 64)

#if defined(__x86_64__) && defined(__GNUC__)
#define DUET_HAS_AVX2
#define DUET_AVX2 __attribute__((target("avx2")))
DUET_KERNEL(narrow_avx2, DUET_AVX2, 32)
DUET_KERNEL(wide_avx2, DUET_AVX2, 64)
#endif

const duet_kernel *duet_kernel_for(int narrow)
{
#ifdef DUET_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        return narrow ? &kernel_narrow_avx2 : &kernel_wide_avx2;
    }
#endif
    return narrow ? &kernel_narrow : &kernel_wide;
}
