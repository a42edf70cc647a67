// SPDX-License-Identifier: Apache-2.0
// What exit code 1 of `duet bench papers` means: which algorithm, and the first instance.
#include <inttypes.h>
#include <stdio.h>

#include "bench/papers/papers.h"

typedef bool test(const duet_papers_cell *cell);

static bool is_broken(const duet_papers_cell *cell)
{
    return cell->run && cell->respected == 0;
}

static bool is_fault(const duet_papers_cell *cell)
{
    return cell->run && cell->fault;
}

static bool has_failed(const duet_papers_cell *cell)
{
    return cell->run && cell->makespan < 0 && !cell->fault;
}

// Returns whether there is none.
static bool report(const duet_papers *papers, size_t algorithm, test *is_case, const char *of_what,
                   FILE *stream)
{
    size_t count = 0;
    size_t first = 0;
    for (size_t c = 0; c < papers->case_count; c++) {
        if (is_case(duet_papers_at(papers, c, algorithm))) {
            first = count == 0 ? c : first;
            count++;
        }
    }
    if (count == 0) {
        return true;
    }
    const duet_papers_case *origin = &papers->cases[first];
    char name[DUET_PAPERS_NAME];
    fprintf(stream, "duet: %s: %zu %s, the first %s (%" PRId64 ",%" PRId64 "), seed %" PRIu64 ": ",
            duet_papers_name[algorithm], count, of_what,
            duet_papers_case_name(papers, origin, name), origin->m, origin->k, origin->seed);
    // A command line that makes it.
    fprintf(stream, "duet generate %s -n %" PRId64 " -m %" PRId64 " -k %" PRId64,
            origin->paper->family_of(origin), origin->n, origin->m, origin->k);
    origin->paper->print_options(papers, origin, stream);
    fputc('\n', stream);
    return false;
}

bool duet_papers_report_failures(const duet_papers *papers, FILE *stream)
{
    bool good = true;
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS && papers->cells != NULL; a++) {
        (void)report(papers, a, has_failed, "runs without a schedule", stream);
        good = report(papers, a, is_broken, "runs above the proven ratio", stream) && good;
        good =
            report(papers, a, is_fault, "runs that the checker or another run refutes", stream) &&
            good;
    }
    return good;
}
