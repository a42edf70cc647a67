// SPDX-License-Identifier: Apache-2.0
#include "dp/kernel.h"

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

INLINE void add_32(void *restrict out, const void *restrict a, int64_t value, size_t count)
{
    int32_t *restrict to = out;
    const int32_t *restrict from = a;
    int32_t more = (int32_t)value;
    for (size_t i = 0; i < count; i++) {
        to[i] = sum_32(from[i], more);
    }
}

// Three parts: groups wholly below, the group that `below` divides, groups wholly above.
INLINE void min_32(void *restrict out, const void *restrict a, int64_t value,
                   const void *restrict b, size_t below, size_t count)
{
    int32_t *restrict to = out;
    const int32_t *restrict stay = a;
    const int32_t *restrict move = (const int32_t *)b - below;
    int32_t more = (int32_t)value;
    int32_t inside = (int32_t)(below % GROUP);
    size_t at = below - below % GROUP;
    add_32(to, stay, value, at);
    if (inside > 0) {
        for (int32_t i = 0; i < GROUP; i++) {
            int32_t sum = sum_32(stay[at + (size_t)i], more);
            int32_t other = move[at + (size_t)i];
            to[at + (size_t)i] = i < inside || sum < other ? sum : other;
        }
        at += GROUP;
    }
    for (; at < count; at += GROUP) {
        for (size_t i = 0; i < GROUP; i++) {
            int32_t sum = sum_32(stay[at + i], more);
            to[at + i] = sum < move[at + i] ? sum : move[at + i];
        }
    }
}

INLINE void differ_32(uint32_t *restrict bits, const void *restrict out, const void *restrict a,
                      int64_t value, size_t count)
{
    int32_t more = (int32_t)value;
    size_t at = 0;
#define BIT(v)                                                                                     \
    ((uint32_t)(to[8 * (size_t)(v) + l] != sum_32(stay[8 * (size_t)(v) + l], more)) << (v))
    for (; at + DUET_DECISIONS <= count; at += DUET_DECISIONS) {
        const int32_t *restrict to = (const int32_t *)out + at;
        const int32_t *restrict stay = (const int32_t *)a + at;
        for (size_t l = 0; l < 8; l++) {
            bits[at / 32 + l] = BITS8(BIT, 0) | BITS8(BIT, 8) | BITS8(BIT, 16) | BITS8(BIT, 24);
        }
    }
    uint32_t last[8] = {0};
    for (int shift = 0; at < count; at += DUET_ROW_GROUP, shift += 8) {
        const int32_t *restrict to = (const int32_t *)out + at;
        const int32_t *restrict stay = (const int32_t *)a + at;
        for (size_t l = 0; l < 8; l++) {
            last[l] |= BITS8(BIT, 0) << shift;
        }
    }
    if (count % DUET_DECISIONS > 0) {
        memcpy(bits + count / DUET_DECISIONS * 8, last, sizeof last);
    }
#undef BIT
}

INLINE void fill_32(void *out, int64_t value, size_t count)
{
    int32_t *to = out;
    for (size_t i = 0; i < count; i++) {
        to[i] = (int32_t)value;
    }
}

INLINE void add_64(void *restrict out, const void *restrict a, int64_t value, size_t count)
{
    int64_t *restrict to = out;
    const int64_t *restrict from = a;
    int64_t more = (int64_t)value;
    for (size_t i = 0; i < count; i++) {
        to[i] = sum_64(from[i], more);
    }
}

// Three parts: groups wholly below, the group that `below` divides, groups wholly above.
INLINE void min_64(void *restrict out, const void *restrict a, int64_t value,
                   const void *restrict b, size_t below, size_t count)
{
    int64_t *restrict to = out;
    const int64_t *restrict stay = a;
    const int64_t *restrict move = (const int64_t *)b - below;
    int64_t more = (int64_t)value;
    int64_t inside = (int64_t)(below % GROUP);
    size_t at = below - below % GROUP;
    add_64(to, stay, value, at);
    if (inside > 0) {
        for (int64_t i = 0; i < GROUP; i++) {
            int64_t sum = sum_64(stay[at + (size_t)i], more);
            int64_t other = move[at + (size_t)i];
            to[at + (size_t)i] = i < inside || sum < other ? sum : other;
        }
        at += GROUP;
    }
    for (; at < count; at += GROUP) {
        for (size_t i = 0; i < GROUP; i++) {
            int64_t sum = sum_64(stay[at + i], more);
            to[at + i] = sum < move[at + i] ? sum : move[at + i];
        }
    }
}

INLINE void differ_64(uint32_t *restrict bits, const void *restrict out, const void *restrict a,
                      int64_t value, size_t count)
{
    int64_t more = (int64_t)value;
    size_t at = 0;
#define BIT(v)                                                                                     \
    ((uint32_t)(to[8 * (size_t)(v) + l] != sum_64(stay[8 * (size_t)(v) + l], more)) << (v))
    for (; at + DUET_DECISIONS <= count; at += DUET_DECISIONS) {
        const int64_t *restrict to = (const int64_t *)out + at;
        const int64_t *restrict stay = (const int64_t *)a + at;
        for (size_t l = 0; l < 8; l++) {
            bits[at / 32 + l] = BITS8(BIT, 0) | BITS8(BIT, 8) | BITS8(BIT, 16) | BITS8(BIT, 24);
        }
    }
    uint32_t last[8] = {0};
    for (int shift = 0; at < count; at += DUET_ROW_GROUP, shift += 8) {
        const int64_t *restrict to = (const int64_t *)out + at;
        const int64_t *restrict stay = (const int64_t *)a + at;
        for (size_t l = 0; l < 8; l++) {
            last[l] |= BITS8(BIT, 0) << shift;
        }
    }
    if (count % DUET_DECISIONS > 0) {
        memcpy(bits + count / DUET_DECISIONS * 8, last, sizeof last);
    }
#undef BIT
}

INLINE void fill_64(void *out, int64_t value, size_t count)
{
    int64_t *to = out;
    for (size_t i = 0; i < count; i++) {
        to[i] = (int64_t)value;
    }
}

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
