// SPDX-License-Identifier: Apache-2.0
// The patterns of a cover search: their enumeration at its root, and those that remain at a node.
#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/cover/cover_state.h"

static inline bool is_available(const uint64_t *mask, const uint64_t *taken, size_t words)
{
    uint64_t clash = 0;
    for (size_t w = 0; w < words; w++) {
        clash |= mask[w] & taken[w];
    }
    return clash == 0;
}

// The slack as the reduced cost that a pattern may have.
int64_t duet_cover_most_reduced_cost(const duet_cover *s)
{
    return s->slack < INT64_MAX ? (int64_t)s->slack : INT64_MAX;
}

// One pass with a fixed number of words, so that the compiler unrolls the test.
#define DUET_FILTER(WORDS)                                                                         \
    for (size_t i = begin; i < end; i++) {                                                         \
        uint32_t at = s->live[i];                                                                  \
        if (patterns->reduced_cost[at] > most) {                                                   \
            break;                                                                                 \
        }                                                                                          \
        s->live[out] = at;                                                                         \
        out += is_available(patterns->mask + (size_t)(WORDS)*at, s->taken[type], WORDS);           \
    }

// Appends to `live` what remains of its part begin .. end: patterns of available tasks with a
// reduced cost within the slack.
static duet_code filter_type(duet_cover *s, size_t type, size_t begin, size_t end,
                             duet_error *error)
{
    const duet_patterns *patterns = &s->patterns[type];
    DUET_ASSERT(begin <= end && end <= s->lives && patterns->words <= DUET_PATTERNS_MOST_WORDS);
    if (s->live_room - s->lives <= end - begin) {
        size_t room = 2 * s->live_room + (end - begin) + 1;
        if (room > s->memory / sizeof *s->live) {
            s->stopped = true; // `live` does not have all: the node stays open
            return DUET_OK;
        }
        uint32_t *grown = duet_resize(s->live, room, sizeof *grown, error);
        DUET_NEED(grown);
        s->live = grown;
        s->live_room = room;
    }
    size_t out = s->lives;
    int64_t most = duet_cover_most_reduced_cost(s);
    switch (patterns->words) {
    case 1:
        DUET_FILTER(1U)
        break;
    case 2:
        DUET_FILTER(2U)
        break;
    case 3:
        DUET_FILTER(3U)
        break;
    case 4:
        DUET_FILTER(4U)
        break;
    default:
        DUET_FILTER(patterns->words)
        break;
    }
    s->lives = out;
    return DUET_OK;
}

// The patterns of its parent that are left at a node.
duet_code duet_cover_filter(duet_cover *s, duet_cover_step *node, duet_error *error)
{
    const duet_cover_left parent = node->left;
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        node->left.begin[t] = s->lives;
        if (s->pooled[t]) {
            code = filter_type(s, t, parent.begin[t], parent.end[t], error);
        }
        node->left.end[t] = s->lives;
    }
    return code;
}

void duet_cover_count_ways(duet_cover *s, const duet_cover_left *left)
{
    for (size_t t = 0; t < 2; t++) {
        if (!s->pooled[t]) {
            continue;
        }
        const duet_patterns *patterns = &s->patterns[t];
        memset(s->ways[t], 0, s->classes->count * sizeof *s->ways[t]);
        if (s->state->processors[t] == 0) {
            continue;
        }
        for (size_t i = left->begin[t]; i < left->end[t]; i++) {
            size_t at = s->live[i];
            for (size_t p = patterns->begin[at]; p < patterns->begin[at + 1]; p++) {
                s->ways[t][patterns->part[p].class]++;
            }
        }
    }
}

// Enumerates the patterns of a type within the slack, or the best of them where they are too many.
static duet_code enumerate_type(duet_cover *s, size_t type, bool *any, duet_error *error)
{
    int64_t limit = s->prices->limit[type];
    int64_t slack = s->slack < limit ? (int64_t)s->slack : limit;
    bool complete = s->search->limits.complete;
    const duet_patterns_request request = {.type = type,
                                           .slack = slack,
                                           .most = (complete ? 1 : DUET_COVER_MORE_PATTERNS) *
                                                   s->search->limits.patterns,
                                           .most_bytes = s->memory,
                                           .may_shrink = !complete};
    duet_code code = duet_patterns_enumerate(s->classes, s->state, s->prices, &request,
                                             s->search->context, &s->patterns[type], error);
    duet_patterns_status status = s->patterns[type].status;
    s->memory -= s->patterns[type].bytes;
    *any = status != DUET_PATTERNS_TOO_MANY;
    s->partial = s->partial || status != DUET_PATTERNS_COMPLETE;
    s->search->stats->patterns += s->patterns[type].count;
    s->search->stats->nodes += DUET_COVER_ENUMERATION_NODES +
                               (int64_t)s->patterns[type].count / DUET_COVER_PATTERNS_A_NODE;
    return code;
}

// The first live patterns of a type: all of them, or for every class an equal number of its best
// ones.
static void choose_patterns(duet_cover *s, size_t type)
{
    const duet_patterns *patterns = &s->patterns[type];
    bool all = patterns->count <= s->search->limits.patterns;
    int32_t most = (int32_t)(s->search->limits.patterns / (s->classes->count + 1)) + 1;
    int32_t *chosen = s->ways[type];
    memset(chosen, 0, s->classes->count * sizeof *chosen);
    for (size_t i = 0; i < patterns->count; i++) {
        bool wanted = all;
        for (size_t p = patterns->begin[i]; p < patterns->begin[i + 1] && !wanted; p++) {
            wanted = chosen[patterns->part[p].class] < most;
        }
        if (wanted) {
            s->live[s->lives++] = (uint32_t)i;
            for (size_t p = patterns->begin[i]; p < patterns->begin[i + 1]; p++) {
                chosen[patterns->part[p].class]++;
            }
        }
    }
    s->partial = s->partial || !all;
}

// The patterns of the types that have some, all of them live.
duet_code duet_cover_enumerate(duet_cover *s, duet_cover_left *root, bool *complete,
                               duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK && *complete; t++) {
        if (s->pooled[t]) {
            code = enumerate_type(s, t, complete, error);
        }
    }
    size_t total = s->patterns[0].count + s->patterns[1].count;
    if (code == DUET_OK && *complete) {
        s->live = duet_alloc(4 * total + 16, sizeof *s->live, error);
        s->live_room = 4 * total + 16;
        code = s->live == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    for (size_t t = 0; t < 2 && code == DUET_OK && *complete; t++) {
        root->begin[t] = s->lives;
        if (s->pooled[t]) {
            choose_patterns(s, t);
        }
        root->end[t] = s->lives;
    }
    return code;
}
