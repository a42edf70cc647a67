// SPDX-License-Identifier: Apache-2.0
// The best flow for given prices of two types: project crashing.
// Method:    with prices a, b a task that lets phi units of flow pass costs the smaller of the
//            lines p (a + phi) and q (b + phi). So each unit gains p or q, whichever line is lower
//            at 0, up to the flow where the lines cross (the limit), and the other, smaller one,
//            beyond. A unit of flow from a first to a last task gains the length of its path, and
//            it raises the bound, gains so far / (m a + k b + flow), as long as its path is longer
//            than the bound. Flow is therefore sent along longest residual paths, each no longer
//            than the one before. Potentials, the times when tasks start and end, make that a
//            search for shortest paths: an arc is as long as its slack. They begin as the latest
//            times, so that a search sees little more than the tasks that are critical.
//            The potentials are also a solution of the linear program: the time that a task has
//            between them says how it is divided between the types.
// Cost:      a search per path; each looks at tasks whose slack is below what it shortens.
// Memory:    about 100 bytes a task and 8 an edge.
// Reference: Fulkerson, "A network flow computation for project cost curves", Management Science
//            7(2), 1961; Phillips, Dessouky, "Solving the project time/cost tradeoff problem using
//            the minimal cut concept", Management Science 24(4), 1977.
#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "lp/graph/crash_state.h"

static bool nearer(const void *none, label a, label b)
{
    (void)none;
    return a.distance != b.distance ? a.distance < b.distance : a.node < b.node;
}

DUET_HEAP(labels, label, void, nearer)

// --- prices --------------------------------------------------------------------------------------

// The gains of a kind that takes `low` time on the type where it costs `cost` without flow, and
// `other` time at `dearer` on the other one.
static gains gains_of(int64_t low, duet_int128 cost, int64_t other, duet_int128 dearer)
{
    if (other >= low) {
        return (gains){low, DUET_CRASH_MUCH, low};
    }
    duet_int128 limit = (dearer - cost) / (low - other);
    return (gains){low, limit < DUET_CRASH_MUCH ? (int64_t)limit : DUET_CRASH_MUCH, other};
}

static gains kind_gains(const duet_instance *instance, size_t kind, duet_crash_prices prices,
                        duet_int128 *cost)
{
    bool cpu = duet_allowed(instance, kind, 0);
    bool gpu = duet_allowed(instance, kind, 1);
    int64_t p = duet_time(instance, kind, 0);
    int64_t q = duet_time(instance, kind, 1);
    duet_int128 on_cpu = (duet_int128)p * prices.cpu;
    duet_int128 on_gpu = (duet_int128)q * prices.gpu;
    if (!cpu || !gpu) {
        *cost = cpu ? on_cpu : on_gpu;
        return (gains){cpu ? p : q, DUET_CRASH_MUCH, cpu ? p : q};
    }
    *cost = duet_min(on_cpu, on_gpu);
    // At a tie the slower type counts as the cheaper one, up to a limit of 0.
    bool cpu_first = on_cpu < on_gpu || (on_cpu == on_gpu && p > q);
    return cpu_first ? gains_of(p, on_cpu, q, on_gpu) : gains_of(q, on_gpu, p, on_cpu);
}

// What the last unit gained.
static int64_t last_gain(const duet_crash *c, int64_t task)
{
    const gains *g = &c->gain[c->net->kind[task]];
    return c->dual.pass[task] <= g->limit ? g->first : g->then;
}

// Latest times without flow.
static void set_times(duet_crash *c)
{
    const duet_graph *graph = c->net->graph;
    c->source_time = 0;
    for (int64_t i = c->net->tasks - 1; i >= 0; i--) {
        int32_t task = c->net->order[i];
        int64_t end = 0;
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int64_t start = c->time[2 * (int64_t)graph->head[graph->leaving[at]]];
            end = duet_min(start, end);
        }
        c->time[2 * (int64_t)task + 1] = end;
        c->time[2 * (int64_t)task] = end - duet_crash_gain(c, task);
        c->source_time = duet_min(c->time[2 * (int64_t)task], c->source_time);
    }
    c->sink_time = 0;
}

static void set_prices(duet_crash *c, duet_crash_prices prices)
{
    const duet_instance *instance = c->net->instance;
    DUET_ASSERT(prices.cpu >= 0 && prices.cpu <= DUET_MAX_CRASH_PRICE);
    DUET_ASSERT(prices.gpu >= 0 && prices.gpu <= DUET_MAX_CRASH_PRICE);
    c->prices = prices;
    c->dual.weight[0] = prices.cpu;
    c->dual.weight[1] = prices.gpu;
    c->denominator = (duet_int128)prices.cpu * instance->processors[0] +
                     (duet_int128)prices.gpu * instance->processors[1];
    c->numerator = 0;
    c->sent = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_int128 cost;
        c->gain[i] = kind_gains(instance, i, prices, &cost);
        c->numerator += cost * duet_count(instance, i);
    }
    for (int64_t e = 0; e < c->net->edges; e++) {
        c->dual.flow[e] = 0;
    }
    for (int64_t j = 0; j < c->net->tasks; j++) {
        c->dual.pass[j] = 0;
    }
    set_times(c);
    *c->work -= c->net->tasks + c->net->edges;
}

// --- shortest residual paths ---------------------------------------------------------------------

// Notes that a node can be reached at a distance, unless that is no use.
static void reach_node(duet_crash *c, int64_t node, int64_t distance, int64_t now, int32_t by)
{
    DUET_ASSERT(distance >= now);
    if (distance >= c->distance[node] || distance >= c->reach) {
        return;
    }
    if (c->distance[node] == DUET_CRASH_FAR) {
        c->touched[c->touched_count++] = (int32_t)node;
    }
    c->distance[node] = distance;
    c->by[node] = by;
    if (distance == now) {
        c->queue[c->queue_count++] = (int32_t)node;
    } else if (duet_reserve(&c->heap, c->heap_count + 1, &c->heap_capacity, sizeof *c->heap,
                            c->error) == DUET_OK) {
        labels_push(NULL, c->heap, &c->heap_count, (label){distance, (int32_t)node});
    } else {
        c->stopped = true;
    }
}

// From the start of a task: through it, or back along the edges whose flow enters it.
static void leave_start(duet_crash *c, int64_t task, int64_t distance)
{
    const duet_graph *graph = c->net->graph;
    int64_t start = c->time[2 * task];
    reach_node(c, 2 * task + 1, distance + c->time[2 * task + 1] - start - duet_crash_gain(c, task),
               distance, BY_TASK);
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        int64_t end = 2 * (int64_t)graph->tail[edge] + 1;
        if (c->dual.flow[edge] > 0) {
            reach_node(c, end, distance + c->time[end] - start, distance, edge);
        }
    }
    *c->work -= graph->enter_at[task + 1] - graph->enter_at[task] + 1;
}

// From the end of a task: along its edges, out of the last task, or back through the task.
static void leave_end(duet_crash *c, int64_t task, int64_t distance)
{
    const duet_graph *graph = c->net->graph;
    int64_t end = c->time[2 * task + 1];
    if (graph->leave_at[task] == graph->leave_at[task + 1] &&
        distance + c->sink_time - end < c->reach) {
        c->reach = distance + c->sink_time - end;
        c->last = task;
    }
    if (c->dual.pass[task] > 0) {
        reach_node(c, 2 * task, distance + c->time[2 * task] - end + last_gain(c, task), distance,
                   BY_TASK);
    }
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
        int32_t edge = graph->leaving[at];
        int64_t start = 2 * (int64_t)graph->head[edge];
        reach_node(c, start, distance + c->time[start] - end, distance, edge);
    }
    *c->work -= graph->leave_at[task + 1] - graph->leave_at[task] + 1;
}

// The next node to leave, in order of distance; -1 where none is nearer than the sink.
static int64_t next_node(duet_crash *c)
{
    if (c->queue_next < c->queue_count) {
        return c->queue[c->queue_next++];
    }
    while (c->heap_count > 0) {
        label top = labels_pop(NULL, c->heap, &c->heap_count);
        if (top.distance >= c->reach) {
            return -1;
        }
        if (top.distance == c->distance[top.node]) { // else it was reached by a nearer way
            return top.node;
        }
    }
    return -1;
}

static void forget_distances(duet_crash *c)
{
    for (size_t i = 0; i < c->touched_count; i++) {
        c->distance[c->touched[i]] = DUET_CRASH_FAR;
    }
    c->touched_count = 0;
    c->queue_next = 0;
    c->queue_count = 0;
    c->heap_count = 0;
}

// Dijkstra's algorithm from the source. Whether a path is found that is longer than the bound.
static bool search(duet_crash *c)
{
    forget_distances(c);
    c->reach = c->sink_time - c->source_time - c->floor;
    c->last = -1;
    for (size_t i = 0; i < c->entry_count; i++) {
        int64_t start = 2 * (int64_t)c->entries[i];
        reach_node(c, start, c->time[start] - c->source_time, 0, BY_SOURCE);
    }
    for (int64_t node = next_node(c); node >= 0 && !c->stopped; node = next_node(c)) {
        int64_t distance = c->distance[node];
        if (distance >= c->reach) {
            continue;
        }
        (node % 2 == 0 ? leave_start : leave_end)(c, node / 2, distance);
    }
    return c->last >= 0 && !c->stopped;
}

// Moves the potentials of the nodes nearer than the sink, so that the path has no slack.
static void move_times(duet_crash *c)
{
    for (size_t i = 0; i < c->touched_count; i++) {
        int32_t node = c->touched[i];
        if (c->distance[node] < c->reach) {
            c->time[node] += c->reach - c->distance[node];
        }
    }
    c->source_time += c->reach;
}

// --- flow ----------------------------------------------------------------------------------------

// The node from which a node was reached; the edge or the task between them is forward where the
// flow on it grows.
static int64_t came_from(const duet_crash *c, int64_t node, bool *forward)
{
    const duet_graph *graph = c->net->graph;
    bool is_end = node % 2 == 1;
    if (c->by[node] == BY_TASK) {
        *forward = is_end;
        return node ^ 1;
    }
    *forward = !is_end;
    return is_end ? 2 * (int64_t)graph->head[c->by[node]]
                  : 2 * (int64_t)graph->tail[c->by[node]] + 1;
}

// How much more, or less, may pass by the arc to a node before its gain changes.
static int64_t room(const duet_crash *c, int64_t node, bool forward)
{
    if (c->by[node] != BY_TASK) {
        return forward ? DUET_CRASH_MUCH : c->dual.flow[c->by[node]];
    }
    int64_t passes = c->dual.pass[node / 2];
    int64_t limit = c->gain[c->net->kind[node / 2]].limit;
    if (forward) {
        return passes < limit ? limit - passes : DUET_CRASH_MUCH;
    }
    return passes <= limit ? passes : passes - limit;
}

// Sends as much as the path allows. False where that is beyond measure.
static bool augment(duet_crash *c)
{
    int64_t amount = DUET_CRASH_MUCH;
    bool forward;
    for (int64_t node = 2 * c->last + 1; c->by[node] != BY_SOURCE;) {
        int64_t from = came_from(c, node, &forward);
        int64_t here = room(c, node, forward);
        amount = duet_min(here, amount);
        node = from;
    }
    if (amount >= DUET_CRASH_MUCH - c->sent) {
        return false;
    }
    for (int64_t node = 2 * c->last + 1; c->by[node] != BY_SOURCE;) {
        int64_t from = came_from(c, node, &forward);
        int64_t *flow =
            c->by[node] == BY_TASK ? &c->dual.pass[node / 2] : &c->dual.flow[c->by[node]];
        *flow += forward ? amount : -amount;
        node = from;
    }
    c->sent += amount;
    c->denominator += amount;
    c->numerator += (duet_int128)amount * (c->sink_time - c->source_time);
    return true;
}

static void set_floor(duet_crash *c, duet_fraction best)
{
    int64_t bound = (int64_t)(c->numerator / c->denominator);
    int64_t other = (int64_t)(best.num / best.den);
    c->floor = duet_max(bound, other);
}

// --- all of it -----------------------------------------------------------------------------------

static duet_code allocate(duet_crash *c, duet_error *error)
{
    size_t tasks = (size_t)c->net->tasks;
    c->gain = duet_alloc_raw(c->net->instance->kinds, sizeof *c->gain, error);
    c->dual.flow = duet_alloc_raw((size_t)c->net->edges, sizeof *c->dual.flow, error);
    c->dual.pass = duet_alloc_raw(tasks, sizeof *c->dual.pass, error);
    c->time = duet_alloc_raw(2 * tasks, sizeof *c->time, error);
    c->entries = duet_alloc_raw(tasks, sizeof *c->entries, error);
    c->distance = duet_alloc_raw(2 * tasks, sizeof *c->distance, error);
    c->by = duet_alloc_raw(2 * tasks, sizeof *c->by, error);
    c->touched = duet_alloc_raw(2 * tasks, sizeof *c->touched, error);
    c->queue = duet_alloc_raw(2 * tasks, sizeof *c->queue, error);
    bool all = c->gain != NULL && c->dual.flow != NULL && c->dual.pass != NULL && c->time != NULL &&
               c->entries != NULL && c->distance != NULL && c->by != NULL && c->touched != NULL &&
               c->queue != NULL;
    return all ? DUET_OK : DUET_E_MEMORY;
}

duet_code duet_crash_create(const duet_network *network, const duet_context *context,
                            duet_crash **out, duet_error *error)
{
    enum { per_task = 100, per_edge = 8 };
    *out = NULL;
    if (network->tasks > DUET_MAX_GRAPH / 2) {
        return duet_error_set(error, DUET_E_LIMIT, "a flow through %lld tasks: expected at most %d",
                              (long long)network->tasks, (int)(DUET_MAX_GRAPH / 2));
    }
    duet_code code =
        duet_memory_check((uint64_t)(network->tasks * per_task + network->edges * per_edge), 1,
                          context->memory_limit, "a flow through the graph", error);
    if (code != DUET_OK) {
        return code;
    }
    duet_crash *c = duet_alloc(1, sizeof *c, error);
    if (c == NULL) {
        return DUET_E_MEMORY;
    }
    c->net = network;
    c->context = context;
    code = allocate(c, error);
    if (code != DUET_OK) {
        duet_crash_free(c);
        return code;
    }
    const duet_graph *graph = network->graph;
    for (int64_t j = 0; j < network->tasks; j++) {
        c->distance[2 * j] = DUET_CRASH_FAR;
        c->distance[2 * j + 1] = DUET_CRASH_FAR;
        if (graph->enter_at[j] == graph->enter_at[j + 1]) {
            c->entries[c->entry_count++] = (int32_t)j;
        }
    }
    *out = c;
    return DUET_OK;
}

void duet_crash_free(duet_crash *crash)
{
    if (crash != NULL) {
        duet_free(crash->gain);
        duet_free(crash->dual.flow);
        duet_free(crash->dual.pass);
        duet_free(crash->time);
        duet_free(crash->entries);
        duet_free(crash->distance);
        duet_free(crash->by);
        duet_free(crash->touched);
        duet_free(crash->queue);
        duet_free(crash->heap);
        duet_free(crash);
    }
}

duet_code duet_crash_run(duet_crash *crash, duet_crash_prices prices, duet_fraction best,
                         int64_t *work, duet_crash_shares *shares, duet_error *error)
{
    duet_error failed = DUET_ERROR_INIT;
    crash->work = work;
    crash->error = &failed;
    crash->stopped = false;
    set_prices(crash, prices);
    set_floor(crash, best);
    while (search(crash)) {
        move_times(crash);
        if (*work < 0 || duet_context_stop(crash->context) || !augment(crash)) {
            crash->stopped = true;
            break;
        }
        set_floor(crash, best);
    }
    if (failed.code != DUET_OK) {
        return duet_error_set(error, failed.code, "%s", failed.message);
    }
    if (crash->stopped) {
        forget_distances(crash); // the times are as they stand
    }
    duet_crash_divide(crash, best, shares);
    return DUET_OK;
}

duet_dual_flow *duet_crash_flow(duet_crash *crash)
{
    return &crash->dual;
}

bool duet_crash_is_done(const duet_crash *crash)
{
    return !crash->stopped;
}
