// SPDX-License-Identifier: Apache-2.0
// Nodes of branching on starts that are pruned or dominated.
// Method:    the longest path through what has not started, and its weighted work of some least
//            tails, against the best makespan; and what earlier nodes had started, by vectors of
//            times of which none may be less (seen_states.h).
// Guarantee: every schedule below a node that is pruned is matched elsewhere by one that is no
//            longer.
// Cost:      O(n + edges) for the path, O(n) a tail, and the vectors that are compared.
// Memory:    that of seen_states.
// Reference: Held, Karp, SIAM J. 10(1), 1962 (dominance by sets of started tasks).
#include "core/number/fraction.h"
#include "solvers/graph/starts/state.h"

// Whether some way through what has not started is too long.
static bool path_exceeds(const duet_start_search *s, int64_t last)
{
    const duet_graph_search_model *model = s->model;
    int64_t end[DUET_BRANCH_STARTS_TASKS];
    for (int32_t i = 0; i < model->tasks; i++) {
        int32_t j = s->order[i];
        if ((s->started & duet_task_bit(j)) != 0) {
            end[j] = s->end[j];
            continue;
        }
        int64_t ready = duet_max(last, s->from[j]);
        for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
            ready = duet_max(ready, end[model->before[at]]);
        }
        end[j] = ready + s->shortest[j];
        if (end[j] + s->tail[j] >= s->upper) {
            return true;
        }
    }
    return false;
}

// Whether the work that has not started, of tasks with a tail of at least `behind`, does not fit.
static bool area_exceeds(const duet_start_search *s, int64_t last, int64_t behind)
{
    const duet_graph_search_model *model = s->model;
    duet_int128 work = 0;
    for (int32_t j = 0; j < model->tasks; j++) {
        bool counts = (s->started & duet_task_bit(j)) == 0 && s->tail[j] >= behind;
        work += counts ? s->weighted[j] : 0;
    }
    duet_int128 room = 0;
    int64_t limit = s->upper - 1 - behind;
    for (size_t t = 0; t < model->types; t++) {
        for (int32_t p = model->begin[t]; p < model->begin[t + 1]; p++) {
            int64_t from = duet_max(s->free_at[p], last);
            room += from < limit ? (duet_int128)(limit - from) * s->weight[t] : 0;
        }
    }
    return work > room;
}

// --- states --------------------------------------------------------------------------------------

// How a state is packed into numbers: a task or a type takes 6 bits, a number holds 5 pairs of
// them.
enum { BITS = 6, IN_NUMBER = 5, HALF = 32 };

// The numbers of a node: times that do not depend on how they came about. Another node with the
// same key is no better if none of its numbers is less. What must be the same is in it with both
// signs, in front.
typedef struct state {
    int64_t *number;
    size_t count;
    uint64_t key;
} state;

size_t duet_start_search_longest(size_t processors)
{
    static const size_t tasks = DUET_BRANCH_STARTS_TASKS;
    static const size_t halves = 4;
    return processors + 2 * tasks + halves + 2 * (tasks / IN_NUMBER + 1);
}

// Whether a task has left something that is still needed.
static bool is_needed(const duet_start_search *s, int32_t task)
{
    return (s->started & duet_task_bit(task)) != 0 && (s->behind[task] & ~s->started) != 0;
}

static void put_same(state *to, int64_t value)
{
    static const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15);
    to->number[to->count++] = value;
    to->number[to->count++] = -value;
    to->key = (to->key ^ (uint64_t)value) * spread;
}

// Which data are on the same processor, of which type: by the first task of each.
static void put_holders(duet_start_search *s, state *to)
{
    const duet_graph_search_model *model = s->model;
    int64_t packed = 0;
    int packed_tasks = 0;
    for (int32_t p = 0; p < model->begin[model->types]; p++) {
        s->holder[p] = -1;
    }
    put_same(to, (int64_t)(s->started >> HALF));
    put_same(to, (int64_t)(s->started & UINT32_MAX));
    for (int32_t j = 0; j < model->tasks; j++) {
        if (is_needed(s, j)) {
            int32_t *holder = &s->holder[s->host[j]];
            *holder = *holder < 0 ? j : *holder;
            packed = packed << (2 * BITS) | (int64_t)*holder << BITS | s->type[j];
            if (++packed_tasks % IN_NUMBER == 0) {
                put_same(to, packed);
                packed = 0;
            }
        }
    }
    put_same(to, packed);
}

// When the processors are free, no earlier than the next start: those of a type are sorted, but
// for those that hold data, which come in the order of their first tasks.
static void put_free(const duet_start_search *s, int64_t last, state *to)
{
    const duet_graph_search_model *model = s->model;
    for (size_t t = 0; t < model->types; t++) {
        size_t begin = to->count;
        for (int32_t p = model->begin[t]; p < model->begin[t + 1]; p++) {
            if (s->costly && s->holder[p] >= 0) {
                continue;
            }
            int64_t from = duet_max(s->free_at[p], last);
            size_t at = to->count++;
            for (; at > begin && to->number[at - 1] > from; at--) {
                to->number[at] = to->number[at - 1];
            }
            to->number[at] = from;
        }
    }
    for (int32_t j = 0; j < model->tasks && s->costly; j++) {
        if (is_needed(s, j) && s->holder[s->host[j]] == j) {
            to->number[to->count++] = duet_max(s->free_at[s->host[j]], last);
        }
    }
}

static bool was_seen(duet_start_search *s, int64_t last)
{
    state now = {.number = duet_seen_states_next(s->seen), .key = s->started};
    if (s->costly) {
        put_holders(s, &now);
    }
    put_free(s, last, &now);
    for (int32_t j = 0; j < s->model->tasks; j++) {
        if (is_needed(s, j)) {
            // Data that take time are on their way from then on, also to where nothing starts yet.
            now.number[now.count++] = s->costly ? s->end[j] : duet_max(s->end[j], last);
        }
    }
    return duet_seen_states_visit(s->seen, now.key, now.count);
}

bool duet_start_search_leads_nowhere(duet_start_search *s, int64_t last)
{
    if (path_exceeds(s, last)) {
        return true;
    }
    for (size_t i = 0; i < s->thresholds; i++) {
        if (area_exceeds(s, last, s->threshold[i])) {
            return true;
        }
    }
    return was_seen(s, last);
}
