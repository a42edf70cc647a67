// SPDX-License-Identifier: Apache-2.0
#include "solvers/released/decide.h"

#include <math.h>

#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/tuning.h"
#include "solvers/released/tree.h"

enum { FEW_TYPES = 8, FEW_RELEASES = 16 }; // of these the numbers of tasks are branched on
static const double WHOLE_COUNT = 1e-4; // the sum of many that is so near a whole number is whole

typedef struct choice choice;
static duet_code visit(duet_released_tree *s, size_t depth, const choice *from, bool more,
                       duet_verdict *verdict);

// Leaves of the numbers of tasks that prices exclude.
static void log_cuts(duet_released_tree *s, size_t class, size_t type, int64_t low, int64_t high)
{
    if (high < duet_residual_most(&s->state, class, type)) {
        duet_log_declare(s->log, &s->shown);
        duet_log_branch_type(s->log, type, class, high, true);
        duet_log_price(s->log, &s->shown);
    }
    if (low > duet_residual_least(&s->state, class, type)) {
        duet_log_declare(s->log, &s->shown);
        duet_log_branch_type(s->log, type, class, low - 1, false);
        duet_log_price(s->log, &s->shown);
    }
}

// The types that branches and cuts are about: of two, one is enough.
static size_t types_of(const duet_released_tree *s)
{
    return s->classes.types == 2 ? 1 : s->classes.types;
}

// Reduced-cost fixing. False: nothing is left.
static bool fix(duet_released_tree *s, duet_int128 slack)
{
    for (size_t c = 0; c < s->classes.count; c++) {
        duet_int128 price[DUET_MAX_TYPES];
        for (size_t t = 0; t < s->classes.types; t++) {
            price[t] = s->prices.price[t][c] +
                       duet_branching_rows_price(&s->classes, &s->prices,
                                                 duet_generation_rows(s->program), c, t);
        }
        for (size_t t = 0; t < types_of(s); t++) {
            int64_t low = duet_residual_least(&s->state, c, t);
            int64_t high = duet_residual_most(&s->state, c, t);
            if (low < high) {
                duet_residual_fix_type(&s->state, c, t, price, slack, &low, &high);
                if (low > high) {
                    return false;
                }
                log_cuts(s, c, t, low, high);
                duet_residual_limit(&s->state, c, t, low, high);
            }
        }
    }
    return true;
}

// A number of tasks to branch on: at most `bound`, or more.
struct choice {
    size_t class, type;
    size_t count; // of tasks of a type; SIZE_MAX: it is of a class
    int64_t bound;
    double part; // what the count is above the bound
    bool more_first;
    double before; // the factor of the node
};

// What a task less or more of a count has raised the factor so far, on average: of all counts where
// this one was not tried yet.
static double gain_of(const duet_released_tree *s, size_t count, int side)
{
    const duet_released_gain *own = &s->gain[count];
    const duet_released_gain *gain = own->branches[side] > 0 ? own : &s->all_gains;
    return gain->branches[side] > 0 ? gain->sum[side] / (double)gain->branches[side] : 1;
}

static void add_gain(duet_released_gain *gain, int side, double of_task)
{
    gain->sum[side] += of_task;
    gain->branches[side]++;
}

// The side of a branch has been solved.
static void learn_gain(duet_released_tree *s, const choice *at, bool more)
{
    double of_task = fmax(0, s->factor - at->before) / (more ? 1 - at->part : at->part);
    add_gain(&s->gain[at->count], more ? 1 : 0, of_task);
    add_gain(&s->all_gains, more ? 1 : 0, of_task);
}

// The number of tasks of a type that is not whole and raises the factor most on the side where it
// does so less. False: all are whole.
static bool choose_count(const duet_released_tree *s, choice *out)
{
    double best = -1;
    for (size_t i = 0; i < duet_generation_counts(s->program); i++) {
        duet_generation_counted count = duet_generation_count_at(s->program, i);
        double whole = floor(count.value + WHOLE_COUNT);
        double part = count.value - whole;
        int64_t bound = (int64_t)whole;
        double merit = fmin(part * gain_of(s, i, 0), (1 - part) * gain_of(s, i, 1));
        if (fmin(part, 1 - part) > WHOLE_COUNT && merit > best && bound >= count.low &&
            bound < count.high) {
            best = merit;
            *out = (choice){.count = i, .bound = bound, .part = part, .more_first = part > 0.5};
        }
    }
    return best >= 0;
}

// The undecided number that is furthest from whole, long tasks before others. False: all are
// decided.
static bool choose(const duet_released_tree *s, choice *out)
{
    double best = -1;
    for (size_t c = 0; c < s->classes.count; c++) {
        for (size_t t = 0; t < types_of(s); t++) {
            int64_t low = duet_residual_least(&s->state, c, t);
            int64_t high = duet_residual_most(&s->state, c, t);
            if (low == high) {
                continue;
            }
            double value = duet_generation_tasks(s->program, t, c);
            double whole = floor(value + DUET_RELEASED_WHOLE);
            double part = fmin(value - whole, whole + 1 - value);
            double share = (double)s->classes.time[t][c] / (double)s->classes.capacity[t];
            double merit = part > DUET_RELEASED_WHOLE ? part * (0.1 + share) : 0;
            if (merit > best) {
                int64_t bound = duet_max((int64_t)whole, low);
                best = merit;
                *out = (choice){
                    c, t, SIZE_MAX, duet_min(bound, high - 1), value - whole, value - whole > 0.5,
                    0};
            }
        }
    }
    return best >= 0;
}

// One side of a branch on a class.
static duet_code visit_class(duet_released_tree *s, const choice *at, bool more, size_t depth,
                             duet_verdict *verdict)
{
    int64_t low = duet_residual_least(&s->state, at->class, at->type);
    int64_t high = duet_residual_most(&s->state, at->class, at->type);
    duet_residual_limit(&s->state, at->class, at->type, more ? at->bound + 1 : low,
                        more ? high : at->bound);
    return visit(s, depth + 1, NULL, more, verdict);
}

// One side of a branch on a count.
static duet_code visit_count(duet_released_tree *s, const choice *at, bool more, size_t depth,
                             duet_verdict *verdict)
{
    duet_generation_counted count = duet_generation_count_at(s->program, at->count);
    DUET_TRY(duet_vec_grow(s->opened, s->opens, s->error));
    duet_generation_limit_count(s->program, at->count, more ? at->bound + 1 : count.low,
                                more ? count.high : at->bound);
    s->opened[s->opens++] = (duet_released_open){at->count, more};
    duet_code code = visit(s, depth + 1, at, more, verdict);
    s->opens--;
    duet_generation_limit_count(s->program, at->count, count.low, count.high);
    return code;
}

static void log_branch(duet_released_tree *s, const choice *at)
{
    if (at->count == SIZE_MAX) {
        duet_log_branch_type(s->log, at->type, at->class, at->bound, at->more_first);
        return;
    }
    const duet_branching_row *row = &duet_generation_rows(s->program)[2 * at->count];
    for (size_t c = 0; c < s->classes.count; c++) {
        s->has[c] = duet_branching_row_has(&s->classes, row, c);
    }
    const duet_log_counted count = {
        .type = row->type, .most = at->bound, .has = s->has, .more_first = at->more_first};
    duet_log_count(s->log, &count);
}

// Both sides of a branch.
static duet_code branch(duet_released_tree *s, const choice *at, size_t depth,
                        duet_verdict *verdict)
{
    duet_residual saved = {.left = NULL};
    duet_lp_position basis = {.row = NULL};
    duet_code code = duet_residual_create(&s->classes, &saved, s->error);
    DUET_THEN(code, duet_generation_note(s->program, &basis, s->error));
    if (code == DUET_OK) {
        duet_residual_copy(&s->classes, &s->state, &saved);
        log_branch(s, at);
        *verdict = DUET_REFUTED;
    }
    for (int i = 0; i < 2 && code == DUET_OK && *verdict != DUET_FOUND; i++) {
        bool more = (i == 0) == at->more_first;
        duet_verdict child = DUET_OPEN;
        code = at->count == SIZE_MAX ? visit_class(s, at, more, depth, &child)
                                     : visit_count(s, at, more, depth, &child);
        *verdict = duet_verdict_join(*verdict, child);
        s->log = child == DUET_REFUTED ? s->log : NULL;
        duet_residual_copy(&s->classes, &saved, &s->state);
        duet_generation_resume(s->program, &basis, true);
        if (child == DUET_OPEN && s->nodes <= 0) {
            break;
        }
    }
    duet_residual_free(&saved);
    duet_lp_position_free(&basis);
    return code;
}

// What to branch on. Where no two tasks are equal, types of single tasks say more than numbers of
// tasks: the longest are decided first. False: all is decided.
static bool choose_branch(const duet_released_tree *s, choice *out)
{
    bool distinct = true;
    for (size_t c = 0; c < s->classes.count && distinct; c++) {
        distinct = s->classes.tasks[c] == 1;
    }
    return distinct ? choose(s, out) || choose_count(s, out)
                    : choose_count(s, out) || choose(s, out);
}

// A node: that of a side of the count `from`, unless that is NULL.
static duet_code visit(duet_released_tree *s, size_t depth, const choice *from, bool more,
                       duet_verdict *verdict)
{
    bool usable = false;
    duet_int128 slack = 0;
    choice at = {.class = 0};
    *verdict = DUET_OPEN;
    if (s->nodes-- <= 0 || depth >= DUET_RELEASED_DEPTH || duet_context_stop(s->context)) {
        return DUET_OK;
    }
    DUET_TRY(duet_released_relax(s, &s->state, &slack, &usable, verdict));
    if (from != NULL && s->factor > 0) {
        learn_gain(s, from, more);
    }
    if (*verdict == DUET_REFUTED || !usable) {
        return DUET_OK;
    }
    if (!fix(s, slack)) {
        *verdict = DUET_REFUTED;
        return DUET_OK;
    }
    DUET_TRY(duet_released_try(s, verdict));
    if (*verdict == DUET_FOUND) {
        return DUET_OK;
    }
    if (!choose_branch(s, &at)) {
        return duet_released_cover(s, depth + 1, verdict);
    }
    at.before = s->factor;
    return branch(s, &at, depth, verdict);
}

// --- the question --------------------------------------------------------------------------------

// The numbers of tasks of each type, and of those released at each release or later.
static duet_code add_counts(duet_released_tree *s)
{
    const duet_classes *classes = &s->classes;
    size_t releases = 0;
    int64_t *release = duet_alloc(classes->count + 1, sizeof *release, s->error);
    DUET_NEED(release);
    for (size_t c = 0; c < classes->count; c++) {
        release[c + 1] = classes->release[c];
    }
    releases = duet_sort_distinct(release, classes->count + 1);
    releases = releases > FEW_RELEASES ? 1 : releases;
    duet_code code = DUET_OK;
    for (size_t t = 0; t < classes->types && classes->types <= FEW_TYPES; t++) {
        for (size_t r = 0; r < releases && code == DUET_OK; r++) {
            code = duet_generation_count(s->program, t, 0, release[r], s->error);
        }
    }
    duet_free(release);
    size_t counts = duet_generation_counts(s->program);
    s->gain = code == DUET_OK ? duet_alloc(counts + 1, sizeof *s->gain, s->error) : NULL;
    return code == DUET_OK && s->gain == NULL ? DUET_E_MEMORY : code;
}

static duet_code prepare(duet_released_tree *s)
{
    bool divisible[DUET_MAX_TYPES] = {false};
    DUET_TRY(duet_residual_create(&s->classes, &s->state, s->error));
    DUET_TRY(duet_residual_create(&s->classes, &s->left, s->error));
    DUET_TRY(duet_residual_create(&s->classes, &s->whole, s->error));
    DUET_TRY(duet_prices_create(&s->classes, &s->prices, s->error));
    s->has = duet_alloc(s->classes.count, sizeof *s->has, s->error);
    DUET_NEED(s->has);
    DUET_TRY(duet_generation_create(&s->classes, divisible, &s->program, s->error));
    return add_counts(s);
}

duet_code duet_released_decide(const duet_released_question *question, const duet_context *context,
                               duet_log *log, duet_verdict *verdict, duet_solution *solution,
                               duet_error *error)
{
    duet_released_tree s = {.question = question,
                            .context = context,
                            .error = error,
                            .solution = solution,
                            .nodes = question->nodes,
                            .log = log,
                            .prices = {.id = -1}};
    *verdict = DUET_OPEN;
    DUET_TRY(duet_classes_create_released(question->model->instance, question->guess, &s.classes,
                                          error));
    duet_log_start(log, &s.classes, DUET_EXACT_PROOF_BYTES);
    duet_code code = DUET_OK;
    if (s.classes.nowhere != SIZE_MAX) {
        duet_log_nowhere(log, s.classes.nowhere);
        *verdict = DUET_REFUTED;
    } else {
        code = prepare(&s);
        log->state = &s.state;
        DUET_THEN(code, duet_released_dive(&s, verdict));
        if (code == DUET_OK && *verdict != DUET_FOUND) {
            code = visit(&s, 0, NULL, false, verdict);
        }
    }
    log->of = NULL;
    log->state = NULL;
    duet_free(s.has);
    duet_free(s.gain);
    duet_free(s.opened);
    duet_free(s.open_price);
    duet_released_patterns_free(&s.taken);
    duet_configuration_free(s.program);
    duet_prices_free(&s.prices);
    duet_residual_free(&s.whole);
    duet_residual_free(&s.left);
    duet_residual_free(&s.state);
    duet_classes_free(&s.classes);
    return code;
}
