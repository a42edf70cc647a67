// SPDX-License-Identifier: Apache-2.0
// What the studies of independent tasks share: families, algorithms, and figures over their runs.
#include "bench/papers/bag.h"

#include <inttypes.h>
#include <string.h>

#include "console/print.h"
#include "core/number/minmax.h"

const char *const duet_bag_name[DUET_BAG_ALGORITHMS] = {
    "dual-2", "heft", "accel-published", "dual-4-3", "shelf-3-2", "dualhp", "heteroprio", "exact"};
const char *const duet_bag_family[DUET_BAG_SETS] = {"bleuse", "chol", "lu", "qr"};
const char *const duet_bag_label[DUET_BAG_ALGORITHMS] = {
    "DP (dual-2)", "HEFT",   "Accel (as published)", "dual-4-3",
    "shelf-3-2",   "DualHP", "HeteroPrio",           "exact"};

bool duet_bag_has_family(size_t set)
{
    for (size_t i = 0; i < duet_family_count(); i++) {
        if (strcmp(duet_family_entry(i)->name, duet_bag_family[set]) == 0) {
            return true;
        }
    }
    return false;
}

duet_code duet_bag_make(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    return duet_paper_generate(duet_bag_family[c->set], c, c->from, out, error);
}

bool duet_bag_is_tiled(const duet_paper_case *c)
{
    return c->set != DUET_BAG_BLEUSE;
}

// What a case's deviations are measured from; 0: it was not run, or there is none to trust.
static int64_t base_of(const duet_paper_study *study, size_t c, duet_bag_base base)
{
    const duet_paper_result *search = duet_paper_at(study, c, DUET_BAG_DP);
    if (base == DUET_BAG_FROM_BEST) {
        return search->reference;
    }
    return strcmp(search->status, "fault") == 0 ? 0 : search->bound;
}

void duet_bag_figures_of(const duet_paper_study *study, size_t algorithm, duet_bag_base base,
                         int64_t n, duet_bag_figures *out)
{
    *out = (duet_bag_figures){.ratio = {.largest = {0, 1}}};
    for (size_t c = 0; c < study->case_count; c++) {
        const duet_paper_case *origin = &study->cases[c];
        int64_t makespan = duet_paper_makespan(study, c, algorithm);
        int64_t from = base_of(study, c, base);
        if (origin->set == DUET_BAG_BLEUSE && (n == 0 || origin->n == n) && makespan >= from &&
            from > 0) {
            duet_fraction deviation = {(uint64_t)(makespan - from), (uint64_t)from};
            duet_ratio_statistics_add(&out->ratio, deviation, c);
        }
    }
    out->mean = out->ratio.count == 0 ? 0 : 100 * out->ratio.sum / (double)out->ratio.count;
}

double duet_bag_largest(const duet_bag_figures *figures)
{
    return 100 * (double)figures->ratio.largest.num / (double)figures->ratio.largest.den;
}

duet_bag_count duet_bag_count_of(const duet_paper_study *study, bool tiled)
{
    duet_bag_count count = {0};
    for (size_t c = 0; c < study->case_count; c++) {
        const duet_paper_result *first = duet_paper_at(study, c, 0);
        if (duet_bag_is_tiled(&study->cases[c]) != tiled || first->status[0] == '\0') {
            continue;
        }
        int64_t best = INT64_MAX;
        count.cases++;
        count.proven += first->is_optimum;
        for (size_t a = 0; a < DUET_BAG_ALGORITHMS; a++) {
            const duet_paper_result *result = duet_paper_at(study, c, a);
            int64_t makespan = duet_paper_makespan(study, c, a);
            count.faults += strcmp(result->status, "fault") == 0;
            count.failed += result->makespan < 0;
            count.broken += result->respected == 0;
            best = makespan > 0 && makespan < best ? makespan : best;
        }
        if (first->reference > 0 && best < INT64_MAX) {
            double gap = 100 * (double)(best - first->reference) / (double)first->reference;
            count.widest = duet_max(gap, count.widest);
        }
    }
    return count;
}

// The options without which the command would not print the same.
static void write_options(const duet_paper_settings *s, bool tiled, FILE *stream)
{
    if (!tiled) {
        if (s->every != DUET_BAG_EVERY) {
            fprintf(stream, " --every %" PRIu64, s->every);
        }
        if (s->first_seed != 1) {
            fprintf(stream, " --first-seed %" PRIu64, s->first_seed);
        }
        if (s->parts_per_unit != 1) {
            fprintf(stream, " --parts %" PRIu64, s->parts_per_unit);
        }
        if (strcmp(s->round, "none") != 0) {
            duet_cli_print(stream, " --round %s", s->round);
        }
        duet_paper_write_list(" --sizes ", s->size, s->size_count, stream);
    } else {
        if (s->row != NULL) {
            duet_cli_print(stream, " --row %s", s->row);
        }
        duet_paper_write_list(" --tiles ", s->tile, s->tile_count, stream);
    }
    if (s->rounds != 1) {
        fprintf(stream, " --rounds %" PRIu64, s->rounds);
    }
    if (s->seconds > 0) {
        fprintf(stream, " -t %g", s->seconds);
    }
    if (s->memory_given) {
        fprintf(stream, " --memory %zu", s->memory >> 20);
    }
}

// A console block; tests/shell/study.sh runs slices of these and compares.
void duet_bag_write_block(const duet_paper_study *study, const duet_bag_part *part,
                          const duet_paper_page *page)
{
    duet_cli_print(page->stream, "```console by-hand measures, for minutes\n$ duet bench papers %s",
                   part->name);
    write_options(study->settings, part->tiled, page->stream);
    fputc('\n', page->stream);
    part->print(study, page->stream);
    fputs("```\n", page->stream);
}

bool duet_bag_shows_tiles(const duet_paper_study *study, int64_t tiles)
{
    enum { sparse = 8, small = 20 };
    return study->settings->tile_count > 0 || tiles % sparse == 0 ||
           (tiles <= small && tiles % 2 == 0);
}
