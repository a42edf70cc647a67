// SPDX-License-Identifier: Apache-2.0
// The guesses on which the forms of the 4/3 table are timed, and the timing.
#include "bench/dp_scaling/dp_scaling.h"

#include <string.h>

#include "bench/run/measure.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/threads.h"
#include "core/system/try.h"
#include "solvers/registry.h"

const char *const duet_bench_form_names[DUET_BENCH_FORMS + 1] = {"published", "collapsed",
                                                                 "adaptive", NULL};

duet_code duet_bench_guesses_create(const char *family, int64_t tasks, int64_t cpus, int64_t gpus,
                                    uint64_t seed, duet_bench_guesses *guesses, duet_error *error)
{
    DUET_TRY(duet_bench_instance(family, tasks, cpus, gpus, seed, &guesses->instance, error));
    guesses->family = family;
    guesses->seed = seed;
    const char *name = duet_find_bound("shelf") != NULL ? "shelf" : "area";
    duet_bound *bound;
    duet_code code = duet_compute_bound(guesses->instance, name, NULL, &bound, error);
    if (code != DUET_OK) {
        duet_bench_guesses_free(guesses);
        return code;
    }
    int64_t base = duet_max(duet_bound_value(bound), 1);
    const int64_t lambda[DUET_BENCH_GUESSES] = {base, base - 1, base + 1, base + 3,
                                                base + (base + 99) / 100};
    memcpy(guesses->lambda, lambda, sizeof lambda);
    duet_bound_free(bound);
    return DUET_OK;
}

void duet_bench_guesses_free(duet_bench_guesses *guesses)
{
    duet_instance_free(guesses->instance);
    guesses->instance = NULL;
}

static duet_table_guess guess_at(const duet_bench_guesses *guesses, int index)
{
    return (duet_table_guess){.instance = guesses->instance,
                              .lambda = guesses->lambda[index],
                              .rounded = DUET_GPU,
                              .grid = 1};
}

// One pass over the guesses; `decided` receives sums.
static duet_code decide_once(const duet_bench_guesses *guesses, const duet_bench_how *how,
                             int threads, int64_t *on_gpu, duet_bench_decided *decided,
                             duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = threads;
    duet_context context;
    duet_context_init(&context, &params, NULL);
    *decided = (duet_bench_decided){.seconds = 0};
    for (int g = 0; g < how->count; g++) {
        duet_table_guess guess = guess_at(guesses, g);
        duet_table_answer answer = {.on_gpu = how->allocation ? on_gpu : NULL};
        DUET_TRY(duet_table_decide(how->form, &guess, &context, &answer, error));
        decided->cells += (double)answer.cells;
        decided->bytes = duet_max(answer.bytes, decided->bytes);
        decided->yes += answer.yes;
        decided->answers |= (unsigned)answer.yes << g;
        decided->settled[answer.settled_by]++;
    }
    return DUET_OK;
}

duet_code duet_bench_decide(const duet_bench_guesses *guesses, const duet_bench_how *how,
                            duet_bench_decided *decided, duet_error *error)
{
    int64_t *on_gpu = duet_alloc(duet_instance_kinds(guesses->instance), sizeof *on_gpu, error);
    DUET_NEED(on_gpu);
    int threads = duet_threads_startable(how->threads); // not part of the time
    int64_t start = duet_clock_ns();
    double seconds = 0;
    int64_t passes = 0;
    duet_code code = DUET_OK;
    while (code == DUET_OK && (passes == 0 || seconds < how->least_seconds)) {
        code = decide_once(guesses, how, threads, on_gpu, decided, error);
        seconds = duet_bench_since(start);
        passes++;
    }
    duet_free(on_gpu);
    decided->seconds = seconds / (double)passes / how->count;
    decided->cells /= how->count;
    return code;
}

static duet_code table_size(const duet_bench_guesses *guesses, const duet_bench_how *how,
                            duet_table_size *size, duet_error *error)
{
    duet_table_guess guess = guess_at(guesses, 0);
    return duet_table_measure(how->form, &guess, how->allocation, size, error);
}

// A smaller case of the same family and platform: the largest, halving the tasks, with few enough
// cells for a moment's run.
static duet_code smaller_rate(const duet_bench_guesses *of, const duet_bench_how *how, double *rate,
                              duet_error *error)
{
    static const uint64_t enough_cells = 100000000;
    int64_t m = duet_instance_type_count(of->instance, 0);
    int64_t k = duet_instance_type_count(of->instance, 1);
    for (int64_t n = duet_instance_tasks(of->instance);; n = (n + 1) / 2) {
        duet_bench_guesses guesses;
        duet_table_size size = {.cells = 0};
        DUET_TRY(duet_bench_guesses_create(of->family, n, m, k, of->seed, &guesses, error));
        bool taken = false;
        duet_code code = table_size(&guesses, how, &size, error);
        if (code == DUET_OK && (size.cells <= enough_cells || n <= 4)) {
            duet_bench_decided decided;
            code = duet_bench_decide(&guesses, how, &decided, error);
            *rate = decided.cells / decided.seconds;
            taken = true;
        }
        duet_bench_guesses_free(&guesses);
        if (code != DUET_OK || taken) {
            return code;
        }
    }
}

duet_code duet_bench_by_rate(const duet_bench_guesses *guesses, const duet_bench_how *how,
                             double whole, bool *by_rate, duet_bench_decided *decided,
                             duet_error *error)
{
    // So few cells take less than a tenth of a second in any form.
    static const uint64_t few_cells = 10000000;
    *by_rate = false;
    duet_table_size size = {.cells = 0};
    duet_code code = table_size(guesses, how, &size, error);
    if (code != DUET_OK || how->form == DUET_TABLE_ADAPTIVE || size.cells <= few_cells) {
        return code;
    }
    double rate = 0;
    code = smaller_rate(guesses, how, &rate, error);
    if (code != DUET_OK) {
        return code;
    }
    double seconds = (double)size.cells / rate;
    *by_rate = seconds > whole || size.least > duet_memory_available() / 2;
    if (*by_rate) {
        *decided = (duet_bench_decided){.seconds = seconds,
                                        .cells = (double)size.cells,
                                        .bytes = duet_min(size.bytes, SIZE_MAX)};
    }
    return DUET_OK;
}
