// SPDX-License-Identifier: Apache-2.0
// The search over ideals, the states of one size after another; see ideals.h.
#include "solvers/graph/ideals/ideals.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/graph/ideals/state.h"
#include "solvers/graph/propagate/twins.h"
#include "solvers/proof_text.h"

enum {
    HEADS = 1 << 15,       // Lists of states by the hash of their tasks.
    WIDE = 1 << 16,        // The graph is wide if there are so many states of one size,
    FEW = 1 << 13,         // or more than these, and twice as many as of the size before.
    MOST_IN_SUM = 1 << 30, // Times are at most this in sums.
    GLANCE = 1 << 16,      // Operations between two looks at the clock.
    FEW_STATES = 64        // So many more states than it has had a proof speaks of.
};

// A state as it is kept.
typedef struct node {
    duet_ideal done;
    uint64_t sum; // The sum of its times, rounded down: a state that dominates has no larger one.
    size_t times_at; // The place of its times: per slot, then per waiting task and column.
    int32_t path;    // The step to it in `path`; -1: it is the first one.
    int32_t next;    // The next node of its list; -1: none.
    bool dominated;
} node;

// The states of one size.
typedef struct level {
    node *node;
    size_t nodes;
    int64_t *time; // The times of all nodes.
    size_t times;
} level;

// A step to a state.
typedef struct path {
    int32_t before; // The step to the state before; -1: that is the first one.
    int16_t task;
    int16_t slot;
} path;

struct duet_ideals {
    duet_ideals_graph graph;
    const duet_context *context;
    duet_arena arena; // It holds the arrays.
    int32_t shift;    // Times lose this many bits in sums.
    int64_t guess;    // A schedule of at most this is looked for.
    int64_t work;     // About the operations so far.
    int64_t glance;   // The clock is looked at when `work` reaches this.
    int32_t size;     // The number of tasks in the states of `now`.
    level now;
    level next;
    size_t at;     // The first node of `now` that was not continued.
    int32_t *head; // Per hash, the first node of `next`; -1: none.
    path *path;
    size_t paths; // The number of entries of `path`.
    duet_ideals_state state;
    duet_ideals_state to;
    duet_ideals_step *step; // The ways to continue `state`.
    bool doubled;           // The states of `now` are twice as many as those of the size before.
    bool proven;
    int64_t optimum;     // Once that is proven.
    int64_t most_states; // Of one size, less those that others dominate.
};

// --- states as they are kept ---------------------------------------------------------------------

static size_t hash_of(const duet_ideal *done)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < DUET_IDEALS_WORDS; i++) {
        hash = (hash ^ done->word[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return (size_t)(hash % HEADS);
}

static size_t times_of(const duet_ideals *s, const duet_ideals_state *state)
{
    return (size_t)s->graph.slots + (size_t)state->waits * (size_t)s->graph.columns;
}

static void read_node(duet_ideals *s, const node *of)
{
    const int64_t *time = s->now.time + of->times_at;
    size_t slots = (size_t)s->graph.slots;
    s->state.done = of->done;
    duet_ideals_list_waiting(&s->graph, &s->state);
    memcpy(s->state.idle, time, slots * sizeof *time);
    memcpy(s->state.ready, time + slots, (times_of(s, &s->state) - slots) * sizeof *time);
}

// Whether one state is no worse than another one of the same tasks.
static bool is_no_worse(const int64_t *a, const int64_t *b, size_t times)
{
    size_t i = 0;
    while (i < times && a[i] <= b[i]) {
        i++;
    }
    return i == times;
}

static uint64_t sum_of(const duet_ideals *s)
{
    uint64_t sum = 0;
    for (int32_t p = 0; p < s->graph.slots; p++) {
        sum += (uint64_t)s->to.idle[p] >> s->shift;
    }
    for (int32_t i = 0; i < s->to.waits * s->graph.columns; i++) {
        sum += (uint64_t)s->to.ready[i] >> s->shift;
    }
    return sum;
}

// Whether a state of `next` dominates s->to, of which `sum` is the sum; takes those that it
// dominates off the list.
static bool is_dominated(duet_ideals *s, uint64_t sum, int32_t *first)
{
    const int64_t *own = s->to.idle;
    size_t slots = (size_t)s->graph.slots;
    size_t rest = times_of(s, &s->to) - slots;
    for (int32_t *link = first; *link >= 0;) {
        node *other = &s->next.node[*link];
        const int64_t *time = s->next.time + other->times_at;
        bool same = memcmp(&other->done, &s->to.done, sizeof other->done) == 0;
        s->work += 2;
        if (same && other->sum <= sum && is_no_worse(time, own, slots) &&
            is_no_worse(time + slots, s->to.ready, rest)) {
            return true;
        }
        other->dominated = same && other->sum >= sum && is_no_worse(own, time, slots) &&
                           is_no_worse(s->to.ready, time + slots, rest);
        if (other->dominated) {
            *link = other->next;
        } else {
            link = &other->next;
        }
    }
    return false;
}

static size_t bytes_of(const duet_ideals *s)
{
    return (s->now.nodes + s->next.nodes) * sizeof(node) +
           (s->now.times + s->next.times) * sizeof(int64_t) + s->paths * sizeof(path);
}

// Keeps s->to, to which a step leads from a node, unless it is dominated.
static duet_code keep(duet_ideals *s, const node *from, const duet_ideals_step *step,
                      duet_error *error)
{
    size_t hash = hash_of(&s->to.done);
    uint64_t sum = sum_of(s);
    if (is_dominated(s, sum, &s->head[hash])) {
        return DUET_OK;
    }
    if (bytes_of(s) > DUET_IDEALS_BYTES) {
        return duet_error_set(error, DUET_E_LIMIT, "too many states of ideals");
    }
    size_t times = times_of(s, &s->to);
    duet_code code = duet_vec_reserve(s->next.time, s->next.times + times, error);
    if (code == DUET_OK) {
        code = duet_vec_push(s->path, s->paths, error,
                             (path){from->path, (int16_t)step->task, (int16_t)step->slot});
    }
    if (code == DUET_OK) {
        code = duet_vec_push(s->next.node, s->next.nodes, error,
                             (node){.done = s->to.done,
                                    .sum = sum,
                                    .times_at = s->next.times,
                                    .path = (int32_t)s->paths - 1,
                                    .next = s->head[hash]});
    }
    if (code == DUET_OK) {
        size_t slots = (size_t)s->graph.slots;
        int64_t *time = s->next.time + s->next.times;
        memcpy(time, s->to.idle, slots * sizeof *time);
        memcpy(time + slots, s->to.ready, (times - slots) * sizeof *time);
        s->next.times += times;
        s->head[hash] = (int32_t)s->next.nodes - 1;
    }
    return code;
}

// --- the schedule --------------------------------------------------------------------------------

// Writes the schedule of the steps step[length - 1] to step[0], in this order.
static void write_schedule(duet_ideals *s, const path *const *step, int32_t length,
                           int64_t makespan, duet_solution *solution)
{
    const duet_ideals_graph *g = &s->graph;
    int32_t name[DUET_IDEALS_SLOTS];
    int32_t from[DUET_IDEALS_SLOTS];
    int32_t renamed[DUET_IDEALS_SLOTS];
    for (int32_t p = 0; p < g->slots; p++) {
        name[p] = p - g->begin[g->type_of[p]];
    }
    duet_ideals_begin(&s->state);
    for (int32_t i = length; i-- > 0;) {
        duet_ideals_step now = {step[i]->task, step[i]->slot, 0};
        int32_t count = duet_ideals_list_steps(g, &s->state, s->step);
        for (int32_t k = 0; k < count; k++) {
            bool same = s->step[k].task == now.task && s->step[k].slot == now.slot;
            now.start = same ? s->step[k].start : now.start;
        }
        int32_t type = g->type_of[now.slot];
        solution->placement[now.task] = (duet_placement){now.start, name[now.slot], type};
        bool ends = duet_ideals_append(g, &s->state, &now, makespan, &s->to, from);
        DUET_ASSERT(ends);
        (void)ends;
        for (int32_t p = 0; p < g->slots; p++) {
            renamed[p] = name[from[p]];
        }
        memcpy(name, renamed, sizeof name);
        duet_ideals_state swapped = s->state;
        s->state = s->to;
        s->to = swapped;
    }
    solution->aborted_count = 0;
    solution->makespan = makespan;
}

// No state is left to continue. Of those of all tasks, if there are any, the one that ends first is
// the optimum.
static void finish(duet_ideals *s, duet_solution *solution)
{
    const node *best = NULL;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < s->now.nodes && s->size == s->graph.tasks; i++) {
        int64_t end = 0;
        for (int32_t p = 0; p < s->graph.slots; p++) {
            end = duet_max(s->now.time[s->now.node[i].times_at + (size_t)p], end);
        }
        if (end < least) {
            least = end;
            best = &s->now.node[i];
        }
    }
    s->proven = true;
    if (best != NULL && least < solution->makespan) {
        const path *step[DUET_IDEALS_TASKS];
        int32_t length = 0;
        for (int32_t i = best->path; i >= 0; i = s->path[i].before) {
            step[length++] = &s->path[i];
        }
        write_schedule(s, step, length, least, solution);
    }
    s->optimum = solution->makespan;
}

// --- the search ----------------------------------------------------------------------------------

static duet_code continue_node(duet_ideals *s, size_t at, duet_error *error)
{
    const node from = s->now.node[at];
    duet_code code = DUET_OK;
    if (from.dominated) {
        return DUET_OK;
    }
    int32_t unused[DUET_IDEALS_SLOTS];
    read_node(s, &from);
    int32_t count = duet_ideals_list_steps(&s->graph, &s->state, s->step);
    s->work += s->graph.tasks;
    for (int32_t i = 0; i < count && code == DUET_OK; i++) {
        s->work += s->graph.tasks + (s->graph.tasks - s->size) * s->graph.slots / 2 +
                   2 * s->state.waits * s->graph.columns;
        if (duet_ideals_append(&s->graph, &s->state, &s->step[i], s->guess, &s->to, unused)) {
            code = keep(s, &from, &s->step[i], error);
        }
    }
    return code;
}

static void clear_heads(duet_ideals *s)
{
    for (int32_t i = 0; i < HEADS; i++) {
        s->head[i] = -1;
    }
    s->work += HEADS / 8;
}

static void go_to_next(duet_ideals *s)
{
    level done = s->now;
    int64_t states = 0;
    for (size_t i = 0; i < s->next.nodes; i++) {
        states += s->next.node[i].dominated ? 0 : 1;
    }
    s->most_states = duet_max(states, s->most_states);
    s->doubled = s->next.nodes / 2 > s->now.nodes;
    s->now = s->next;
    s->next = (level){done.node, 0, done.time, 0};
    s->at = 0;
    s->size++;
    clear_heads(s);
}

// Whether the search is over, or has to stop for now.
static bool pauses(duet_ideals *s, int64_t end)
{
    if (s->work >= s->glance) {
        s->glance = s->work + GLANCE;
        if (duet_context_stop(s->context)) {
            return true;
        }
    }
    return s->proven || s->work >= end;
}

duet_code duet_ideals_run(duet_ideals *ideals, int64_t work, duet_solution *solution,
                          duet_error *error)
{
    duet_ideals *s = ideals;
    int64_t end = s->work + work;
    duet_code code = DUET_OK;
    s->guess = duet_min(s->guess, solution->makespan - 1);
    while (code == DUET_OK && !pauses(s, end)) {
        if (s->at < s->now.nodes) {
            code = continue_node(s, s->at++, error);
        } else if (s->next.nodes == 0 || s->size == s->graph.tasks) {
            finish(s, solution);
        } else {
            go_to_next(s);
        }
    }
    return code;
}

int64_t duet_ideals_work(const duet_ideals *ideals)
{
    return ideals->work;
}

bool duet_ideals_is_wide(const duet_ideals *ideals)
{
    const duet_ideals *s = ideals;
    size_t most = duet_max(s->now.nodes, s->next.nodes);
    bool doubled = (s->next.nodes > FEW && s->next.nodes / 2 > s->now.nodes) ||
                   (s->now.nodes > FEW && s->doubled);
    return most > WIDE || doubled;
}

bool duet_ideals_is_proven(const duet_ideals *ideals)
{
    return ideals->proven;
}

// --- the proof -----------------------------------------------------------------------------------

// A checker may meet the states in another order, with a few more of them: it has room for twice as
// many.
static void put_ideals(const duet_ideals *s, duet_proof_writer *text)
{
    duet_proof_put(text, "ideals");
    duet_proof_put_number(text, 2 * s->most_states + FEW_STATES);
    for (int32_t t = 0; t < s->graph.types; t++) {
        duet_proof_put_number(text, s->graph.price[t]);
    }
    duet_proof_put(text, "\nend\n");
}

duet_code duet_ideals_certify(const duet_ideals *ideals, const char *name, duet_bound *out,
                              duet_error *error)
{
    const duet_ideals *s = ideals;
    const duet_proof_graph_claim claim = {s->optimum, s->graph.tasks, s->graph.network.edges,
                                          false};
    size_t numbers = 4 * (size_t)s->graph.tasks + (size_t)s->graph.types + 4;
    duet_proof_writer text = {.limit = SIZE_MAX};
    char headers[DUET_PROOF_HEADERS];
    size_t length = duet_proof_graph_headers(&claim, headers);
    DUET_ASSERT(s->proven);
    duet_bound made = {.name = name, .value = s->optimum};
    int32_t *twin = duet_alloc_raw((size_t)s->graph.tasks, sizeof *twin, error);
    duet_code code = twin == NULL ? DUET_E_MEMORY : duet_find_twins(&s->graph.network, twin, error);
    if (code == DUET_OK && duet_proof_begin(&text, length + numbers * DUET_PROOF_NUMBER)) {
        duet_proof_put_text(&text, headers, length);
        duet_put_twins(twin, s->graph.tasks, &text);
        put_ideals(s, &text);
        made.certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = s->optimum};
        code = duet_proof_lines_create(text.text, text.length, &made.certificate.lines, error);
    } else if (code == DUET_OK) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory for a proof");
    }
    if (code == DUET_OK) {
        *out = made;
    }
    duet_proof_writer_free(&text);
    duet_free(twin);
    return code;
}

// --- its life ------------------------------------------------------------------------------------

static duet_code begin(duet_ideals *s, duet_error *error)
{
    const duet_ideals_graph *g = &s->graph;
    size_t tasks = (size_t)g->tasks;
    size_t data = tasks * (size_t)g->columns;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(s->head, HEADS),    DUET_ARENA_ARRAY(s->state.wait, tasks),
        DUET_ARENA_ARRAY(s->to.wait, tasks), DUET_ARENA_ARRAY(s->state.ready, data),
        DUET_ARENA_ARRAY(s->to.ready, data), DUET_ARENA_ARRAY(s->step, tasks * (size_t)g->slots)};
    duet_code code = duet_arena_create(&s->arena, arrays, sizeof arrays / sizeof *arrays, error);
    DUET_THEN(code, duet_vec_reserve(s->now.time, (size_t)g->slots, error));
    if (code == DUET_OK) {
        duet_ideals_begin(&s->state);
        clear_heads(s);
        memset(s->now.time, 0, (size_t)g->slots * sizeof *s->now.time);
        s->now.times = (size_t)g->slots;
        code = duet_vec_push(s->now.node, s->now.nodes, error,
                             (node){.done = s->state.done, .path = -1});
    }
    return code;
}

duet_code duet_ideals_create(const duet_instance *instance, const duet_context *context,
                             int64_t most, duet_ideals **out, duet_error *error)
{
    bool fits;
    *out = NULL;
    duet_ideals *s = duet_alloc(1, sizeof *s, error);
    if (s == NULL) {
        return DUET_E_MEMORY;
    }
    s->context = context;
    s->guess = most;
    while (most >> s->shift > MOST_IN_SUM) {
        s->shift++;
    }
    duet_code code = duet_ideals_graph_create(instance, context, most, &s->graph, &fits, error);
    if (code == DUET_OK && fits) {
        code = begin(s, error);
    }
    if (code != DUET_OK || !fits) {
        duet_ideals_free(s);
        return code;
    }
    *out = s;
    return DUET_OK;
}

void duet_ideals_free(duet_ideals *ideals)
{
    if (ideals == NULL) {
        return;
    }
    duet_ideals_graph_free(&ideals->graph);
    duet_arena_free(&ideals->arena);
    duet_free(ideals->now.node);
    duet_free(ideals->now.time);
    duet_free(ideals->next.node);
    duet_free(ideals->next.time);
    duet_free(ideals->path);
    duet_free(ideals);
}
