// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/rounds.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/tasks.h"
#include "core/system/try.h"
#include "solvers/exact/beside.h"
#include "solvers/exact/decide.h"
#include "solvers/exact/fill_bound.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/level.h"
#include "solvers/exact/modes.h"
#include "solvers/exact/raise.h"
#include "solvers/exact/repack.h"

// The last refutation lifts the bound; its certificate and its proof go with it.
static void raise_bound(duet_exact *s, int64_t value)
{
    DUET_ASSERT(s->bound.value < value && value <= s->best->makespan);
    bool by_prices = s->certificate.proof == DUET_PROOF_PRICES;
    duet_bound_release(&s->bound);
    s->bound = (duet_bound){.name = by_prices ? "configuration" : "exact",
                            .value = value,
                            .certificate = s->certificate};
    s->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    s->proof_of = value;
    duet_exact_take_log(s);
}

static void report(const duet_exact *s)
{
    duet_context_report(s->context, s->doing, s->bound.value, s->best->makespan);
}

// A guess that is asked.
typedef struct question {
    duet_exact *exact;
    int64_t guess;
    const duet_exact_effort *effort;
    duet_verdict verdict;
    int64_t refuted; // the largest guess that was
    duet_code code;
    duet_error *error;
} question;

// Returns whether the answer closes the gap, or is a failure.
static bool ask(void *of)
{
    question *q = of;
    duet_exact *s = q->exact;
    q->code = duet_exact_decide(s, q->guess, q->effort, &q->verdict, &q->refuted, q->error);
    int64_t bound = q->verdict == DUET_REFUTED ? q->refuted + 1 : s->bound.value;
    return q->code != DUET_OK || s->best->makespan <= duet_context_target(s->context, bound);
}

// Asks a guess, with annealing beside that, which may find it, too.
static duet_code ask_beside(duet_exact *s, question *q, duet_error *error)
{
    DUET_TRY(duet_incumbent_anneal_beside(s, ask, q, error));
    if (q->code == DUET_OK && q->verdict == DUET_OPEN && s->best->makespan <= q->guess) {
        q->verdict = DUET_FOUND;
        s->last.by_tree = false;
    }
    return q->code;
}

// One guess; the bound or the best schedule moves where it is decided.
static duet_code try_guess(duet_exact *s, int64_t guess, const duet_exact_effort *effort,
                           duet_verdict *verdict, duet_error *error)
{
    question q = {
        .exact = s, .guess = guess, .effort = effort, .verdict = DUET_OPEN, .error = error};
    duet_code code = ask_beside(s, &q, error);
    *verdict = q.verdict;
    if (*verdict == DUET_REFUTED) {
        raise_bound(s, q.refuted + 1);
    } else if (*verdict == DUET_OPEN && effort->nodes > 0) {
        s->left_open = guess;
    }
    // What branch and price finds is the first packing of its allocation.
    if (code == DUET_OK && *verdict == DUET_FOUND && s->last.by_tree && s->shape.one_patterned) {
        code = duet_exact_repack(s, error);
    }
    if (code == DUET_OK && *verdict == DUET_FOUND) {
        code = duet_exact_level(s, error);
    }
    report(s);
    return code;
}

// Large guesses are gone through in millionths.
static int64_t first_step(const duet_exact *s)
{
    return (s->bound.value >> DUET_ROUND_FIRST_STEP) + 1;
}

// A gap that is nearly closed.
static int64_t narrow(const duet_exact *s)
{
    return (s->bound.value >> DUET_ROUND_NARROW) + 1;
}

// The guess that is `step` steps above the bound. Where the gap is narrow, a tree is asked for the
// last 10^-5th of the makespan last: nearly as much is known without it, and sooner.
static int64_t guess_above(const duet_exact *s, int64_t step, bool trees)
{
    int64_t room = s->best->makespan - s->bound.value;
    int64_t last = s->best->makespan / DUET_ROUND_LAST;
    bool aside = trees && s->shape.one_patterned && last > 0 && last < room && room <= narrow(s);
    int64_t most = aside ? room - last : room - 1;
    return s->bound.value + (step <= most ? step - 1 : most);
}

// Trees that had too many patterns for a pool at first take long close to the best schedule: they
// go halfway until the gap is narrow.
static int64_t limit_step(const duet_exact *s, int64_t step)
{
    int64_t room = s->best->makespan - s->bound.value;
    bool close = step >= room - room / 4;
    return s->last.wide && close && room > narrow(s) ? room / 2 + 1 : step;
}

// Guesses upward from the bound in growing steps: one that is refuted lifts the bound above it, one
// that is found lowers the best schedule. Ends where the first step stays open, or, where trees
// have pools, after `patience` steps that stay open in a row.
static duet_code climb(duet_exact *s, const duet_exact_effort *effort, int64_t patience,
                       duet_error *error)
{
    bool trees = effort->tree > 0;
    int64_t least = first_step(s);
    int64_t room = s->best->makespan - s->bound.value;
    int64_t step = !trees                            ? least
                   : s->outlook != DUET_OUTLOOK_NEAR ? room
                                                     : room >> DUET_ROUND_TREE_STEP;
    step = duet_max(step, least);
    int64_t end = s->guesses + effort->guesses;
    bool eager = false; // asks for all of the gap, or all but its last part
    int64_t left = patience;
    duet_code code = DUET_OK;
    while (duet_exact_is_open(s) && s->guesses < end && code == DUET_OK) {
        int64_t bound = s->bound.value;
        duet_verdict verdict;
        step = trees ? limit_step(s, step) : step;
        code =
            try_guess(s, guess_above(s, eager ? INT64_MAX : step, trees), effort, &verdict, error);
        left = verdict != DUET_OPEN ? patience : s->shape.one_patterned ? left - 1 : left;
        // What a tree finds is often the optimum where the gap is narrow by then.
        room = s->best->makespan - s->bound.value;
        bool again = eager;
        eager = trees && verdict == DUET_FOUND && room <= narrow(s);
        if (again && verdict != DUET_REFUTED && left > 0) {
            step = duet_max(room / 2, least);
        } else if (verdict == DUET_REFUTED) {
            int64_t risen = s->bound.value - bound; // prices may refute larger ones as well
            step = duet_max(risen, step);
            step = step < room ? 2 * step : step;
        } else if (verdict == DUET_OPEN && (step <= least || left <= 0)) {
            break;
        } else {
            step = duet_min(step, room);
            step = duet_max(step / 4, least);
        }
    }
    return code;
}

// Lifts the bound by the relaxation alone, halfway between what it refutes and what it does not:
// trees above a bound that is far below what the relaxation gives take long.
static duet_code lift(duet_exact *s, const duet_exact_effort *effort, duet_error *error)
{
    duet_exact_effort alone = *effort;
    alone.relaxed = true;
    int64_t wide =
        s->bound.value >> (s->outlook != DUET_OUTLOOK_NEAR ? DUET_ROUND_LIFTED : DUET_ROUND_WIDE);
    int64_t enough = s->outlook == DUET_OUTLOOK_RAISED ? first_step(s) : wide;
    int64_t open = s->best->makespan; // the relaxation does not refute this
    int64_t guess = open - 1;
    duet_code code = DUET_OK;
    while (duet_exact_is_open(s) && code == DUET_OK && open - s->bound.value > enough) {
        duet_verdict verdict;
        code = try_guess(s, guess, &alone, &verdict, error);
        open = verdict == DUET_REFUTED ? open : guess;
        open = duet_min(open, s->best->makespan); // which annealing shortens
        guess = s->bound.value + (open - s->bound.value) / 2;
    }
    return code;
}

// Schedules shorter than the best: guesses upward from the bound in growing steps until one is
// found, for the optimum is mostly near the bound; then halfway between what was found and what was
// not. Searches at most `guesses` guesses.
static duet_code improve(duet_exact *s, const duet_exact_effort *effort, int64_t guesses,
                         duet_error *error)
{
    int64_t open = s->bound.value; // nothing was found up to here
    int64_t step = (s->best->makespan - open) >> DUET_ROUND_IMPROVE_STEP;
    step = duet_max(step, first_step(s));
    bool found = false;
    duet_code code = DUET_OK;
    while (open + first_step(s) < s->best->makespan && duet_exact_is_open(s) && code == DUET_OK &&
           guesses-- > 0) {
        int64_t room = s->best->makespan - open;
        if (found && room < (open - s->bound.value) / 4) {
            break; // the next effort will do better than a finer search
        }
        int64_t guess = open + (found || step > room / 2 ? room / 2 : step);
        duet_verdict verdict;
        code = try_guess(s, guess, effort, &verdict, error);
        found = found || verdict == DUET_FOUND;
        if (verdict != DUET_FOUND) {
            open = guess;
            step = step > room ? step : step * 4;
        }
    }
    return code;
}

// The guess below the best schedule: if there is no schedule within it, that is the end. Where it
// is the one that the climb ended with, nothing is new.
static duet_code challenge(duet_exact *s, const duet_exact_effort *effort, duet_error *error)
{
    duet_verdict verdict = DUET_FOUND;
    duet_code code = DUET_OK;
    while (duet_exact_is_open(s) && code == DUET_OK && verdict == DUET_FOUND &&
           s->best->makespan - 1 != s->left_open) {
        code = try_guess(s, s->best->makespan - 1, effort, &verdict, error);
    }
    return code;
}

// Lifts the bound, and tries to show that the best schedule there was is the optimum.
static duet_code search_up(duet_exact *s, const duet_exact_effort *effort, duet_error *error)
{
    duet_exact_effort searching = *effort;
    searching.tree = 0;
    s->left_open = -1;
    duet_code code = climb(s, effort, INT64_MAX, error);
    return code == DUET_OK ? challenge(s, &searching, error) : code;
}

// Looks for shorter schedules, first those that packing alone can find; then searches at most
// `guesses` guesses.
static duet_code search_down(duet_exact *s, const duet_exact_effort *effort, int64_t guesses,
                             duet_error *error)
{
    duet_exact_effort packing = *effort;
    duet_exact_effort searching = *effort;
    packing.nodes = 0;
    searching.tree = 0;
    duet_code code = duet_incumbent_shorten(s, effort->pack, error);
    DUET_THEN(code, duet_exact_fill_bound(s, error));
    if (code == DUET_OK && !duet_incumbent_is_near(s)) {
        code = duet_incumbent_anneal(s, effort->anneal, error);
    }
    DUET_THEN(code, duet_exact_level(s, error));
    report(s);
    DUET_THEN(code, improve(s, &packing, INT64_MAX, error));
    return code == DUET_OK ? improve(s, &searching, guesses, error) : code;
}

// The two searches of the later rounds.
typedef struct duo {
    duet_exact *up; // what is found ends here
    duet_exact down;
    duet_context context;
    duet_cancel *halt; // of the search down: the other one has ended it all
    bool ended;        // it has
} duo;

static duet_code duo_create(duo *d, duet_exact *s, duet_error *error)
{
    *d = (duo){.up = s, .context = *s->context, .halt = duet_cancel_create()};
    d->context.halt = d->halt;
    d->context.progress = NULL; // the caller expects one thread's calls
    duet_code code = duet_exact_create_beside(s, &d->context, &d->down, error);
    return d->halt == NULL ? duet_error_set(error, DUET_E_MEMORY, "exact: out of memory") : code;
}

static void duo_free(duo *d)
{
    duet_exact_free_beside(&d->down);
    duet_cancel_free(d->halt);
}

// The search up; where it closes the gap the other one cannot find anything, and ends.
static duet_code run_up(duo *d, const duet_exact_effort *effort, duet_error *error)
{
    duet_code code = search_up(d->up, effort, error);
    d->ended = code == DUET_OK && duet_exact_is_closed(d->up);
    if (d->ended || code != DUET_OK) {
        duet_cancel_request(d->halt);
    }
    return code;
}

// A round of both searches.
typedef struct both {
    duo *d;
    const duet_exact_effort *effort;
    duet_code up, down;
    duet_counted counted; // by the search down
    duet_error *error;
    duet_error other;
} both;

static void run_side(void *of, size_t i)
{
    both *b = of;
    if (i == 0) {
        b->up = run_up(b->d, b->effort, b->error);
    } else if (!duet_cancel_requested(b->d->halt)) {
        duet_counted none = duet_counted_enter((duet_counted){0, 0});
        b->down = search_down(&b->d->down, b->effort, INT64_MAX, &b->other);
        b->counted = duet_counted_enter(none);
    }
}

static duet_code run_both(duo *d, const duet_exact_effort *effort, duet_error *error)
{
    both b = {.d = d, .effort = effort, .error = error, .other = DUET_ERROR_INIT};
    duet_counted before = duet_counted_here();
    duet_tasks_share(2, run_side, &b);
    if (b.up != DUET_OK || d->ended) {
        return b.up; // whatever the other one came to, and how far it got is chance
    }
    duet_counted up = duet_counted_since(before);
    int64_t longer = b.counted.span - up.span;
    duet_counted_join((duet_counted){b.counted.done, duet_max(longer, 0)});
    return b.down == DUET_OK ? DUET_OK : duet_error_set(error, b.down, "%s", b.other.message);
}

static duet_code round_of_both(duo *d, const duet_exact_effort *effort, duet_error *error)
{
    DUET_TRY(duet_exact_follow(&d->down, d->up, error));
    duet_code code = run_both(d, effort, error);
    if (!d->ended) {
        duet_exact_learn(d->up, &d->down); // else it has nothing better
    }
    return code;
}

void duet_exact_raise_effort(duet_exact_effort *effort)
{
    enum { most = DUET_ROUND_MOST, fast = DUET_ROUND_FAST_GROWTH, slow = DUET_ROUND_GROWTH };
    effort->nodes *= effort->nodes < most ? fast : 1;
    effort->tree = effort->nodes / DUET_ROUND_NODES_A_TREE_NODE;
    effort->allocations *= effort->allocations < most ? fast : 1;
    effort->pack *= effort->pack < most ? slow : 1;
    effort->anneal *= effort->anneal < most ? slow : 1;
    effort->guesses *= effort->guesses < most ? slow : 1;
    effort->patterns *= effort->patterns < DUET_ROUND_MOST_PATTERNS ? DUET_ROUND_PATTERN_GROWTH : 1;
}

// The first round's searches know of each other: most instances end there. Where trees are likely
// to do well they come early, but a good schedule spares them the guesses above it.
static duet_code first_round(duet_exact *s, const duet_exact_effort *effort, duet_error *error)
{
    duet_exact_effort climbing = *effort;
    climbing.tree = s->shape.few_classes || s->outlook == DUET_OUTLOOK_RAISED
                        ? DUET_ROUND_FIRST_TREE
                    : s->outlook != DUET_OUTLOOK_NEAR ? DUET_ROUND_EARLY_TREE
                                                      : 0;
    duet_code code = lift(s, effort, error);
    DUET_THEN(code, climb(s, &climbing, 1, error));
    if (code == DUET_OK && s->shape.one_patterned && duet_exact_is_open(s)) {
        code = search_down(s, effort, DUET_ROUND_FIRST_GUESSES, error);
    }
    if (code == DUET_OK && s->shape.one_patterned && duet_exact_is_open(s)) {
        climbing.tree = DUET_ROUND_FIRST_TREE;
        climbing.patterns *= DUET_ROUND_TREE_PATTERNS;
        code = climb(s, &climbing, DUET_ROUND_FIRST_OPEN, error);
    }
    DUET_THEN(code, search_down(s, effort, INT64_MAX, error));
    return code == DUET_OK ? challenge(s, effort, error) : code;
}

// Whether the tasks are of few classes.
static duet_code count_classes(duet_exact *s, duet_error *error)
{
    duet_classes classes;
    duet_code code = duet_classes_create(s->instance, s->best->makespan, &classes, error);
    if (code == DUET_OK) {
        bool alike = (int64_t)classes.count <= classes.total / DUET_ROUND_ALIKE;
        s->shape.few_classes = duet_exact_has_few_classes(&classes) ||
                               (alike && classes.count <= DUET_ROUND_FEW_CLASSES);
        duet_classes_free(&classes);
    }
    return code;
}

duet_code duet_exact_solve(duet_exact *s, duet_error *error)
{
    duet_exact_effort effort = {.nodes = DUET_ROUND_NODES,
                                .patterns = DUET_ROUND_PATTERNS,
                                .allocations = DUET_ROUND_ALLOCATIONS,
                                .pack = DUET_ROUND_PACK,
                                .anneal = DUET_ROUND_MOVES,
                                .guesses = DUET_ROUND_GUESSES};
    duet_code code = s->searchable ? count_classes(s, error) : DUET_OK;
    int64_t simple = s->bound.value;
    s->outlook = s->best->makespan - simple > simple >> DUET_ROUND_WIDE ? DUET_OUTLOOK_WEAK
                                                                        : DUET_OUTLOOK_NEAR;
    DUET_THEN(code, duet_exact_raise(s, DUET_ROUND_VOLUME, error));
    s->outlook = s->bound.value > simple ? DUET_OUTLOOK_RAISED : s->outlook;
    DUET_THEN(code, duet_exact_fill_bound(s, error));
    if (code == DUET_OK) {
        code = duet_exact_level(s, error); // once more: a program may take all the time there is
    }
    DUET_THEN(code, first_round(s, &effort, error));
    // Without a time limit, more rounds where nothing can be searched would have no end.
    bool timed = s->context->deadline_ns != INT64_MAX;
    bool annealing = timed && s->annealer != NULL;
    if (code != DUET_OK || !duet_exact_is_open(s) || s->most_rounds == 1 ||
        (s->nodes + s->programs == 0 && !annealing)) {
        return code;
    }
    duo d;
    code = duo_create(&d, s, error);
    for (int64_t round = 2; code == DUET_OK && duet_exact_is_open(s) &&
                            (s->most_rounds == 0 || round <= s->most_rounds);
         round++) {
        int64_t before = s->nodes + s->programs;
        duet_exact_raise_effort(&effort);
        code = round_of_both(&d, &effort, error);
        if (s->nodes + s->programs == before && !annealing) {
            break;
        }
    }
    duo_free(&d);
    return code;
}
