// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // sched_setaffinity
#include "instances/kernels/measure.h"

#include <sched.h>
#include <time.h>

#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/context.h"
#include "core/system/memory.h"

#ifdef DUET_WITH_OPENBLAS
#include "core/system/try.h"
#endif

duet_measured duet_measure_summary(int64_t *times, size_t count)
{
    duet_sort_ticks(times, count);
    size_t below = (count - 1) / 2;
    size_t above = count / 2;
    size_t quarter = (count - 1) / 4;
    return (duet_measured){.median = times[below] + (times[above] - times[below]) / 2,
                           .low = times[quarter],
                           .high = times[count - 1 - quarter],
                           .least = times[0],
                           .most = times[count - 1]};
}

int duet_measure_pin(void)
{
    int processor = sched_getcpu();
    if (processor < 0 || processor >= CPU_SETSIZE) {
        return -1;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? processor : -1;
}

#ifdef DUET_WITH_OPENBLAS

duet_code duet_measure_open(duet_blas *blas, duet_error *error)
{
    duet_code code = DUET_OK;
    bool has_memory = duet_memory_for_blas();
    if (has_memory) {
        code = duet_blas_open(blas, error);
        has_memory = duet_memory_for_blas();
    }
    if (code == DUET_OK && !has_memory) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory: OpenBLAS needs a workspace");
    }
    return code;
}

// Nanoseconds that this thread has had a processor.
static int64_t thread_ns(void)
{
    enum { NS_PER_S = 1000000000 };
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

// One run from the operands as they were at first; the nanoseconds it took, or -1. The thread's own
// time leaves out what others had of the processor, but takes longer to ask for than a tiny kernel
// runs: it is asked outside of the other, and the smaller of the two counts.
static int64_t time_run(duet_kernel_run *run, int *info)
{
    duet_kernel_run_restore(run);
    int64_t thread_start = thread_ns();
    int64_t start = duet_clock_ns();
    *info = duet_kernel_run_once(run);
    int64_t taken = duet_clock_ns() - start;
    int64_t own = thread_ns() - thread_start;
    taken = duet_min(own, taken);
    return *info != 0 ? -1 : duet_max(taken, 1);
}

static duet_code time_runs(duet_kernel_run *run, const duet_measure_plan *plan, const char *name,
                           int64_t *times, duet_error *error)
{
    for (int i = -plan->warmup; i < plan->repeats; i++) {
        int info = 0;
        int64_t taken = time_run(run, &info);
        if (taken < 0) {
            return duet_error_set(error, DUET_E_INTERNAL, "%s failed: LAPACK gave info = %d", name,
                                  info);
        }
        times[duet_max(i, 0)] = taken;
    }
    return DUET_OK;
}

duet_code duet_measure_kernel(const duet_blas *blas, const duet_measure_plan *plan,
                              const duet_factorisation *factorisation, int kernel,
                              duet_measured *out, duet_error *error)
{
    enum { SEED = 1 };
    int64_t *times = duet_alloc((size_t)plan->repeats, sizeof *times, error);
    DUET_NEED(times);
    duet_kernel_run run;
    duet_code code = duet_kernel_run_prepare(&run, blas, factorisation, kernel, plan->single,
                                             plan->tile, plan->inner, SEED, error);
    DUET_THEN(code, time_runs(&run, plan, factorisation->kernels[kernel].name, times, error));
    if (code == DUET_OK) {
        *out = duet_measure_summary(times, (size_t)plan->repeats);
    }
    duet_kernel_run_free(&run);
    duet_free(times);
    return code;
}

#else

duet_code duet_measure_open(duet_blas *blas, duet_error *error)
{
    *blas = (duet_blas){0};
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "this build has no OpenBLAS, whose kernels would be measured: expected "
                          "one configured with -DDUET_WITH_OPENBLAS=ON");
}

duet_code duet_measure_kernel(const duet_blas *blas, const duet_measure_plan *plan,
                              const duet_factorisation *factorisation, int kernel,
                              duet_measured *out, duet_error *error)
{
    duet_blas none;
    (void)blas;
    (void)plan;
    (void)factorisation;
    (void)kernel;
    (void)out;
    return duet_measure_open(&none, error);
}

#endif
