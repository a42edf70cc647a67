// SPDX-License-Identifier: Apache-2.0
// Exact cover by patterns: the task with the fewest patterns is on one of these.
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/released/tree.h"

enum {
    MOST_PATTERNS = 50000, // of a type at a node
    PATTERN_BYTES = 1 << 26
};

static duet_code cover(duet_released_tree *s, size_t depth, duet_verdict *verdict);

// All patterns of a type with tasks that are left.
static duet_code list_patterns(const duet_released_tree *s, size_t type, duet_int128 slack,
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
static size_t rarest_class(const duet_released_tree *s, const duet_patterns *patterns,
                           size_t *fewest)
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
static duet_code take(duet_released_tree *s, const duet_patterns *patterns, size_t index,
                      size_t depth, duet_verdict *verdict)
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

static duet_code cover_class(duet_released_tree *s, const duet_patterns *patterns, size_t class,
                             size_t count, size_t depth, duet_verdict *verdict)
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
static duet_code branch_on_patterns(duet_released_tree *s, duet_int128 slack, size_t depth,
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
static duet_code cover(duet_released_tree *s, size_t depth, duet_verdict *verdict)
{
    bool usable = false;
    duet_int128 slack = 0;
    *verdict = DUET_OPEN;
    if (s->nodes-- <= 0 || depth >= DUET_RELEASED_DEPTH || duet_context_stop(s->context)) {
        return DUET_OK;
    }
    DUET_TRY(duet_released_relax(s, &s->left, &slack, &usable, verdict));
    if (*verdict == DUET_REFUTED || !usable) {
        return DUET_OK;
    }
    DUET_TRY(duet_released_try(s, verdict));
    return *verdict == DUET_FOUND ? DUET_OK : branch_on_patterns(s, slack, depth, verdict);
}

// All types are decided.
duet_code duet_released_cover(duet_released_tree *s, size_t depth, duet_verdict *verdict)
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
