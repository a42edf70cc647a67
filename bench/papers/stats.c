// SPDX-License-Identifier: Apache-2.0
// Figures over the runs of `duet bench papers`, in the order of the cases whatever order they were
// run in: sums of floating-point numbers are then the same every time.
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
    *out = (duet_papers_figures){.largest = {0, 1}};
    double sum = 0;
    for (size_t c = 0; c < papers->case_count; c++) {
        const duet_papers_case *origin = &papers->cases[c];
        int64_t makespan = duet_papers_makespan(papers, c, algorithm);
        int64_t from = base_of(papers, c, base);
        if (origin->figure6 || (n != 0 && origin->n != n) || makespan < from || from <= 0) {
            continue;
        }
        duet_fraction deviation = {(uint64_t)(makespan - from), (uint64_t)from};
        if (out->runs == 0 || duet_fraction_compare(deviation, out->largest) > 0) {
            out->largest = deviation;
            out->where = c;
        }
        out->above_half += 2 * deviation.num > deviation.den;
        out->above_one += deviation.num > deviation.den;
        sum += (double)deviation.num / (double)deviation.den;
        out->runs++;
    }
    out->mean = out->runs == 0 ? 0 : 100 * sum / (double)out->runs;
}

double duet_papers_largest(const duet_papers_figures *figures)
{
    return 100 * (double)figures->largest.num / (double)figures->largest.den;
}

void duet_papers_count_of(const duet_papers *papers, bool figure6, duet_papers_count *out)
{
    *out = (duet_papers_count){0};
    for (size_t c = 0; c < papers->case_count; c++) {
        const duet_papers_cell *first = duet_papers_at(papers, c, 0);
        if (papers->cases[c].figure6 != figure6 || !first->run) {
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

const duet_papers_case *duet_papers_find(const duet_papers *papers, size_t family, int64_t tiles)
{
    for (size_t c = 0; c < papers->case_count; c++) {
        const duet_papers_case *origin = &papers->cases[c];
        if (origin->figure6 && origin->family == family && origin->n == tiles &&
            duet_papers_at(papers, c, 0)->reference > 0) {
            return origin;
        }
    }
    return NULL;
}

double duet_papers_to_area(const duet_papers *papers, const duet_papers_case *c, size_t algorithm)
{
    int64_t makespan = duet_papers_makespan(papers, (size_t)(c - papers->cases), algorithm);
    return makespan < 0 ? 0 : (double)((long double)makespan / c->area);
}

double duet_papers_to_best(const duet_papers *papers, const duet_papers_case *c, size_t algorithm)
{
    size_t place = (size_t)(c - papers->cases);
    int64_t makespan = duet_papers_makespan(papers, place, algorithm);
    return makespan < 0
               ? 0
               : (double)makespan / (double)duet_papers_at(papers, place, algorithm)->reference;
}
