// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/types.h"

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/level.h"
#include "solvers/exact/raise.h"
#include "solvers/exact/rounds.h"
#include "solvers/exact/tuning.h"
#include "solvers/exact/types/allocations.h"
#include "solvers/exact/types/climb.h"
#include "solvers/exact/types/dive.h"
#include "solvers/exact/types/hands.h"
#include "solvers/exact/types/small.h"
#include "solvers/exact/types/tree.h"

enum {
    SMALL_NODES = 300000, // of the search over all schedules
    SMALL_TREE = 2000,    // nodes of the tree that proves what it found
    PROOF_NODES = 300000, // of the proof of what allocations gave
    PROOF_TREE = 20000,   // nodes of a tree in place of that proof
    FIRST_MOVES = 2000000,
    FIRST_MOVES_ALONE = 30000000, // without a linear program
    KNOWN_MOVES = 250000,         // where the schedule was annealed before
    MOVES_EACH = 4000000,         // of several annealers at once, at least
    VOLUME = 200,                 // iterations of a round
    LEAST_VOLUME = 20,
    FIRST_TREE = 20, // nodes of the first round's trees
    TREE_SHARE = 4,
    FIRST_DIVES = 8,
    LEAST_DIVES = 2,
    FIRST_NODES = 3000000, // of the search for allocations, at each guess
    FIRST_SCHEDULES = 10,  // that it tries
    LEAST_GAIN = 64,       // a search that closes less than this part of the gap gains nothing
    FIRST_TREE_STEP = 4,   // of the gap
    LEAST_STEP = 16,       // an open step below this part of the gap is the last
    ALLOCATION_GAIN = 8,   // an effort that closes less than this part of the gap is not raised
    FIRST_STEP = 6,        // bits: of the gap, between the first two guesses
    FIRST_IMPROVE = 20,    // effort of local search
    STEP_GROWTH = 4,       // of the steps between dives that find nothing
    DIVES_EACH = 2,        // of several at once, at least
    SKIPPED = 4,           // steps at which these begin
    GROWTH = 2,
    MOST = 1 << 30 // from there on an effort grows no more
};

// What a round may spend.
typedef struct efforts {
    int64_t moves;  // of annealing
    int64_t volume; // iterations
    int64_t tree;   // nodes
    int64_t step;   // to the guess of the next tree; 0: none was grown
    int64_t dives;
    duet_types_allocating allocations;
    int64_t level;   // of the last ticks
    int64_t improve; // of local search
} efforts;

// Which searches of a round closed some of the gap, one bit each.
enum gain {
    GAIN_VOLUME = 1 << 0,
    GAIN_ANNEAL = 1 << 1,
    GAIN_LEVEL = 1 << 2,
    GAIN_ALLOCATE = 1 << 3,
    GAIN_DIVE = 1 << 4,
    GAIN_TREE = 1 << 5,
    GAIN_SEARCH = GAIN_ANNEAL | GAIN_LEVEL | GAIN_ALLOCATE | GAIN_DIVE | GAIN_TREE,
    TREE_WAITS = 1 << 6 // No tree was grown: it needs more nodes first.
};

static int64_t grow(int64_t some)
{
    return some < MOST ? GROWTH * some : some;
}

static const duet_types_allocating first_allocations = {
    .nodes = FIRST_NODES,
    .schedules = FIRST_SCHEDULES,
    .one = {.nodes = DUET_ROUND_NODES,
            .patterns = DUET_ROUND_PATTERNS,
            .allocations = DUET_ROUND_ALLOCATIONS,
            .pack = DUET_ROUND_PACK}};

static duet_types_allocating grow_allocations(const duet_types_allocating *some)
{
    duet_types_allocating more = *some;
    more.nodes = grow(some->nodes);
    more.schedules = grow(some->schedules);
    duet_exact_raise_effort(&more.one);
    return more;
}

static int64_t gap_of(const duet_types *s)
{
    return s->exact->best->makespan - s->exact->bound.value;
}

// Whether a gap was closed by so much that more of the same is wanted.
static bool is_gain(int64_t before, int64_t after)
{
    return after < before - before / LEAST_GAIN;
}

// Dives for guesses upward from the bound in growing steps until one finds a schedule, for the
// optimum is mostly near the bound; then halfway between what was found and what was not. Leaves
// out the first `skipped` of these steps.
static duet_code descend(duet_types *s, int64_t *dives, size_t skipped, duet_error *error)
{
    duet_exact *e = s->exact;
    int64_t open = e->bound.value - 1; // nothing was found up to here
    int64_t step = ((e->best->makespan - open) >> FIRST_STEP) + 1;
    bool found = false;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < skipped && step <= (e->best->makespan - open) / 2; i++) {
        open += step;
        step *= STEP_GROWTH;
    }
    while (code == DUET_OK && duet_exact_is_open(e) && e->best->makespan - open > 1 && *dives > 0) {
        int64_t room = e->best->makespan - open;
        int64_t guess = open + (found || step > room / 2 ? room / 2 : step);
        bool one;
        code = duet_types_dive(s, guess, &one, error);
        *dives -= 1;
        found = found || one;
        open = one ? open : guess;
        step = one || step > room / 2 ? step : step * STEP_GROWTH;
        duet_context_report(e->context, e->doing, e->bound.value, e->best->makespan);
    }
    return code;
}

// Dives of one hand, which begins with another one of the first steps than the next.
static duet_code dive_on(const duet_types_share *share, duet_error *error)
{
    int64_t dives = share->effort;
    size_t skipped = share->seat % SKIPPED;
    duet_code code = DUET_OK;
    while (dives > 0 && code == DUET_OK && duet_exact_is_open(share->types->exact) &&
           duet_succession_goes_on(share->series, share->seat)) {
        code = descend(share->types, &dives, skipped, error);
        skipped = 0;
    }
    return code;
}

static duet_code anneal_on(const duet_types_share *share, duet_error *error)
{
    return duet_incumbent_anneal(share->types->exact, share->effort, error);
}

static duet_code shorten_on(const duet_types_share *share, duet_error *error)
{
    return duet_incumbent_shorten(share->types->exact, share->effort, error);
}

static duet_code level_on(const duet_types_share *share, duet_error *error)
{
    return duet_exact_level_by(share->types->exact, share->effort, error);
}

// Trees for guesses upward from the bound, in steps that grow where they are refuted; ends where
// one took most of the nodes, so that a longer step takes more than there are, and where a step
// stays open that would close no more than a small part of the gap.
static duet_code branch(duet_types *s, efforts *some, const duet_exact_effort *one,
                        duet_error *error)
{
    duet_exact *e = s->exact;
    int64_t least = gap_of(s) / LEAST_STEP;
    int64_t step = some->step > 0 ? some->step : gap_of(s) / FIRST_TREE_STEP;
    step = duet_max(step, least);
    bool deep = false;
    duet_code code = DUET_OK;
    while (duet_exact_is_open(e) && code == DUET_OK && !deep) {
        int64_t most = e->best->makespan - 1;
        step = duet_min(step, gap_of(s));
        step = duet_max(step, 1);
        int64_t guess = step < most - e->bound.value ? e->bound.value + step - 1 : most;
        int64_t before = e->nodes;
        duet_verdict verdict;
        code = duet_types_tree(s, guess, some->tree, one, &verdict, error);
        if (code == DUET_OK && verdict == DUET_REFUTED) {
            duet_types_claim_searched(s, guess, true);
            deep = e->nodes - before > some->tree / 2;
            step = deep ? step : 2 * step;
        } else if (verdict == DUET_OPEN) {
            if (step <= 1 || step < gap_of(s) / LEAST_STEP) {
                break;
            }
            step = step / 4;
        }
        duet_context_report(e->context, e->doing, e->bound.value, e->best->makespan);
    }
    some->step = step;
    return code;
}

// Trees with ever more nodes, until they have solved as many programs as the dives of the round:
// which of the two closes a gap only trying tells. Where no type has several processors, trees are
// many nodes deep and dives do better.
static duet_code branch_as_long(duet_types *s, int64_t programs, efforts *some, duet_error *error)
{
    const duet_exact *e = s->exact;
    int64_t end = e->programs + programs;
    int64_t nodes;
    duet_code code;
    do {
        nodes = e->nodes;
        code = branch(s, some, &some->allocations.one, error);
        nodes = e->nodes - nodes;
        some->tree = e->programs < end ? grow(some->tree) : some->tree;
    } while (code == DUET_OK && nodes >= some->tree / GROWTH && e->programs < end &&
             duet_types_has_several(s) && duet_exact_is_open(e));
    return code;
}

// Trees on the counts of the types alone: next to nothing where these say nothing, and where they
// do, allocations and trees begin close to the optimum.
static duet_code branch_counts(duet_types *s, const efforts *some, duet_error *error)
{
    efforts own = *some;
    own.step = 0;
    bool any = s->program != NULL && duet_generation_counts(s->program) > 0;
    return any ? branch(s, &own, NULL, error) : DUET_OK;
}

// Allocations with ever more effort, as long as that closes some of the gap.
static duet_code allocate(duet_types *s, duet_types_allocating some, duet_error *error)
{
    const duet_exact *e = s->exact;
    int64_t enough = INT64_MAX; // of a gap, to go on
    duet_code code = DUET_OK;
    while (code == DUET_OK && duet_exact_is_open(e) && gap_of(s) <= enough) {
        int64_t gap = gap_of(s);
        enough = gap - gap / ALLOCATION_GAIN - 1;
        code = duet_types_try_allocations(s, &some, error);
        some = grow_allocations(&some);
    }
    return code;
}

// A tree that is not as deep as a part of the classes says nothing.
static bool is_deep(const duet_types *s, int64_t nodes)
{
    return nodes * TREE_SHARE >= (int64_t)s->classes.count;
}

static duet_code dive_and_branch(duet_types *s, efforts *some, unsigned *gained, duet_error *error)
{
    int64_t programs = s->exact->programs;
    int64_t before = gap_of(s);
    duet_code code = duet_types_together(s, some->dives, DIVES_EACH, dive_on, error);
    programs = s->exact->programs - programs;
    int64_t dived = gap_of(s);
    bool deep = is_deep(s, some->tree);
    if (code == DUET_OK && deep) {
        code = branch_as_long(s, programs, some, error);
    }
    *gained |= deep ? 0U : TREE_WAITS;
    *gained |= is_gain(before, dived) ? GAIN_DIVE : 0U;
    *gained |= is_gain(dived, gap_of(s)) ? GAIN_TREE : 0U;
    return code;
}

// Levels what was not levelled with as much effort.
static duet_code level(duet_types *s, int64_t effort, unsigned *gained, duet_error *error)
{
    duet_exact *e = s->exact;
    if (e->levelled == e->best->makespan && e->level_effort >= effort) {
        return DUET_OK;
    }
    int64_t gap = gap_of(s);
    int64_t before = e->levelled;
    e->levelled = -1;
    duet_code code = duet_types_together(s, effort, DUET_LEVEL_EFFORT, level_on, error);
    bool levelled = e->levelled >= 0; // the gap is small enough
    e->level_effort = levelled ? effort : e->level_effort;
    e->levelled = levelled ? e->best->makespan : before;
    *gained |= is_gain(gap, gap_of(s)) ? GAIN_LEVEL : 0U;
    return code;
}

static duet_code round_of(duet_types *s, efforts *some, unsigned *gained, duet_error *error)
{
    duet_code code = DUET_OK;
    if (some->volume > 0) {
        int64_t bound = s->exact->bound.value;
        code = duet_exact_raise(s->exact, some->volume, error);
        duet_context_report(s->exact->context, s->exact->doing, s->exact->bound.value,
                            s->exact->best->makespan);
        *gained |= s->exact->bound.value > bound ? GAIN_VOLUME : 0U;
        if (code == DUET_OK && s->program != NULL && s->exact->volume != NULL) {
            code = duet_types_seed(s, error);
        }
    }
    int64_t gap = gap_of(s);
    DUET_THEN(code, duet_types_together(s, some->moves, MOVES_EACH, anneal_on, error));
    *gained |= is_gain(gap, gap_of(s)) ? GAIN_ANNEAL : 0U;
    DUET_THEN(code, level(s, some->level, gained, error));
    if (code == DUET_OK && s->program != NULL) {
        code = duet_types_climb(s, error);
    }
    DUET_THEN(code, branch_counts(s, some, error));
    gap = gap_of(s);
    DUET_THEN(code, allocate(s, some->allocations, error));
    *gained |= is_gain(gap, gap_of(s)) ? GAIN_ALLOCATE : 0U;
    // Where they do so well, more of them are what is wanted.
    if (code == DUET_OK && gap_of(s) < gap / 2) {
        return DUET_OK;
    }
    if (code == DUET_OK && s->program != NULL) {
        code = dive_and_branch(s, some, gained, error);
    }
    DUET_THEN(code, duet_types_together(s, some->improve, FIRST_IMPROVE, shorten_on, error));
    return code == DUET_OK ? level(s, some->level, gained, error) : code;
}

// Whether the linear program divides the tasks on some type, where the volume method has patterns.
static bool is_divided(const duet_types *s)
{
    bool divided = false;
    for (size_t t = 0; t < s->classes.types; t++) {
        divided = divided || (s->divisible[t] && s->classes.processors[t] > 0);
    }
    return divided;
}

// Where some searches closed a part of the gap, these alone get more in the next round. The volume
// method, whose rounds go on from each other, ends where a linear program does better: after the
// first where that has patterns on all types. Without a linear program it gets less and less in
// vain.
static void raise_efforts(efforts *some, unsigned gained, const duet_types *s)
{
    if (s->program == NULL) {
        int64_t less = duet_max(some->volume / GROWTH, LEAST_VOLUME);
        some->volume = gained & GAIN_VOLUME ? VOLUME : less;
    } else {
        some->volume = gained & GAIN_VOLUME && is_divided(s) ? some->volume : 0;
    }
    unsigned raised = gained & GAIN_SEARCH ? gained : GAIN_SEARCH;
    some->moves = raised & GAIN_ANNEAL ? grow(some->moves) : some->moves;
    bool more = raised & GAIN_LEVEL && some->level < DUET_LEVEL_MOST_EFFORT;
    some->level = more ? grow(some->level) : some->level;
    some->allocations =
        raised & GAIN_ALLOCATE ? grow_allocations(&some->allocations) : some->allocations;
    bool aside = raised & GAIN_TREE && some->dives > LEAST_DIVES;
    some->dives = raised & GAIN_DIVE ? grow(some->dives)
                  : aside            ? some->dives / GROWTH
                                     : some->dives;
    some->tree = raised & GAIN_TREE || gained & TREE_WAITS ? grow(some->tree) : some->tree;
    some->improve = grow(some->improve);
}

// Nodes of the first trees. Those of single processors wait until they are deep.
static int64_t first_tree(const duet_types *s)
{
    int64_t deep = (int64_t)s->classes.count / TREE_SHARE + 1;
    return !duet_types_has_several(s) || is_deep(s, FIRST_TREE) ? FIRST_TREE : deep;
}

// All schedules of few tasks. The search over them has no proof that could be written: where the
// best one is the optimum, prices and a tree have to show it, and otherwise it is claimed alone.
static duet_code enumerate(duet_types *s, duet_error *error)
{
    duet_exact *e = s->exact;
    bool all;
    duet_code code = duet_types_enumerate(s, SMALL_NODES, &all, error);
    if (code != DUET_OK || !all || !duet_exact_is_open(e)) {
        return code;
    }
    duet_verdict verdict = DUET_OPEN;
    code = duet_types_climb(s, error);
    if (code == DUET_OK && s->program != NULL && duet_exact_is_open(e)) {
        code = duet_types_tree(s, e->best->makespan - 1, SMALL_TREE, &first_allocations.one,
                               &verdict, error);
    }
    if (code == DUET_OK && duet_exact_is_open(e)) {
        duet_types_claim_searched(s, e->best->makespan - 1, verdict == DUET_REFUTED);
    }
    return code;
}

static duet_code search(duet_types *s, duet_error *error)
{
    duet_exact *e = s->exact;
    efforts some = {.moves = s->program == NULL               ? FIRST_MOVES_ALONE
                             : duet_incumbent_was_annealed(e) ? KNOWN_MOVES
                                                              : FIRST_MOVES,
                    .volume = VOLUME,
                    .tree = first_tree(s),
                    .dives = FIRST_DIVES,
                    .allocations = first_allocations,
                    .level = DUET_LEVEL_EFFORT,
                    .improve = FIRST_IMPROVE};
    duet_code code = enumerate(s, error);
    for (int64_t i = 0;
         duet_exact_is_open(e) && code == DUET_OK && (e->most_rounds == 0 || i < e->most_rounds);
         i++) {
        int64_t gap = gap_of(s);
        unsigned gained = 0;
        code = round_of(s, &some, &gained, error);
        // Without a time limit, more rounds of what is no search would have no end.
        if (s->program == NULL && e->context->deadline_ns == INT64_MAX && gap_of(s) == gap) {
            break;
        }
        raise_efforts(&some, gained, s);
    }
    return code;
}

// The proof of a bound that allocations gave, which write none on their way; a tree, where that
// does not come about.
static duet_code prove(duet_types *s, duet_error *error)
{
    duet_exact *e = s->exact;
    bool needed = e->proof_of < 0 && e->bound.certificate.proof == DUET_PROOF_NONE;
    if (!needed || (duet_context_stop(e->context) && !e->proving.wanted)) {
        return DUET_OK;
    }
    duet_context context = *e->context;
    int64_t deadline = duet_clock_ns() + DUET_EXACT_PROOF_NANOSECONDS;
    if (e->proving.wanted) {
        context.deadline_ns = duet_max(context.deadline_ns, deadline);
    }
    const duet_context *own = e->context;
    e->context = &context;
    duet_types_allocating effort = first_allocations;
    effort.nodes = PROOF_NODES;
    duet_code code = duet_types_prove_bound(s, &effort, error);
    if (code == DUET_OK && e->proof_of != e->bound.value && s->program != NULL) {
        duet_verdict verdict = DUET_OPEN;
        code = duet_types_tree(s, e->bound.value - 1, PROOF_TREE, &first_allocations.one, &verdict,
                               error);
        if (code == DUET_OK && verdict == DUET_REFUTED && !e->log.out.lost) {
            duet_types_take_proof(s);
        }
    }
    e->context = own;
    return code;
}

duet_code duet_exact_solve_types(duet_exact *exact, duet_error *error)
{
    duet_types s = {.exact = exact};
    if (!exact->searchable || !duet_exact_is_open(exact)) {
        return DUET_OK;
    }
    duet_code code = duet_types_prepare(&s, error);
    DUET_THEN(code, search(&s, error));
    DUET_THEN(code, prove(&s, error));
    duet_types_free_hands(&s);
    duet_types_free(&s);
    return code;
}
