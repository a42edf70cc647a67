// SPDX-License-Identifier: Apache-2.0
// Algorithm: heteroprio.
// Method:    discrete-event simulation. Tasks queue by decreasing acceleration factor; an idle GPU
//            takes the most accelerated, an idle CPU the least. When the queue is empty, an idle
//            processor *spoliates*: among the tasks running on the other type, latest completion
//            first, it restarts one that it would finish earlier; the work done there is lost and
//            recorded as aborted. At equal times GPUs act before CPUs, lower processors first.
// Guarantee: (1+sqrt(5))/2 on (1,1); (3+sqrt(5))/2 on (m,1) and (1,k); 2+sqrt(2) elsewhere; 2 - 1/m
//            on identical processors, where it is list scheduling.
// Cost:      O(kinds log kinds + (n + m + k) log(m + k)) time, O(kinds + m + k) memory.
// Reference: Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list
//            scheduling algorithm for task-based runtime systems on multicores and GPUs", IPDPS
//            2017, algorithm 1, section 5.

#include "core/acceleration.h"
#include "core/heap.h"
#include "core/memory.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, options, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    if (counts[0] == 1 && counts[1] == 1) {
        *out = (duet_ratio){1, 1, 5, 2};
    } else if (counts[0] == 1 || counts[1] == 1) {
        *out = (duet_ratio){3, 1, 5, 2};
    } else {
        *out = (duet_ratio){2, 1, 2, 1};
    }
    return true;
}

// A processor and what it runs.
typedef struct worker {
    int64_t end; // completion of the task it runs
    int64_t task;
    size_t kind;
    bool busy;
} worker;

// An entry of one of the two kinds of heaps below.
typedef struct event {
    int64_t time;
    size_t worker;
} event;

typedef struct simulation {
    const duet_instance *instance;
    duet_solution *solution;
    duet_acceleration_order order;
    // What is left of the queue: kinds front .. back-1 of the order, and of those at its ends the
    // tasks not yet taken. GPUs take a kind's tasks from its low end, CPUs from its high end.
    size_t front, back;
    int64_t *taken_low; // by kind
    int64_t *taken_high;
    // Workers: GPUs first, so that the lower index acts first at equal times.
    size_t workers;
    size_t gpus;
    worker *worker;
    event *completions; // min-heap over busy workers; stale entries are skipped when they surface
    size_t completion_count;
    size_t completion_capacity;
    // Once the queue is empty: the running tasks of each type, latest completion on top. A task
    // that a processor cannot finish earlier now can never be later on, so it is dropped for good;
    // and a spoliated task never goes back (the paper's lemma 5), so none is ever added.
    event *running[2];
    size_t running_count[2];
    bool queue_was_empty;
} simulation;

static size_t type_of(const simulation *sim, size_t index)
{
    return index < sim->gpus ? DUET_GPU : DUET_CPU;
}

static int32_t processor_of(const simulation *sim, size_t index)
{
    return (int32_t)(index < sim->gpus ? index : index - sim->gpus);
}

static bool earlier(const void *none, event a, event b)
{
    (void)none;
    return a.time != b.time ? a.time < b.time : a.worker < b.worker;
}

DUET_HEAP(completions, event, void, earlier)

// Latest completion first; the lower task index breaks ties.
static bool later(const simulation *sim, event a, event b)
{
    if (a.time != b.time) {
        return a.time > b.time;
    }
    return sim->worker[a.worker].task < sim->worker[b.worker].task;
}

DUET_HEAP(running, event, simulation, later)

static duet_code push_completion(simulation *sim, event added, duet_error *error)
{
    duet_code code = duet_grow(&sim->completions, sim->completion_count, &sim->completion_capacity,
                               sizeof added, error);
    if (code == DUET_OK) {
        completions_push(NULL, sim->completions, &sim->completion_count, added);
    }
    return code;
}

static void pop_running(simulation *sim, size_t type)
{
    running_pop(sim, sim->running[type], &sim->running_count[type]);
}

// Collects what runs when the queue becomes empty.
static void collect_running(simulation *sim)
{
    for (size_t w = 0; w < sim->workers; w++) {
        if (!sim->worker[w].busy) {
            continue;
        }
        size_t type = type_of(sim, w);
        event added = {sim->worker[w].end, w};
        running_push(sim, sim->running[type], &sim->running_count[type], added);
    }
    sim->queue_was_empty = true;
}

static int64_t left_of_kind(const simulation *sim, size_t kind)
{
    return duet_count(sim->instance, kind) - sim->taken_low[kind] - sim->taken_high[kind];
}

// The next task for a type, or false where the queue holds none it may run.
static bool take(simulation *sim, size_t type, size_t *kind, int64_t *task)
{
    while (sim->front < sim->back && left_of_kind(sim, sim->order.items[sim->front].kind) == 0) {
        sim->front++;
    }
    while (sim->front < sim->back && left_of_kind(sim, sim->order.items[sim->back - 1].kind) == 0) {
        sim->back--;
    }
    if (sim->front == sim->back) {
        return false;
    }
    if (type == DUET_GPU) {
        *kind = sim->order.items[sim->front].kind;
        *task = sim->instance->first[*kind] + sim->taken_low[*kind];
        bool may = sim->front < sim->order.flexible_end;
        sim->taken_low[*kind] += may;
        return may;
    }
    *kind = sim->order.items[sim->back - 1].kind;
    *task = sim->instance->first[*kind + 1] - 1 - sim->taken_high[*kind];
    bool may = sim->back > sim->order.flexible_begin;
    sim->taken_high[*kind] += may;
    return may;
}

static duet_code start(simulation *sim, size_t index, size_t kind, int64_t task, int64_t now,
                       duet_error *error)
{
    size_t type = type_of(sim, index);
    int64_t end = now + duet_time(sim->instance, kind, type);
    sim->worker[index] = (worker){end, task, kind, true};
    sim->solution->placement[task] = (duet_placement){now, processor_of(sim, index), (int32_t)type};
    return push_completion(sim, (event){end, index}, error);
}

// Takes over a task of the other type that `index` would finish earlier. *victim is the processor
// that lost it, or SIZE_MAX where there was none.
static duet_code spoliate(simulation *sim, size_t index, int64_t now, size_t *victim,
                          duet_error *error)
{
    size_t type = type_of(sim, index);
    size_t other = 1 - type;
    *victim = SIZE_MAX;
    for (; sim->running_count[other] > 0; pop_running(sim, other)) {
        event top = sim->running[other][0];
        const worker *held = &sim->worker[top.worker];
        bool gone = !held->busy || top.time <= now;
        if (gone || !duet_allowed(sim->instance, held->kind, type) ||
            now + duet_time(sim->instance, held->kind, type) >= top.time) {
            continue;
        }
        *victim = top.worker;
        pop_running(sim, other);
        break;
    }
    if (*victim == SIZE_MAX) {
        return DUET_OK;
    }
    worker lost = sim->worker[*victim];
    sim->worker[*victim].busy = false;
    duet_aborted run = {lost.task, sim->solution->placement[lost.task].start, now,
                        processor_of(sim, *victim), (int32_t)other};
    duet_code code = duet_solution_add_aborted(sim->solution, run, error);
    return code == DUET_OK ? start(sim, index, lost.kind, lost.task, now, error) : code;
}

// An idle processor acts: takes from the queue, or spoliates; then so does the one it robbed.
static duet_code serve(simulation *sim, size_t index, int64_t now, duet_error *error)
{
    duet_code code = DUET_OK;
    while (index != SIZE_MAX && code == DUET_OK) {
        size_t kind;
        int64_t task;
        if (take(sim, type_of(sim, index), &kind, &task)) {
            return start(sim, index, kind, task, now, error);
        }
        if (sim->front < sim->back) {
            return DUET_OK; // what is left may only run on the other type, and so does all it runs
        }
        if (!sim->queue_was_empty) {
            collect_running(sim);
        }
        code = spoliate(sim, index, now, &index, error);
    }
    return code;
}

static duet_code simulate(simulation *sim, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t w = 0; w < sim->workers && code == DUET_OK; w++) {
        code = serve(sim, w, 0, error);
    }
    while (sim->completion_count > 0 && code == DUET_OK) {
        event next = completions_pop(NULL, sim->completions, &sim->completion_count);
        worker *done = &sim->worker[next.worker];
        if (done->busy && done->end == next.time) {
            done->busy = false;
            code = serve(sim, next.worker, next.time, error);
        }
    }
    return code;
}

static size_t useful_processors(const duet_instance *instance, size_t type)
{
    int64_t count = instance->processors[type];
    return (size_t)(count < duet_tasks(instance) ? count : duet_tasks(instance));
}

static duet_code prepare(simulation *sim, duet_error *error)
{
    const duet_instance *instance = sim->instance;
    duet_code code = duet_acceleration_order_create(instance, &sim->order, error);
    if (code != DUET_OK) {
        return code;
    }
    sim->back = sim->order.count;
    sim->gpus = useful_processors(instance, DUET_GPU);
    sim->workers = sim->gpus + useful_processors(instance, DUET_CPU);
    sim->worker = duet_alloc(sim->workers, sizeof *sim->worker, error);
    sim->taken_low = duet_alloc(instance->kinds, sizeof *sim->taken_low, error);
    sim->taken_high = duet_alloc(instance->kinds, sizeof *sim->taken_high, error);
    sim->running[DUET_CPU] = duet_alloc(sim->workers, sizeof(event), error);
    sim->running[DUET_GPU] = duet_alloc(sim->workers, sizeof(event), error);
    bool complete = sim->worker != NULL && sim->taken_low != NULL && sim->taken_high != NULL &&
                    sim->running[DUET_CPU] != NULL && sim->running[DUET_GPU] != NULL;
    return complete ? DUET_OK : DUET_E_MEMORY;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    (void)context;
    simulation sim = {.instance = instance, .solution = solution};
    duet_code code = prepare(&sim, error);
    if (code == DUET_OK) {
        code = simulate(&sim, error);
    }
    duet_solution_count(solution, "spoliations", (int64_t)solution->aborted_count);
    duet_acceleration_order_free(&sim.order);
    duet_free(sim.worker);
    duet_free(sim.taken_low);
    duet_free(sim.taken_high);
    duet_free(sim.completions);
    duet_free(sim.running[DUET_CPU]);
    duet_free(sim.running[DUET_GPU]);
    return code;
}

const duet_algorithm duet_algorithm_heteroprio = {
    .entry = {.name = "heteroprio",
              .summary = "GPUs take the most accelerated, CPUs the least; then spoliation",
              .guarantee = "(1+sqrt(5))/2 on (1,1); (3+sqrt(5))/2 on (m,1); else 2+sqrt(2)",
              .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017"},
    .ratio = ratio,
    .run = run,
};
