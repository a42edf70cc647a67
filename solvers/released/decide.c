// SPDX-License-Identifier: Apache-2.0
#include "solvers/released/decide.h"

#include <math.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/generation/generation.h"
#include "solvers/exact/tuning.h"
#include "solvers/released/patterns.h"

enum {
    ROUNDS = 300,          // of column generation at a node
    MOST_DEPTH = 500,      // of nodes below each other
    MOST_PATTERNS = 50000, // of a type at a node
    PATTERN_BYTES = 1 << 26,
    FEW_TYPES = 8,   // of these the numbers of tasks are branched on
    NOISE = 30,      // hundredths of a pattern
    MOST_AT_ONCE = 3 // patterns of a step of a dive
};
static const double WHOLE = 1e-6;       // a number that is so near a whole one is whole
static const double WHOLE_COUNT = 1e-4; // the same of the sum of many
static const double SURE = 0.9;         // more of a pattern is as good as all of it
static const double UNIT = 100;         // of the noise

// A side of a count that was branched on.
typedef struct open_count {
    size_t count;
    bool more;
} open_count;

typedef struct tree {
    const duet_released_question *question;
    const duet_context *context;
    duet_error *error;
    duet_solution *solution;
    int64_t nodes; // left

    duet_classes classes;
    duet_generation *program;
    duet_residual state; // all tasks, with the types that they may go to
    duet_residual left;  // what no pattern has taken, once all types are decided
    duet_residual whole; // the same with all tasks of a class where one may go: for the log
    duet_prices prices;
    duet_prices shown;  // the same as the log has them, with the prices of the open counts
    open_count *opened; // the counts that were branched on above the node, outermost first
    size_t opens;
    int64_t *open_price;          // of each of them
    bool *has;                    // a class is in a count
    bool covering;                // all types are decided: counts say nothing more
    double factor;                // of the last relaxation
    duet_log *log;                // NULL once something stays open
    duet_released_patterns taken; // of the cover
} tree;

static duet_code visit(tree *s, size_t depth, duet_verdict *verdict);
static duet_code cover(tree *s, size_t depth, duet_verdict *verdict);

// The prices of the last relaxation as the proof has them: those of the counts that are open, of
// which the last on each side of a number has the bound that the program knew.
static duet_code show_prices(tree *s)
{
    size_t opens = s->covering ? 0 : s->opens;
    DUET_TRY(duet_vec_reserve(s->open_price, opens + 1, s->error));
    s->shown = s->prices;
    s->shown.id = -1;
    s->shown.row = s->open_price;
    s->shown.rows = opens;
    for (size_t i = 0; i < opens; i++) {
        bool last = true;
        for (size_t j = i + 1; j < opens; j++) {
            last = last && !(s->opened[j].count == s->opened[i].count &&
                             s->opened[j].more == s->opened[i].more);
        }
        size_t row = 2 * s->opened[i].count + (s->opened[i].more ? 1 : 0);
        s->open_price[i] = last && row < s->prices.rows ? s->prices.row[row] : 0;
    }
    return DUET_OK;
}

// Solves the relaxation of a node. *verdict: DUET_REFUTED where its prices say so, with the leaf.
static duet_code relax(tree *s, const duet_residual *left, duet_int128 *slack, bool *usable,
                       duet_verdict *verdict)
{
    duet_generation_answer answer;
    const duet_generation_request request = {DUET_GENERATION_NODE, ROUNDS};
    DUET_TRY(duet_generation_solve(s->program, &s->state, request, s->context, &s->prices, &answer,
                                   s->error));
    *usable = answer.any && answer.factor > 0;
    s->factor = answer.factor;
    if (!answer.any) {
        return DUET_OK;
    }
    DUET_TRY(show_prices(s));
    *slack =
        duet_branching_rows_slack(&s->classes, left, &s->prices, duet_generation_rows(s->program));
    if (*slack < 0) {
        duet_log_price(s->log, &s->shown);
        *verdict = DUET_REFUTED;
    }
    return DUET_OK;
}

// --- the types of the tasks ----------------------------------------------------------------------

// Leaves of the numbers of tasks that prices exclude.
static void log_cuts(tree *s, size_t class, size_t type, int64_t low, int64_t high)
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
static size_t types_of(const tree *s)
{
    return s->classes.types == 2 ? 1 : s->classes.types;
}

// Reduced-cost fixing. False: nothing is left.
static bool fix(tree *s, duet_int128 slack)
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
typedef struct choice {
    size_t class, type;
    size_t count; // of tasks of a type; SIZE_MAX: it is of a class
    int64_t bound;
    bool more_first;
} choice;

// The number of tasks of a type that is furthest from whole. False: all are whole.
static bool choose_count(const tree *s, choice *out)
{
    double best = WHOLE_COUNT;
    for (size_t i = 0; i < duet_generation_counts(s->program); i++) {
        duet_generation_counted count = duet_generation_count_at(s->program, i);
        double whole = floor(count.value + WHOLE_COUNT);
        double part = fmin(count.value - whole, whole + 1 - count.value);
        int64_t bound = (int64_t)whole;
        if (part > best && bound >= count.low && bound < count.high) {
            best = part;
            *out = (choice){.count = i, .bound = bound, .more_first = count.value - whole > 0.5};
        }
    }
    return best > WHOLE_COUNT;
}

// The undecided number that is furthest from whole, long tasks before others. False: all are
// decided.
static bool choose(const tree *s, choice *out)
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
            double whole = floor(value + WHOLE);
            double part = fmin(value - whole, whole + 1 - value);
            double share = (double)s->classes.time[t][c] / (double)s->classes.guess;
            double merit = part > WHOLE ? part * (0.1 + share) : 0;
            if (merit > best) {
                int64_t bound = duet_max((int64_t)whole, low);
                best = merit;
                *out = (choice){c, t, SIZE_MAX, duet_min(bound, high - 1), value - whole > 0.5};
            }
        }
    }
    return best >= 0;
}

// One side of a branch on a class.
static duet_code visit_class(tree *s, const choice *at, bool more, size_t depth,
                             duet_verdict *verdict)
{
    int64_t low = duet_residual_least(&s->state, at->class, at->type);
    int64_t high = duet_residual_most(&s->state, at->class, at->type);
    duet_residual_limit(&s->state, at->class, at->type, more ? at->bound + 1 : low,
                        more ? high : at->bound);
    return visit(s, depth + 1, verdict);
}

// One side of a branch on a count.
static duet_code visit_count(tree *s, const choice *at, bool more, size_t depth,
                             duet_verdict *verdict)
{
    duet_generation_counted count = duet_generation_count_at(s->program, at->count);
    DUET_TRY(duet_vec_grow(s->opened, s->opens, s->error));
    duet_generation_limit_count(s->program, at->count, more ? at->bound + 1 : count.low,
                                more ? count.high : at->bound);
    s->opened[s->opens++] = (open_count){at->count, more};
    duet_code code = visit(s, depth + 1, verdict);
    s->opens--;
    duet_generation_limit_count(s->program, at->count, count.low, count.high);
    return code;
}

static void log_branch(tree *s, const choice *at)
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
static duet_code branch(tree *s, const choice *at, size_t depth, duet_verdict *verdict)
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

// --- the patterns of the processors --------------------------------------------------------------

// Whether the solution of the relaxation is a schedule: its patterns are whole, and those of the
// cover among them.
static duet_code try_solution(tree *s, duet_verdict *verdict)
{
    duet_released_patterns all = {.count = 0};
    bool whole = true;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < duet_generation_patterns(s->program) && whole && code == DUET_OK; i++) {
        duet_generation_pattern pattern = duet_generation_pattern_at(s->program, i);
        double times = floor(pattern.value + WHOLE);
        whole = pattern.value - times <= WHOLE;
        for (int64_t k = 0; whole && k < (int64_t)times && code == DUET_OK; k++) {
            code = duet_released_patterns_push(&all, pattern.type, pattern.part, pattern.parts,
                                               s->error);
        }
    }
    if (code == DUET_OK && whole) {
        bool found = false;
        code = duet_released_patterns_place(&all, s->question->model, &s->classes, s->solution,
                                            &found, s->error);
        *verdict = found ? DUET_FOUND : *verdict;
    }
    duet_released_patterns_free(&all);
    return code;
}

// All patterns of a type with tasks that are left.
static duet_code list_patterns(const tree *s, size_t type, duet_int128 slack,
                               duet_patterns *patterns)
{
    const duet_patterns_request request = {.type = type,
                                           .slack = slack < DUET_MAX_WORK ? (int64_t)slack
                                                                          : DUET_MAX_WORK,
                                           .most = MOST_PATTERNS,
                                           .most_bytes = PATTERN_BYTES};
    return duet_patterns_enumerate(&s->classes, &s->left, &s->prices, &request, s->context,
                                   patterns, s->error);
}

static bool has_class(const duet_patterns *patterns, size_t index, size_t class)
{
    bool has = false;
    for (size_t p = patterns->begin[index]; p < patterns->begin[index + 1] && !has; p++) {
        has = patterns->part[p].class == class;
    }
    return has;
}

// The class with the fewest patterns of a type; SIZE_MAX: none must go there. *fewest: how many.
static size_t rarest_class(const tree *s, const duet_patterns *patterns, size_t *fewest)
{
    size_t rarest = SIZE_MAX;
    for (size_t c = 0; c < s->classes.count; c++) {
        size_t count = 0;
        if (duet_residual_least(&s->left, c, patterns->type) == 0) {
            continue;
        }
        for (size_t i = 0; i < patterns->count; i++) {
            count += has_class(patterns, i, c) ? 1 : 0;
        }
        if (rarest == SIZE_MAX || count < *fewest) {
            rarest = c;
            *fewest = count;
        }
    }
    return rarest;
}

// One child of a cover: a processor has the pattern.
static duet_code take(tree *s, const duet_patterns *patterns, size_t index, size_t depth,
                      duet_verdict *verdict)
{
    size_t type = patterns->type;
    size_t begin = patterns->begin[index];
    size_t parts = patterns->begin[index + 1] - begin;
    size_t column;
    duet_residual saved = {.left = NULL};
    duet_pricing_part *part = duet_alloc(parts, sizeof *part, s->error);
    DUET_NEED(part);
    duet_code code = duet_residual_create(&s->classes, &saved, s->error);
    for (size_t p = 0; p < parts; p++) {
        const duet_pattern_part *from = &patterns->part[begin + p];
        part[p] = (duet_pricing_part){from->class, from->tasks};
    }
    DUET_THEN(code, duet_generation_add(s->program, type, part, parts, &column, s->error));
    DUET_THEN(code, duet_released_patterns_push(&s->taken, type, part, parts, s->error));
    if (code == DUET_OK) {
        duet_residual_copy(&s->classes, &s->left, &saved);
        s->left.processors[type]--;
        for (size_t p = 0; p < parts; p++) {
            duet_residual_take(&s->left, part[p].class, type, part[p].tasks);
        }
        duet_generation_take(s->program, column);
        code = cover(s, depth + 1, verdict);
        duet_generation_take_back(s->program, column);
        duet_released_patterns_pop(&s->taken);
        s->left.processors[type]++;
        duet_residual_copy(&s->classes, &saved, &s->left);
    }
    duet_residual_free(&saved);
    duet_free(part);
    return code;
}

static duet_code cover_class(tree *s, const duet_patterns *patterns, size_t class, size_t count,
                             size_t depth, duet_verdict *verdict)
{
    duet_code code = DUET_OK;
    duet_log_cover(s->log, &s->shown, patterns->type, class, count);
    *verdict = DUET_REFUTED;
    for (size_t i = 0; i < patterns->count && code == DUET_OK && *verdict != DUET_FOUND; i++) {
        duet_verdict child = DUET_OPEN;
        if (!has_class(patterns, i, class)) {
            continue;
        }
        code = take(s, patterns, i, depth, &child);
        *verdict = duet_verdict_join(*verdict, child);
        s->log = child == DUET_REFUTED ? s->log : NULL;
        if (child == DUET_OPEN && s->nodes <= 0) {
            break;
        }
    }
    return code;
}

// The type and class with the fewest patterns.
static duet_code branch_on_patterns(tree *s, duet_int128 slack, size_t depth, duet_verdict *verdict)
{
    duet_patterns best = {.count = 0};
    size_t class = SIZE_MAX;
    size_t fewest = SIZE_MAX;
    duet_code code = DUET_OK;
    for (size_t t = 0; t < s->classes.types && code == DUET_OK && fewest > 0; t++) {
        duet_patterns patterns = {.count = 0};
        size_t count = 0;
        if (s->left.processors[t] == 0) {
            continue;
        }
        code = list_patterns(s, t, slack, &patterns);
        bool known = code == DUET_OK && patterns.status == DUET_PATTERNS_COMPLETE;
        size_t rarest = known ? rarest_class(s, &patterns, &count) : SIZE_MAX;
        if (rarest != SIZE_MAX && count < fewest) {
            duet_patterns swap = best;
            best = patterns;
            patterns = swap;
            class = rarest;
            fewest = count;
        }
        duet_patterns_free(&patterns);
    }
    if (code == DUET_OK && class != SIZE_MAX) {
        code = cover_class(s, &best, class, fewest, depth, verdict);
    }
    duet_patterns_free(&best);
    return code;
}

// A node below which all types are decided and some processors have their patterns.
static duet_code cover(tree *s, size_t depth, duet_verdict *verdict)
{
    bool usable = false;
    duet_int128 slack = 0;
    *verdict = DUET_OPEN;
    if (s->nodes-- <= 0 || depth >= MOST_DEPTH || duet_context_stop(s->context)) {
        return DUET_OK;
    }
    DUET_TRY(relax(s, &s->left, &slack, &usable, verdict));
    if (*verdict == DUET_REFUTED || !usable) {
        return DUET_OK;
    }
    DUET_TRY(try_solution(s, verdict));
    return *verdict == DUET_FOUND ? DUET_OK : branch_on_patterns(s, slack, depth, verdict);
}

// All types are decided.
static duet_code begin_cover(tree *s, size_t depth, duet_verdict *verdict)
{
    duet_residual_copy(&s->classes, &s->state, &s->left);
    duet_residual_copy(&s->classes, &s->state, &s->whole);
    for (size_t t = 0; t < s->classes.types; t++) {
        for (size_t c = 0; c < s->classes.count; c++) {
            s->whole.high[t][c] = s->state.high[t][c] > 0 ? s->classes.tasks[c] : 0;
        }
    }
    if (s->log != NULL) {
        s->log->state = &s->whole;
    }
    duet_log *log = s->log;
    duet_generation_counted *counts = NULL;
    size_t count = duet_generation_counts(s->program);
    duet_code code = duet_vec_reserve(counts, count + 1, s->error);
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        counts[i] = duet_generation_count_at(s->program, i);
        duet_generation_limit_count(s->program, i, 0, INT64_MAX);
    }
    duet_generation_price_sets(s->program, true);
    s->covering = true;
    DUET_THEN(code, cover(s, depth, verdict));
    s->covering = false;
    duet_generation_price_sets(s->program, false);
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        duet_generation_limit_count(s->program, i, counts[i].low, counts[i].high);
    }
    duet_free(counts);
    if (log != NULL) {
        log->state = &s->state;
    }
    return code;
}

static duet_code visit(tree *s, size_t depth, duet_verdict *verdict)
{
    bool usable = false;
    duet_int128 slack = 0;
    choice at = {.class = 0};
    *verdict = DUET_OPEN;
    if (s->nodes-- <= 0 || depth >= MOST_DEPTH || duet_context_stop(s->context)) {
        return DUET_OK;
    }
    DUET_TRY(relax(s, &s->state, &slack, &usable, verdict));
    if (*verdict == DUET_REFUTED || !usable) {
        return DUET_OK;
    }
    if (!fix(s, slack)) {
        *verdict = DUET_REFUTED;
        return DUET_OK;
    }
    DUET_TRY(try_solution(s, verdict));
    if (*verdict == DUET_FOUND) {
        return DUET_OK;
    }
    return choose_count(s, &at) || choose(s, &at) ? branch(s, &at, depth, verdict)
                                                  : begin_cover(s, depth + 1, verdict);
}

// --- dives ---------------------------------------------------------------------------------------

// The pattern that the relaxation takes most beyond what was taken, with some noise. SIZE_MAX:
// there is none. *share: so much of it.
static size_t most_taken(const tree *s, double *share)
{
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t i = 0; i < duet_generation_patterns(s->program); i++) {
        duet_generation_pattern pattern = duet_generation_pattern_at(s->program, i);
        double more = pattern.value - (double)pattern.taken;
        if (more > WHOLE) {
            double noise = (double)duet_random_between(s->question->random, 0, NOISE) / UNIT;
            if (more + noise > most) {
                most = more + noise;
                best = i;
                *share = more;
            }
        }
    }
    return best;
}

// One dive. *verdict: DUET_FOUND, or as it was.
static duet_code dive(tree *s, duet_verdict *verdict)
{
    duet_lp_position basis = {.row = NULL};
    duet_code code = duet_generation_note(s->program, &basis, s->error);
    bool usable = true;
    while (code == DUET_OK && usable && !duet_context_stop(s->context)) {
        duet_verdict node = DUET_OPEN;
        duet_int128 slack = 0;
        double share = 1;
        size_t next = most_taken(s, &share);
        for (int taken = 0; next != SIZE_MAX && (taken == 0 || share > SURE); taken++) {
            duet_generation_take(s->program, next);
            next = taken < MOST_AT_ONCE ? most_taken(s, &share) : SIZE_MAX;
        }
        code = relax(s, &s->state, &slack, &usable, &node);
        if (code == DUET_OK && usable) {
            code = try_solution(s, verdict);
        }
        usable = usable && *verdict != DUET_FOUND && node != DUET_REFUTED && s->factor <= 1 + WHOLE;
    }
    duet_generation_take_none(s->program);
    duet_generation_resume(s->program, &basis, false);
    duet_lp_position_free(&basis);
    return code;
}

// Dives from the root, whose relaxation was solved, without a word in the log.
static duet_code dive_often(tree *s, duet_verdict *verdict)
{
    duet_log *log = s->log;
    duet_code code = DUET_OK;
    s->log = NULL;
    for (int64_t i = 0; i < s->question->dives && code == DUET_OK && *verdict != DUET_FOUND &&
                        !duet_context_stop(s->context);
         i++) {
        duet_verdict node = DUET_OPEN;
        duet_int128 slack = 0;
        bool usable = false;
        code = relax(s, &s->state, &slack, &usable, &node);
        if (code != DUET_OK || node == DUET_REFUTED || !usable) {
            break;
        }
        code = dive(s, verdict);
    }
    s->log = log;
    return code;
}

// --- the question --------------------------------------------------------------------------------

static duet_code prepare(tree *s)
{
    bool divisible[DUET_MAX_TYPES] = {false};
    DUET_TRY(duet_residual_create(&s->classes, &s->state, s->error));
    DUET_TRY(duet_residual_create(&s->classes, &s->left, s->error));
    DUET_TRY(duet_residual_create(&s->classes, &s->whole, s->error));
    DUET_TRY(duet_prices_create(&s->classes, &s->prices, s->error));
    s->has = duet_alloc(s->classes.count, sizeof *s->has, s->error);
    DUET_NEED(s->has);
    DUET_TRY(duet_generation_create(&s->classes, divisible, &s->program, s->error));
    for (size_t t = 0; t < s->classes.types && s->classes.types <= FEW_TYPES; t++) {
        DUET_TRY(duet_generation_count(s->program, t, 0, s->error));
    }
    return DUET_OK;
}

duet_code duet_released_decide(const duet_released_question *question, const duet_context *context,
                               duet_log *log, duet_verdict *verdict, duet_solution *solution,
                               duet_error *error)
{
    tree s = {.question = question,
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
        DUET_THEN(code, dive_often(&s, verdict));
        if (code == DUET_OK && *verdict != DUET_FOUND) {
            code = visit(&s, 0, verdict);
        }
    }
    log->of = NULL;
    log->state = NULL;
    duet_free(s.has);
    duet_free(s.opened);
    duet_free(s.open_price);
    duet_released_patterns_free(&s.taken);
    duet_generation_free(s.program);
    duet_prices_free(&s.prices);
    duet_residual_free(&s.whole);
    duet_residual_free(&s.left);
    duet_residual_free(&s.state);
    duet_classes_free(&s.classes);
    return code;
}
