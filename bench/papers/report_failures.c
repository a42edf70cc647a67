// SPDX-License-Identifier: Apache-2.0
// What exit code 1 of `duet bench papers` means: which algorithm, and the first instance.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

// A command line that makes the instance.
static void print_command(const duet_papers *papers, const duet_papers_case *c, FILE *stream)
{
    const duet_papers_settings *s = &papers->settings;
    fprintf(stream, "duet generate %s -n %" PRId64 " -m %" PRId64 " -k %" PRId64,
            c->figure6 ? duet_papers_family[c->family] : "bleuse", c->n, c->m, c->k);
    if (c->figure6) {
        if (s->row != NULL) {
            fprintf(stream, " -O row=%s", s->row);
        }
        return;
    }
    fprintf(stream, " --seed %" PRIu64, c->seed);
    if (s->parts_per_unit != 1) {
        fprintf(stream, " -O parts=%" PRIu64, s->parts_per_unit);
    }
    if (strcmp(s->round, "none") != 0) {
        fprintf(stream, " -O round=%s", s->round);
    }
}

// Returns whether there is none.
static bool accuse(const duet_papers *papers, size_t algorithm, test *is_case, const char *of_what,
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
    print_command(papers, origin, stream);
    fputc('\n', stream);
    return false;
}

bool duet_papers_report_failures(const duet_papers *papers, FILE *stream)
{
    bool good = true;
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS && papers->cells != NULL; a++) {
        (void)accuse(papers, a, has_failed, "runs without a schedule", stream);
        good = accuse(papers, a, is_broken, "runs above the proven ratio", stream) && good;
        good =
            accuse(papers, a, is_fault, "runs that the checker or another run refutes", stream) &&
            good;
    }
    return good;
}
