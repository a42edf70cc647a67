// SPDX-License-Identifier: Apache-2.0
// The bodies of the kernels: kernel.c includes this once for each width, with CELL the type of a
// cell and NAME(add) the name of its addition. No guard: that is the point.

INLINE void NAME(add)(void *restrict out, const void *restrict a, int64_t value, size_t count)
{
    CELL *restrict to = out;
    const CELL *restrict from = a;
    CELL more = (CELL)value;
    for (size_t i = 0; i < count; i++) {
        to[i] = NAME(sum)(from[i], more);
    }
}

// Three parts: groups wholly below, the group that `below` divides, groups wholly above.
INLINE void NAME(min)(void *restrict out, const void *restrict a, int64_t value,
                      const void *restrict b, size_t below, size_t count)
{
    CELL *restrict to = out;
    const CELL *restrict stay = a;
    const CELL *restrict move = (const CELL *)b - below;
    CELL more = (CELL)value;
    CELL inside = (CELL)(below % GROUP);
    size_t at = below - below % GROUP;
    NAME(add)(to, stay, value, at);
    if (inside > 0) {
        for (CELL i = 0; i < GROUP; i++) {
            CELL sum = NAME(sum)(stay[at + (size_t)i], more);
            CELL other = move[at + (size_t)i];
            to[at + (size_t)i] = i < inside || sum < other ? sum : other;
        }
        at += GROUP;
    }
    for (; at < count; at += GROUP) {
        for (size_t i = 0; i < GROUP; i++) {
            CELL sum = NAME(sum)(stay[at + i], more);
            to[at + i] = sum < move[at + i] ? sum : move[at + i];
        }
    }
}

INLINE void NAME(differ)(uint32_t *restrict bits, const void *restrict out, const void *restrict a,
                         int64_t value, size_t count)
{
    CELL more = (CELL)value;
    size_t at = 0;
#define BIT(v)                                                                                     \
    ((uint32_t)(to[8 * (size_t)(v) + l] != NAME(sum)(stay[8 * (size_t)(v) + l], more)) << (v))
    for (; at + DUET_DECISIONS <= count; at += DUET_DECISIONS) {
        const CELL *restrict to = (const CELL *)out + at;
        const CELL *restrict stay = (const CELL *)a + at;
        for (size_t l = 0; l < 8; l++) {
            bits[at / 32 + l] = BITS8(BIT, 0) | BITS8(BIT, 8) | BITS8(BIT, 16) | BITS8(BIT, 24);
        }
    }
    uint32_t last[8] = {0};
    for (int shift = 0; at < count; at += DUET_ROW_GROUP, shift += 8) {
        const CELL *restrict to = (const CELL *)out + at;
        const CELL *restrict stay = (const CELL *)a + at;
        for (size_t l = 0; l < 8; l++) {
            last[l] |= BITS8(BIT, 0) << shift;
        }
    }
    if (count % DUET_DECISIONS > 0) {
        memcpy(bits + count / DUET_DECISIONS * 8, last, sizeof last);
    }
#undef BIT
}

INLINE void NAME(fill)(void *out, int64_t value, size_t count)
{
    CELL *to = out;
    for (size_t i = 0; i < count; i++) {
        to[i] = (CELL)value;
    }
}
