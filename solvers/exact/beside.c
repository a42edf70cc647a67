// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/beside.h"

#include <string.h>

duet_code duet_exact_create_beside(duet_exact *s, const duet_context *context, duet_exact *out,
                                   duet_error *error)
{
    *out = (duet_exact){.instance = s->instance,
                        .context = context,
                        .doing = s->doing,
                        .types_line = s->types_line,
                        .unrefuted = {s->unrefuted[0], s->unrefuted[1]},
                        .fine_lifts = s->fine_lifts,
                        .outlook = s->outlook,
                        .filled = s->filled,
                        .fill_effort = s->fill_effort,
                        .hopeless = s->hopeless,
                        .shape = {.long_lists = s->shape.long_lists},
                        .searchable = s->searchable,
                        .proving = {.wanted = s->proving.wanted}};
    out->level_seed = duet_random_next(&s->random);
    duet_random_seed(&out->random, out->level_seed);
    duet_code code = duet_solution_create_blank(s->best->tasks, &out->best, error);
    return code == DUET_OK ? duet_solution_create_blank(s->best->tasks, &out->trial, error) : code;
}

void duet_exact_free_beside(duet_exact *beside)
{
    duet_solution_free(beside->best);
    duet_exact_free(beside);
}

duet_code duet_exact_follow(duet_exact *beside, const duet_exact *s, duet_error *error)
{
    const duet_placement *from = duet_solution_placements(s->best);
    if (from == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "exact: out of memory");
    }
    duet_code code = duet_solution_hold_placements(beside->best, error);
    if (code == DUET_OK) {
        memcpy(beside->best->placement, from, (size_t)s->best->tasks * sizeof *from);
        beside->best->makespan = s->best->makespan;
        duet_bound_release(&beside->bound);
        beside->bound = (duet_bound){.name = s->bound.name, .value = s->bound.value};
    }
    return code;
}

// The bound of the other one, with its proof.
static void take_bound(duet_exact *s, duet_exact *beside)
{
    duet_bound bound = s->bound;
    duet_log proof = s->proof;
    s->bound = beside->bound;
    s->proof = beside->proof;
    s->proof_of = beside->proof_of;
    beside->bound = bound;
    beside->proof = proof;
}

void duet_exact_learn(duet_exact *s, duet_exact *beside)
{
    if (beside->bound.value > s->bound.value) {
        take_bound(s, beside);
    }
    if (beside->best->makespan < s->best->makespan) {
        duet_solution_swap_schedules(s->best, beside->best);
    }
    s->nodes += beside->nodes;
    s->patterns += beside->patterns;
    s->programs += beside->programs;
    s->guesses += beside->guesses;
    s->moves += beside->moves;
    s->annealed_until += beside->programs; // each has kept pace with its own
    beside->annealed_until -= beside->programs;
    beside->nodes = beside->patterns = beside->programs = beside->guesses = 0;
    beside->moves = 0;
}
