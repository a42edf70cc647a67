// SPDX-License-Identifier: Apache-2.0
// The three forms of the 4/3 table against each other, per guess.
#include "bench/dp_scaling/dp_scaling.h"
#include "bench/run/measure.h"
#include "bench/tables/tables.h"
#include "core/system/try.h"

// Seconds per guess by form.
typedef struct forms {
    double round[DUET_BENCH_FORMS][DUET_BENCH_MAX_ROUNDS];
    double seconds[DUET_BENCH_FORMS];
    bool by_rate; // the published form
    unsigned answers[DUET_BENCH_FORMS];
} forms;

static duet_code time_fast_forms(const duet_bench_guesses *guesses, int round, forms *found,
                                 duet_error *error)
{
    duet_code code = DUET_OK;
    for (int form = DUET_TABLE_COLLAPSED; form <= DUET_TABLE_ADAPTIVE && code == DUET_OK; form++) {
        duet_bench_how how = {.form = (duet_table_form)form,
                              .count = DUET_BENCH_GUESSES,
                              .threads = 1,
                              .least_seconds = 5e-3};
        duet_bench_decided decided = {.seconds = 0};
        code = duet_bench_decide(guesses, &how, &decided, error);
        found->round[form][round] = decided.seconds;
        found->answers[form] = decided.answers;
    }
    return code;
}

// Timed whole, the published form takes half a minute: once, amid the rounds of the others. Whether
// it is, the first round decides.
static duet_code time_forms(const duet_bench_tables *tables, const duet_bench_guesses *guesses,
                            forms *found, duet_error *error)
{
    static const duet_bench_how how = {.form = DUET_TABLE_PUBLISHED, .count = 1, .threads = 1};
    double whole = tables->whole;
    duet_bench_decided decided = {.seconds = 0};
    duet_code code = DUET_OK;
    for (int round = 0; round < tables->rounds && code == DUET_OK; round++) {
        code = time_fast_forms(guesses, round, found, error);
        if (code == DUET_OK && (round == 0 || found->by_rate)) {
            code = duet_bench_by_rate(guesses, &how, whole, &found->by_rate, &decided, error);
            found->round[DUET_TABLE_PUBLISHED][round] = decided.seconds;
            whole = found->by_rate ? 0 : whole; // and so in every round
        }
        if (code == DUET_OK && !found->by_rate && round == tables->rounds / 2) {
            code = duet_bench_decide(guesses, &how, &decided, error);
            found->answers[DUET_TABLE_PUBLISHED] = decided.answers;
            found->seconds[DUET_TABLE_PUBLISHED] = decided.seconds;
        }
    }
    for (int form = 0; form < DUET_BENCH_FORMS && code == DUET_OK; form++) {
        if (form != DUET_TABLE_PUBLISHED || found->by_rate) {
            found->seconds[form] = duet_bench_median(found->round[form], tables->rounds);
        }
    }
    return code;
}

static bool forms_agree(const forms *found)
{
    unsigned first = found->by_rate ? 0 : 1; // the published form answered the first guess
    return found->answers[DUET_TABLE_COLLAPSED] == found->answers[DUET_TABLE_ADAPTIVE] &&
           ((found->answers[DUET_TABLE_PUBLISHED] ^ found->answers[DUET_TABLE_COLLAPSED]) &
            first) == 0;
}

static void add_lines(duet_bench_tables *tables, const char *family, const forms *found)
{
    static const struct {
        const char *what;
        double limit;
    } lines[DUET_BENCH_FORMS] = {[DUET_TABLE_COLLAPSED] = {"published / collapsed", 400},
                                 [DUET_TABLE_ADAPTIVE] = {"published / adaptive", 5000}};
    double published = found->seconds[DUET_TABLE_PUBLISHED];
    for (int form = DUET_TABLE_COLLAPSED; form <= DUET_TABLE_ADAPTIVE; form++) {
        char slow[32];
        char fast[32];
        double seconds = found->seconds[form];
        duet_bench_add_check(tables, lines[form].what, family, published / seconds,
                             lines[form].limit, "%s / %s; published %s",
                             duet_bench_format_seconds(published, slow),
                             duet_bench_format_seconds(seconds, fast),
                             found->by_rate ? "by its cell rate" : "timed whole");
    }
}

duet_code duet_bench_table_guesses(duet_bench_tables *tables, duet_error *error)
{
    static const char *const families[] = {"unif4", "acc", "corr"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        duet_bench_guesses guesses;
        forms found = {.by_rate = false};
        DUET_TRY(duet_bench_guesses_create(families[f], tables->quick ? 20 : 200,
                                           tables->quick ? 4 : 20, tables->quick ? 2 : 4,
                                           tables->seed, &guesses, error));
        duet_code code = time_forms(tables, &guesses, &found, error);
        duet_bench_guesses_free(&guesses);
        if (code == DUET_OK && !forms_agree(&found)) {
            code = duet_error_set(error, DUET_E_INTERNAL,
                                  "%s: two forms of the table answered a guess differently",
                                  families[f]);
        }
        if (code != DUET_OK) {
            return code;
        }
        add_lines(tables, families[f], &found);
    }
    return DUET_OK;
}
