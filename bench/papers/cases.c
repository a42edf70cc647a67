// SPDX-License-Identifier: Apache-2.0
// The instances of all papers.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "core/assert.h"
#include "core/memory.h"

const char *const duet_papers_name[DUET_PAPERS_ALGORITHMS] = {
    "dual-2", "heft", "accel-published", "dual-4-3", "shelf-3-2", "dualhp", "heteroprio", "exact"};
static const duet_paper *const papers_all[DUET_PAPERS] = {&duet_bleuse2015, &duet_beaumont2017};

const duet_papers_part *duet_papers_part_at(size_t index, const duet_paper **paper)
{
    for (size_t p = 0; p < DUET_PAPERS; p++) {
        for (size_t i = 0; i < DUET_PAPERS_MOST_PARTS; i++) {
            const duet_papers_part *part = &papers_all[p]->parts[i];
            if (part->name != NULL && index-- == 0) {
                *paper = papers_all[p];
                return part;
            }
        }
    }
    return NULL;
}

const duet_papers_part *duet_papers_next(const duet_papers *papers, size_t *index,
                                         const duet_paper **paper)
{
    while (*index < DUET_PAPERS_PARTS) {
        size_t i = (*index)++;
        if ((papers->settings.parts >> i & 1) != 0) {
            return duet_papers_part_at(i, paper);
        }
    }
    return NULL;
}

bool duet_papers_is_wanted(const int64_t *list, size_t count, int64_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == value) {
            return true;
        }
    }
    return count == 0;
}

static size_t index_of(const duet_paper *paper)
{
    size_t index = 0;
    while (index + 1 < DUET_PAPERS && papers_all[index] != paper) {
        index++;
    }
    DUET_ASSERT(papers_all[index] == paper);
    return index;
}

duet_code duet_papers_instance(const duet_papers *papers, const duet_papers_case *c,
                               duet_instance **out, duet_error *error)
{
    return duet_generate(c->paper->family_of(c), c->n, c->m, c->k, c->seed,
                         papers->generator[index_of(c->paper)], out, error);
}

char *duet_papers_case_name(const duet_papers *papers, const duet_papers_case *c, char *buffer)
{
    c->paper->name_case(papers, c, buffer);
    return buffer;
}

// The generators' options and those of `exact`.
static duet_code make_options(duet_papers *papers, duet_error *error)
{
    uint64_t rounds = papers->settings.rounds;
    char *text = papers->option_text[DUET_PAPERS_EXACT];
    duet_options **exact = &papers->options[DUET_PAPERS_EXACT];
    duet_code code = duet_options_create(exact, error);
    if (code == DUET_OK && rounds > 0) {
        snprintf(text, sizeof papers->option_text[0], "rounds=%" PRIu64, rounds);
        code = duet_options_add(*exact, text, error);
    }
    for (size_t p = 0; p < DUET_PAPERS && code == DUET_OK; p++) {
        code = duet_options_create(&papers->generator[p], error);
        if (code == DUET_OK) {
            code = papers_all[p]->options(papers, papers->generator[p], error);
        }
    }
    return code;
}

// The instances of the papers that a chosen part is of.
static void list_cases(duet_papers *papers)
{
    const duet_paper *paper = NULL;
    const duet_paper *last = NULL;
    for (size_t i = 0; duet_papers_next(papers, &i, &paper) != NULL; last = paper) {
        if (paper != last) {
            paper->list(papers);
        }
    }
}

duet_code duet_papers_create(duet_papers *papers, duet_error *error)
{
    enum { tiled = DUET_PAPERS_FAMILIES * (DUET_PAPERS_MOST_TILES - DUET_PAPERS_FEWEST_TILES + 1) };
    duet_code code = make_options(papers, error);
    if (code != DUET_OK) {
        return code;
    }
    papers->cases = duet_alloc(DUET_PAPERS_WHOLE + tiled, sizeof *papers->cases, error);
    if (papers->cases == NULL) {
        return DUET_E_MEMORY;
    }
    list_cases(papers);
    for (size_t c = 0; c < papers->case_count && code == DUET_OK; c++) {
        const duet_paper *paper = papers->cases[c].paper;
        code = paper->measure == NULL ? DUET_OK : paper->measure(papers, &papers->cases[c], error);
    }
    if (code == DUET_OK && papers->case_count == 0) {
        code = duet_error_set(error, DUET_E_USAGE,
                              "none of these instances is in the sweep: expected sizes of 10, 20, "
                              "... 1000 tasks, 4 to 64 tiles");
    }
    if (code != DUET_OK) {
        return code;
    }
    size_t count = papers->case_count * DUET_PAPERS_ALGORITHMS;
    papers->cells = duet_alloc(count, sizeof *papers->cells, error);
    for (size_t i = 0; papers->cells != NULL && i < count; i++) {
        papers->cells[i] = (duet_papers_cell){.makespan = -1};
    }
    return papers->cells == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_papers_free(duet_papers *papers)
{
    duet_free(papers->cases);
    duet_free(papers->cells);
    for (size_t p = 0; p < DUET_PAPERS; p++) {
        duet_options_free(papers->generator[p]);
    }
    for (size_t a = 0; a < DUET_PAPERS_ALGORITHMS; a++) {
        duet_options_free(papers->options[a]);
    }
    *papers = (duet_papers){.cases = NULL};
}
