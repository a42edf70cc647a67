// SPDX-License-Identifier: Apache-2.0
// Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid platforms",
// INRIA research report RR-9150, 2018, section 7: its instances and runs. claims.c has what it says
// of them, view.c shows them.
//
// Figures 13 to 16 are on 20 CPUs and 2 GPUs. The report does not name the platforms of figure 17:
// ours are those of 10 and of 20 CPUs with 1, 2, 4, 5 and 10 GPUs, which have the ratios m/k that
// its text speaks of.
#include "bench/papers/canon2018/canon2018.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/system/try.h"

enum { ADHOC_INSTANCES = 300, ADHOC_TASKS = 300, THOUSANDTHS = 1000 };

#define RULES(how)                                                                                 \
    {"eft", how}, {"qa", how}, {"er-ls", how}, {"ratio", how}, {"quickest", how}, {"mixeft", how}, \
        {"mixeft", how " lambda=0"}, {"mixeft", how " lambda=0.25"},                               \
        {"mixeft", how " lambda=0.5"}, {"mixeft", how " lambda=0.75"},                             \
        {"mixeft", how " lambda=0.9"}, {"mixeft", how " lambda=1"}, {"mixeft", how " lambda=1.1"}, \
        {"mixeft", how " lambda=1.25"}, {"mixeft", how " lambda=1.5"},                             \
    {                                                                                              \
        "mixeft", how " lambda=1.75"                                                               \
    }
static const duet_paper_run runs[] = {
    {"heft", ""}, RULES("bind=queue"), RULES("bind=idle"), RULES("bind=queue order=bottom")};

static duet_code list_cholesky(duet_paper_study *study, duet_error *error)
{
    const duet_paper_settings *s = study->settings;
    duet_code code = DUET_OK;
    for (size_t p = 0; p < DUET_CANON_PLATFORMS; p++) {
        for (int64_t n = DUET_CANON_LEAST_TILES; n <= DUET_CANON_MOST_TILES && code == DUET_OK;
             n++) {
            duet_paper_case c = {.set = DUET_CANON_CHOLESKY,
                                 .n = n,
                                 .m = duet_canon_platforms[p].m,
                                 .k = duet_canon_platforms[p].k,
                                 .x = (double)n};
            snprintf(c.name, sizeof c.name, "cholesky-%" PRId64, n);
            code = duet_paper_is_wanted(s->tile, s->tile_count, n)
                       ? duet_paper_add_case(study, &c, error)
                       : DUET_OK;
        }
    }
    return code;
}

static duet_code list_stg(duet_paper_study *study, duet_error *error)
{
    duet_folder files;
    duet_code code = duet_stg_find(study->settings->stg, &files, error);
    for (size_t i = 0; i < files.count && code == DUET_OK; i++) {
        const char *slash = strrchr(files.path[i], '/');
        size_t generator = 0;
        code = duet_stg_generator_of(files.path[i], &generator, error);
        duet_paper_case c = {.set = DUET_CANON_STG,
                             .n = ADHOC_TASKS,
                             .m = duet_canon_main_platform()->m,
                             .k = duet_canon_main_platform()->k,
                             .seed = i + 1,
                             .x = (double)generator};
        snprintf(c.name, sizeof c.name, "%s", slash == NULL ? files.path[i] : slash + 1);
        snprintf(c.from, sizeof c.from, "%s", files.path[i]);
        DUET_THEN(code, duet_paper_add_case(study, &c, error));
    }
    duet_folder_free(&files);
    return code;
}

// The mean time on a CPU goes from (m/k)^(-1/4) to (m/k)^(5/4) in equal factors; thousandths.
static int64_t adhoc_mean(size_t i)
{
    double ratio = (double)duet_canon_main_platform()->m / (double)duet_canon_main_platform()->k;
    double exponent = -0.25 + 1.5 * (double)i / (ADHOC_INSTANCES - 1);
    return llround(THOUSANDTHS * pow(ratio, exponent));
}

static duet_code list_adhoc(duet_paper_study *study, duet_error *error)
{
    for (size_t i = 0; i < ADHOC_INSTANCES; i++) {
        duet_paper_case c = {.set = DUET_CANON_ADHOC,
                             .n = ADHOC_TASKS,
                             .m = duet_canon_main_platform()->m,
                             .k = duet_canon_main_platform()->k,
                             .seed = i + 1,
                             .x = (double)adhoc_mean(i) / THOUSANDTHS};
        snprintf(c.name, sizeof c.name, "adhoc-mu-%.3f", c.x);
        DUET_TRY(duet_paper_add_case(study, &c, error));
    }
    return DUET_OK;
}

static duet_code list(duet_paper_study *study, duet_error *error)
{
    DUET_TRY(list_cholesky(study, error));
    DUET_TRY(list_stg(study, error));
    return list_adhoc(study, error);
}

// A file's one time is a GPU's; the CPU's is a random factor longer, of mean and deviation 15.
static duet_code read_stg(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    char gpu[64];
    const int64_t counts[] = {c->m, c->k};
    snprintf(gpu, sizeof gpu, "gpu=gamma:15:15:%" PRIu64, c->seed);
    DUET_TRY(duet_bench_read(c->from, gpu, out, error));
    return duet_instance_set_counts(*out, 2, counts, error);
}

static duet_code make(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    char options[64];
    *out = NULL;
    if (c->set == DUET_CANON_STG) {
        return read_stg(c, out, error);
    }
    if (c->set == DUET_CANON_ADHOC) {
        snprintf(options, sizeof options, "mu=%.3f", c->x);
        return duet_paper_generate("adhoc", c, options, out, error);
    }
    return duet_paper_generate("chol", c, "row=canon2018-960 edges=true", out, error);
}

static const char *const sets[DUET_CANON_SETS] = {"chol", "stg", "adhoc"};

const duet_paper duet_paper_canon2018 = {
    .name = "canon2018",
    .title = "Canon, Marchal, Simon, Vivien, RR-9150, 2018, figures 13 to 17",
    .runs = runs,
    .run_count = sizeof runs / sizeof *runs,
    .sets = sets,
    .list = list,
    .make = make,
    .print = duet_canon_print,
    .write_json = duet_canon_write_json,
    .charts = duet_canon_charts,
    .draw = duet_canon_draw,
    .stg = "stg/300",
    .about =
        "Online rules over HEFT, on Cholesky graphs, the Standard Task Graph Set and ad hoc "
        "graphs. The figures are pictures\n"
        "without numbers; the statements can be held against ours. The report does not name "
        "the platforms of figure 17; ours\n"
        "have the ratios m/k of its text. Nor does it say how a task finds its processor: "
        "`queue` puts it at once at the end of\n"
        "a processor's queue, `idle` waits until one is idle. Only `idle` shows what the "
        "report says of figure 15.\n"
        "\n"
        "Misprints: lemma 2 and theorem 8 say \"smaller than\" for \"at least\", and the proof "
        "of theorem 3 ends in the wrong\n"
        "relation. The proof for MIXEFT takes its simulation for QA's schedule, which it is "
        "not on graphs\n"
        "([theory](theory/rules.md#rules-on-task-graphs)).\n"};
