// SPDX-License-Identifier: Apache-2.0
// The timings of `duet bench dp-scaling`. Forms and triads take turns, round by round, so that a
// slow minute of the machine slows them all.
#include "bench/dp_scaling/dp_scaling.h"

#include "bench/run/triad.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// A sample shorter than this is repeated; a form whose samples took longer in sum gets no more.
static const double least_sample = 4e-3;
static const double most_per_row = 2.0;

// One of the forms that take turns on an instance.
typedef struct scaling_contender {
    duet_scaling_row *row;
    duet_bench_how how;
    duet_triad triad;
    int samples;
    int triad_samples;
    double spent;
    double seconds[DUET_BENCH_MAX_ROUNDS];
    double triad_rate[DUET_BENCH_MAX_ROUNDS];
} scaling_contender;

static duet_code sample_triad(size_t cells, scaling_contender *contender, duet_error *error)
{
    const duet_scaling_row *row = contender->row;
    if (contender->triad_samples == 0 &&
        !duet_triad_create(&contender->triad, row->decided.bytes, row->threads, cells)) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory for the triad");
    }
    contender->triad_rate[contender->triad_samples++] = duet_triad_rate(&contender->triad);
    return DUET_OK;
}

static duet_code sample_contender(const duet_scaling *scaling, const duet_bench_guesses *guesses,
                                  scaling_contender *contender, duet_error *error)
{
    duet_scaling_row *row = contender->row;
    if (row->by_rate || contender->spent > most_per_row) {
        return DUET_OK;
    }
    int64_t start = duet_clock_ns();
    duet_code code = duet_bench_decide(guesses, &contender->how, &row->decided, error);
    contender->spent += duet_bench_since(start);
    if (code != DUET_OK) {
        return code;
    }
    contender->seconds[contender->samples++] = row->decided.seconds;
    return row->form == DUET_TABLE_COLLAPSED
               ? sample_triad(scaling->settings.triad_cells, contender, error)
               : DUET_OK;
}

// Whether the forms that answered the same guesses gave the same answers.
static bool agree(const scaling_contender *contenders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            const duet_scaling_row *a = contenders[i].row;
            const duet_scaling_row *b = contenders[j].row;
            int both = duet_min(a->guesses, b->guesses);
            unsigned mask = (1u << both) - 1;
            if (!a->by_rate && !b->by_rate &&
                ((a->decided.answers ^ b->decided.answers) & mask) != 0) {
                return false;
            }
        }
    }
    return true;
}

static duet_code measure_contenders(duet_scaling *scaling, const duet_bench_guesses *guesses,
                                    scaling_contender *contenders, size_t count, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        duet_scaling_row *row = contenders[i].row;
        code = duet_bench_by_rate(guesses, &contenders[i].how, (double)scaling->settings.whole,
                                  &row->by_rate, &row->decided, error);
    }
    for (int round = 0; round < scaling->settings.rounds; round++) {
        for (size_t i = 0; i < count && code == DUET_OK; i++) {
            code = sample_contender(scaling, guesses, &contenders[i], error);
        }
    }
    for (size_t i = 0; i < count; i++) {
        scaling_contender *c = &contenders[i];
        if (code == DUET_OK) {
            c->row->seconds = c->row->by_rate ? c->row->decided.seconds
                                              : duet_bench_median(c->seconds, c->samples);
            c->row->triad =
                c->triad_samples > 0 ? duet_bench_median(c->triad_rate, c->triad_samples) : 0;
        }
        duet_triad_free(&c->triad);
    }
    scaling->disagree = scaling->disagree || (code == DUET_OK && !agree(contenders, count));
    return code;
}

// The rows of one family, size and platform.
static duet_code run_point(duet_scaling *scaling, size_t family, size_t n, size_t mk,
                           scaling_contender *contenders, duet_error *error)
{
    const duet_scaling_settings *settings = &scaling->settings;
    const char *name = settings->family[family];
    duet_bench_guesses guesses;
    DUET_TRY(duet_bench_guesses_create(name, settings->n[n], settings->m[mk], settings->k[mk],
                                       settings->seed, &guesses, error));
    size_t count = 0;
    for (size_t f = 0; f < settings->form_count; f++) {
        duet_table_form form = (duet_table_form)settings->form[f];
        // Only the collapsed form uses threads; the others are timed with the first number given.
        size_t thread_count = form == DUET_TABLE_COLLAPSED ? settings->thread_count : 1;
        for (size_t t = 0; t < thread_count; t++, count++) {
            duet_scaling_row *row = &scaling->rows[scaling->count + count];
            *row = (duet_scaling_row){.family = name,
                                      .n = duet_instance_tasks(guesses.instance),
                                      .m = settings->m[mk],
                                      .k = settings->k[mk],
                                      .form = form,
                                      .threads = (int)settings->threads[t],
                                      .guesses = DUET_BENCH_GUESSES};
            if (form == DUET_TABLE_PUBLISHED) { // each takes the same time, and much of it
                row->guesses = 1;
            }
            contenders[count] = (scaling_contender){.row = row,
                                                    .how = {.form = form,
                                                            .count = row->guesses,
                                                            .threads = row->threads,
                                                            .least_seconds = least_sample}};
        }
    }
    duet_code code = measure_contenders(scaling, &guesses, contenders, count, error);
    scaling->count += code == DUET_OK ? count : 0;
    duet_bench_guesses_free(&guesses);
    return code;
}

duet_code duet_scaling_run(duet_scaling *scaling, duet_error *error)
{
    const duet_scaling_settings *settings = &scaling->settings;
    // Lists are at most DUET_CLI_MAX_LIST long: the products are small.
    size_t contender_count = settings->form_count * settings->thread_count;
    size_t rows = settings->family_count * settings->n_count * settings->mk_count * contender_count;
    scaling->rows = duet_alloc(rows, sizeof *scaling->rows, error);
    scaling_contender *contenders = duet_alloc(contender_count, sizeof *contenders, error);
    duet_code code = scaling->rows == NULL || contenders == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t family = 0; family < settings->family_count; family++) {
        for (size_t mk = 0; mk < settings->mk_count; mk++) {
            for (size_t n = 0; n < settings->n_count && code == DUET_OK; n++) {
                code = run_point(scaling, family, n, mk, contenders, error);
            }
        }
    }
    duet_free(contenders);
    return code;
}
