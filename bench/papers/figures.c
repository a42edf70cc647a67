// SPDX-License-Identifier: Apache-2.0
// Figures over the runs of `duet bench papers`, in the order of the cases whatever order they were
// run in: sums of floating-point numbers are then the same every time.
#include <stdarg.h>

#include "bench/papers/papers.h"

int64_t duet_papers_makespan(const duet_papers *papers, size_t c, size_t algorithm)
{
    const duet_papers_cell *cell = duet_papers_at(papers, c, algorithm);
    return cell->fault ? -1 : cell->makespan;
}

// What a case's deviations are measured from; 0: it was not run, or there is none to trust.
static int64_t base_of(const duet_papers *papers, size_t c, duet_papers_base base)
{
    const duet_papers_cell *search = duet_papers_at(papers, c, DUET_PAPERS_DP);
    if (base == DUET_PAPERS_FROM_BEST) {
        return search->reference;
    }
    return search->fault ? 0 : search->bound;
}

void duet_papers_figures_of(const duet_papers *papers, size_t algorithm, duet_papers_base base,
                            int64_t n, duet_papers_figures *out)
{
    *out = (duet_papers_figures){.ratio = {.largest = {0, 1}}};
    for (size_t c = 0; c < papers->case_count; c++) {
        const duet_papers_case *origin = &papers->cases[c];
        int64_t makespan = duet_papers_makespan(papers, c, algorithm);
        int64_t from = base_of(papers, c, base);
        if (origin->paper == &duet_bleuse2015 && (n == 0 || origin->n == n) && makespan >= from &&
            from > 0) {
            duet_fraction deviation = {(uint64_t)(makespan - from), (uint64_t)from};
            duet_ratio_statistics_add(&out->ratio, deviation, c);
        }
    }
    out->mean = out->ratio.count == 0 ? 0 : 100 * out->ratio.sum / (double)out->ratio.count;
}

double duet_papers_largest(const duet_papers_figures *figures)
{
    return 100 * (double)figures->ratio.largest.num / (double)figures->ratio.largest.den;
}

void duet_papers_count_of(const duet_papers *papers, const duet_paper *paper,
                          duet_papers_count *out)
{
    *out = (duet_papers_count){0};
    for (size_t c = 0; c < papers->case_count; c++) {
        const duet_papers_cell *first = duet_papers_at(papers, c, 0);
        if (papers->cases[c].paper != paper || !first->run) {
            continue;
        }
        int64_t best = INT64_MAX;
        out->cases++;
        out->proven += first->optimum;
        for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
            const duet_papers_cell *cell = duet_papers_at(papers, c, a);
            out->faults += cell->fault;
            out->failed += cell->makespan < 0;
            out->broken += cell->respected == 0;
            int64_t makespan = duet_papers_makespan(papers, c, a);
            best = makespan >= 0 && makespan < best ? makespan : best;
        }
        if (first->reference == 0 || best == INT64_MAX) {
            continue;
        }
        double gap = 100 * (double)(best - first->reference) / (double)first->reference;
        out->widest = gap > out->widest ? gap : out->widest;
    }
}

const char *duet_papers_verdict(bool any, bool holds)
{
    return !any ? "-" : holds ? "holds" : "does not hold";
}

void duet_papers_claim(duet_claims *claims, bool any, bool holds, const char *what,
                       const char *found, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, found);
    vsnprintf(text, sizeof text, found, arguments);
    va_end(arguments);
    duet_claims_add(claims, duet_papers_verdict(any, holds), what, "%s", text);
}

void duet_papers_print_claims(const duet_claims *claims, FILE *stream)
{
    duet_claims_print(claims, "the paper says\tthese runs\t", 0, stream);
}
