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
    NOISE = 30,      // hundredths of a pattern
    MOST_AT_ONCE = 3 // patterns of a step of a dive
};
static const double WHOLE = 1e-6; // a number that is so near a whole one is whole
static const double SURE = 0.9;   // more of a pattern is as good as all of it
static const double UNIT = 100;   // of the noise

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
    double factor;                // of the last relaxation
    duet_log *log;                // NULL once something stays open
    duet_released_patterns taken; // of the cover
} tree;

static duet_code visit(tree *s, size_t depth, duet_verdict *verdict);
static duet_code cover(tree *s, size_t depth, duet_verdict *verdict);

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
    s->prices.id = -1;
    if (!answer.any) {
        return DUET_OK;
    }
    *slack = duet_residual_slack(&s->classes, left, &s->prices);
    if (*slack < 0) {
        duet_log_price(s->log, &s->prices);
        *verdict = DUET_REFUTED;
    }
    return DUET_OK;
}

// --- the types of the tasks ----------------------------------------------------------------------

// Leaves of the numbers of tasks that prices exclude.
static void log_cuts(tree *s, size_t class, size_t type, int64_t low, int64_t high)
{
    if (high < duet_residual_most(&s->state, class, type)) {
        duet_log_declare(s->log, &s->prices);
        duet_log_branch_type(s->log, type, class, high, true);
        duet_log_price(s->log, &s->prices);
    }
    if (low > duet_residual_least(&s->state, class, type)) {
        duet_log_declare(s->log, &s->prices);
        duet_log_branch_type(s->log, type, class, low - 1, false);
        duet_log_price(s->log, &s->prices);
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
            price[t] = s->prices.price[t][c];
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
    int64_t bound;
    bool more_first;
} choice;

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
                *out = (choice){c, t, duet_min(bound, high - 1), value - whole > 0.5};
            }
        }
    }
    return best >= 0;
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
        duet_log_branch_type(s->log, at->type, at->class, at->bound, at->more_first);
        *verdict = DUET_REFUTED;
    }
    for (int i = 0; i < 2 && code == DUET_OK && *verdict != DUET_FOUND; i++) {
        bool more = (i == 0) == at->more_first;
        int64_t low = duet_residual_least(&s->state, at->class, at->type);
        int64_t high = duet_residual_most(&s->state, at->class, at->type);
        duet_verdict child = DUET_OPEN;
        duet_residual_limit(&s->state, at->class, at->type, more ? at->bound + 1 : low,
                            more ? high : at->bound);
        code = visit(s, depth + 1, &child);
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
    const duet_patterns_request request = {
        .type = type,
        .slack = slack < DUET_MAX_WORK ? (int64_t)slack : DUET_MAX_WORK,
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
    duet_log_cover(s->log, &s->prices, patterns->type, class, count);
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
static duet_code branch_on_patterns(tree *s, duet_int128 slack, size_t depth,
                                    duet_verdict *verdict)
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
    duet_generation_price_sets(s->program, true);
    duet_code code = cover(s, depth, verdict);
    duet_generation_price_sets(s->program, false);
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
    return choose(s, &at) ? branch(s, &at, depth, verdict) : begin_cover(s, depth + 1, verdict);
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
    return duet_generation_create(&s->classes, divisible, &s->program, s->error);
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
    duet_released_patterns_free(&s.taken);
    duet_generation_free(s.program);
    duet_prices_free(&s.prices);
    duet_residual_free(&s.whole);
    duet_residual_free(&s.left);
    duet_residual_free(&s.state);
    duet_classes_free(&s.classes);
    return code;
}
