// SPDX-License-Identifier: Apache-2.0
#include "bench/run/triad.h"

#include "bench/run/measure.h"
#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/memory.h"
#include "core/system/threads.h"

enum { LINE = 16 }; // cells of a cache line

typedef void triad_pass(int32_t *restrict a, const int32_t *restrict b, const int32_t *restrict c,
                        int32_t s, size_t length);

static inline void pass_body(int32_t *restrict a, const int32_t *restrict b,
                             const int32_t *restrict c, int32_t s, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        int32_t moved = c[i] + s;
        a[i] = duet_min(b[i], moved);
    }
}

static void pass_baseline(int32_t *restrict a, const int32_t *restrict b, const int32_t *restrict c,
                          int32_t s, size_t length)
{
    pass_body(a, b, c, s, length);
}

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_AVX2_PASS
__attribute__((target("avx2"))) static void pass_avx2(int32_t *restrict a,
                                                      const int32_t *restrict b,
                                                      const int32_t *restrict c, int32_t s,
                                                      size_t length)
{
    pass_body(a, b, c, s, length);
}
#endif

// The machine's limit is that of its widest integer minimum, not of the oldest processor the build
// still runs on.
static triad_pass *choose_pass(void)
{
#ifdef HAS_AVX2_PASS
    if (__builtin_cpu_supports("avx2")) {
        return pass_avx2;
    }
#endif
    return pass_baseline;
}

static void fill_part(duet_triad *triad, triad_pass *pass, size_t begin, size_t end)
{
    (void)pass;
    for (size_t i = begin; i < end; i++) {
        triad->cells[i] = 0;
        triad->cells[triad->stride + i] = (int32_t)(i % 1000 + 3);
        triad->cells[2 * triad->stride + i] = (int32_t)(i % 1009);
    }
}

static void run_part(duet_triad *triad, triad_pass *pass, size_t begin, size_t end)
{
    int32_t *a = triad->cells + begin;
    for (int64_t r = 0; r < triad->repeats; r++) {
        pass(a, a + triad->stride, a + 2 * triad->stride, (int32_t)(r % 2), end - begin);
    }
}

// Each thread has a part: whole cache lines.
static void do_parts(duet_triad *triad, triad_pass *pass,
                     void (*do_part)(duet_triad *triad, triad_pass *pass, size_t begin, size_t end))
{
    size_t lines = triad->length / LINE;
    size_t threads = (size_t)triad->threads;
#ifdef DUET_WITH_OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(triad->threads)
#endif
    for (size_t part = 0; part < threads; part++) {
        do_part(triad, pass, lines * part / threads * LINE, lines * (part + 1) / threads * LINE);
    }
}

static double time_run(duet_triad *triad)
{
    int64_t start = duet_clock_ns();
    do_parts(triad, choose_pass(), run_part);
    return duet_bench_since(start);
}

bool duet_triad_create(duet_triad *triad, size_t bytes, int threads, size_t cells)
{
    enum { smallest = 64 };
    size_t length = bytes / (3 * sizeof *triad->cells) / LINE * LINE;
    length = duet_max(length, smallest);
    // A line more between the arrays, so that equal indices do not meet in the same cache set.
    size_t stride = length + LINE;
    int64_t repeats = (int64_t)(cells / length + 1);
    *triad = (duet_triad){NULL, stride, length, duet_threads_startable(threads), repeats};
    size_t size = (3 * stride + LINE) * sizeof *triad->cells;
    triad->cells = duet_alloc_lines(size, NULL);
    if (triad->cells == NULL) {
        return false;
    }
    do_parts(triad, NULL, fill_part);
    (void)time_run(triad); // caches, pages, the clock of the processor
    return true;
}

void duet_triad_free(duet_triad *triad)
{
    duet_free(triad->cells);
    triad->cells = NULL;
}

double duet_triad_rate(duet_triad *triad)
{
    double seconds = time_run(triad);
    return (double)triad->length * (double)triad->repeats / seconds;
}
