// SPDX-License-Identifier: Apache-2.0
// The instances of the papers.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "core/memory.h"

const char *const duet_papers_name[DUET_PAPERS_ALGORITHMS] = {
    "dual-2", "heft", "accel-published", "dual-4-3", "shelf-3-2", "dualhp", "heteroprio", "exact"};
const char *const duet_papers_family[DUET_PAPERS_FAMILIES] = {"chol", "lu", "qr"};

bool duet_papers_has_family(size_t f)
{
    for (size_t i = 0; i < duet_family_count(); i++) {
        if (strcmp(duet_family_entry(i)->name, duet_papers_family[f]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(const int64_t *list, size_t count, int64_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == value) {
            return true;
        }
    }
    return count == 0;
}

// The instances of the whole sweep are numbered, the repeats running fastest, then the GPUs, then
// the CPUs; one of `every` of them is taken. So an instance has the same number, and the same seed,
// in every part of the sweep.
static void list_bleuse(duet_papers *papers)
{
    static const uint64_t of_one_size = (uint64_t)DUET_PAPERS_GPUS * DUET_PAPERS_CPUS;
    const duet_papers_settings *s = &papers->settings;
    for (uint64_t index = 0; index < DUET_PAPERS_WHOLE; index += s->every) {
        uint64_t place = index / DUET_PAPERS_REPEATS;
        int64_t n = 10 + 10 * (int64_t)(place / of_one_size);
        if (is_wanted(s->size, s->size_count, n)) {
            papers->cases[papers->case_count++] =
                (duet_papers_case){.n = n,
                                   .m = INT64_C(1) << place / DUET_PAPERS_GPUS % DUET_PAPERS_CPUS,
                                   .k = INT64_C(1) << place % DUET_PAPERS_GPUS,
                                   .seed = s->first_seed + index,
                                   .tasks = n};
        }
    }
}

static void list_figure6(duet_papers *papers)
{
    const duet_papers_settings *s = &papers->settings;
    for (size_t f = 0; f < DUET_PAPERS_FAMILIES; f++) {
        for (int64_t n = DUET_PAPERS_FEWEST_TILES;
             n <= DUET_PAPERS_MOST_TILES && duet_papers_has_family(f); n++) {
            if (is_wanted(s->tile, s->tile_count, n)) {
                papers->cases[papers->case_count++] =
                    (duet_papers_case){.figure6 = true,
                                       .family = f,
                                       .n = n,
                                       .m = DUET_PAPERS_FIGURE6_CPUS,
                                       .k = DUET_PAPERS_FIGURE6_GPUS};
            }
        }
    }
}

duet_code duet_papers_instance(const duet_papers *papers, const duet_papers_case *c,
                               duet_instance **out, duet_error *error)
{
    return duet_generate(c->figure6 ? duet_papers_family[c->family] : "bleuse", c->n, c->m, c->k,
                         c->seed, c->figure6 ? papers->figure6 : papers->bleuse, out, error);
}

char *duet_papers_case_name(const duet_papers *papers, const duet_papers_case *c, char *buffer)
{
    const char *row = papers->settings.row;
    if (!c->figure6) {
        snprintf(buffer, DUET_PAPERS_NAME, "bleuse-%" PRId64 "-%" PRIu64 "%s", c->n, c->seed,
                 papers->suffix);
    } else {
        snprintf(buffer, DUET_PAPERS_NAME, "%s-%" PRId64 "%s%s", duet_papers_family[c->family],
                 c->n, row == NULL ? "" : "-", row == NULL ? "" : row);
    }
    return buffer;
}

// "p/q" or "p".
static long double fraction_value(const char *text)
{
    char *end = NULL;
    long double value = strtold(text, &end);
    return *end == '/' ? value / strtold(end + 1, NULL) : value;
}

// The area bound of a factorisation: its few kinds make that a matter of microseconds.
static duet_code measure_case(const duet_papers *papers, duet_papers_case *c, duet_error *error)
{
    duet_instance *instance = NULL;
    duet_bound bound;
    duet_code code = duet_papers_instance(papers, c, &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    c->tasks = duet_instance_tasks(instance);
    c->decimals = duet_instance_decimals(instance);
    code = duet_compute_bound(instance, "area", NULL, &bound, error);
    if (code == DUET_OK) {
        c->area = fraction_value(bound.exact);
    }
    duet_bound_release(&bound);
    duet_instance_free(instance);
    return code;
}

static duet_code add_option(duet_options *options, const char *key, const char *value,
                            duet_error *error)
{
    char text[128];
    snprintf(text, sizeof text, "%s=%s", key, value);
    return duet_options_add(options, text, error);
}

// The generators' options and those of `exact`.
static duet_code make_options(duet_papers *papers, duet_error *error)
{
    const duet_papers_settings *s = &papers->settings;
    char number[32];
    duet_code code = duet_options_create(&papers->bleuse, error);
    if (code == DUET_OK) {
        code = duet_options_create(&papers->figure6, error);
    }
    if (code == DUET_OK) {
        code = duet_options_create(&papers->options[DUET_PAPERS_EXACT], error);
    }
    if (code == DUET_OK && s->rounds > 0) {
        snprintf(number, sizeof number, "%" PRIu64, s->rounds);
        snprintf(papers->option_text[DUET_PAPERS_EXACT], sizeof papers->option_text[0], "rounds=%s",
                 number);
        code = add_option(papers->options[DUET_PAPERS_EXACT], "rounds", number, error);
    }
    if (code == DUET_OK) {
        snprintf(number, sizeof number, "%" PRIu64, s->parts_per_unit);
        code = add_option(papers->bleuse, "parts", number, error);
    }
    if (code == DUET_OK) {
        code = add_option(papers->bleuse, "round", s->round, error);
    }
    if (code == DUET_OK && s->row != NULL) {
        code = add_option(papers->figure6, "row", s->row, error);
    }
    if (s->parts_per_unit != 1 || strcmp(s->round, "none") != 0) {
        snprintf(papers->suffix, sizeof papers->suffix, "+parts=%s+round=%s", number, s->round);
    }
    return code;
}

duet_code duet_papers_create(duet_papers *papers, duet_error *error)
{
    enum { tiled = DUET_PAPERS_FAMILIES * (DUET_PAPERS_MOST_TILES - DUET_PAPERS_FEWEST_TILES + 1) };
    unsigned parts = papers->settings.parts;
    duet_code code = make_options(papers, error);
    if (code != DUET_OK) {
        return code;
    }
    papers->cases = duet_alloc(DUET_PAPERS_WHOLE + tiled, sizeof *papers->cases, error);
    if (papers->cases == NULL) {
        return DUET_E_MEMORY;
    }
    if ((parts & DUET_PAPERS_BLEUSE) != 0) {
        list_bleuse(papers);
    }
    if ((parts & DUET_PAPERS_FIGURE6) != 0) {
        list_figure6(papers);
    }
    for (size_t c = 0; c < papers->case_count && code == DUET_OK; c++) {
        if (papers->cases[c].figure6) {
            code = measure_case(papers, &papers->cases[c], error);
        }
    }
    if (code == DUET_OK && papers->case_count == 0) {
        code = duet_error_set(error, DUET_E_USAGE,
                              "none of these instances is in the sweep: expected sizes of 10, 20, "
                              "... 1000 tasks, 4 to 64 tiles");
    }
    if (code == DUET_OK) {
        papers->cells =
            duet_alloc(papers->case_count * DUET_PAPERS_ALGORITHMS, sizeof *papers->cells, error);
        code = papers->cells == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    for (size_t i = 0; code == DUET_OK && i < papers->case_count * DUET_PAPERS_ALGORITHMS; i++) {
        papers->cells[i] = (duet_papers_cell){.makespan = -1};
    }
    return code;
}

void duet_papers_free(duet_papers *papers)
{
    duet_free(papers->cases);
    duet_free(papers->cells);
    duet_options_free(papers->bleuse);
    duet_options_free(papers->figure6);
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
        duet_options_free(papers->options[a]);
    }
    *papers = (duet_papers){.cases = NULL};
}
