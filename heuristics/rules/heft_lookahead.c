// SPDX-License-Identifier: Apache-2.0
// Algorithm: heft-lookahead.
// Method:    tasks in the order of heft, or of another rule. A task is put on each processor in
//            turn, and then its successors by rank, each where it ends first by those predecessors
//            that have a place. It goes to the processor where the last of them ends first; ties by
//            type, then the lowest processor. Last tasks go where they end first, and so do all
//            once the time is up. Of the successors it may look at a sample alone: those of highest
//            rank, or some that are drawn. Any number of types in the order of heft, else two.
// Guarantee: none.
// Cost:      for every task as many trials as there are processors in use, each as expensive as
//            scheduling its successors (heuristics/engine/graph_list.h).
// Reference: Bittencourt, Sakellariou, Madeira, "DAG scheduling using a lookahead variant of the
//            Heterogeneous Earliest Finish Time algorithm", PDP 2010; McSweeney, Walton, Zounon,
//            ICCS 2020, section 7, for other orders and samples.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/graph_list.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/hoft.h"

static const duet_option_spec options[] = {
    DUET_OPTION_GRAPH_TIES,
    DUET_OPTION_TOPO,
    {.name = "order",
     .type = DUET_OPTION_CHOICE,
     .fallback = "heft",
     .choices = "heft|heft-wm|hoft",
     .unit = "",
     .text = "tasks in the order of that rule; heft-wm and hoft on two types"},
    {.name = "sample",
     .type = DUET_OPTION_INTEGER,
     .fallback = "0",
     .minimum = 0,
     .maximum = 1000000,
     .unit = "tasks",
     .text = "look at so many successors of a task (0: all)"},
    {.name = "sampled",
     .type = DUET_OPTION_CHOICE,
     .fallback = "rank",
     .choices = "rank|random",
     .unit = "",
     .text = "which: those of highest rank, or drawn by the seed"},
    {.name = NULL}};
enum { ORDER_HEFT, ORDER_HEFT_WM, ORDER_HOFT };
enum { SAMPLED_RANK };

typedef struct lookahead {
    int32_t *position; // of each task in the order
    int32_t *next;     // positions of the successors of the task, rising
    size_t successors;
    size_t sample; // of these at most; 0: all
    bool draws;    // them; else by rank
    duet_random random;
    duet_insertion_change *change;        // of a trial: of the task and its successors
    duet_arrival arrival[DUET_MAX_TYPES]; // of the task
} lookahead;

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    int order = duet_option_choice(list->context->options, options, "order");
    if (order == ORDER_HEFT) {
        return duet_graph_list_rank_mean(list, DUET_MEAN_PROCESSORS, error);
    }
    if (list->instance->types != 2) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "order=%s needs two processor types, this platform has %zu: expected "
                              "order=heft",
                              order == ORDER_HOFT ? "hoft" : "heft-wm", list->instance->types);
    }
    if (order == ORDER_HEFT_WM) {
        return duet_graph_list_rank_mean(list, DUET_MEAN_ACCELERATION, error);
    }
    duet_code code = duet_hoft_prepare(list, error);
    if (code == DUET_OK) {
        duet_hoft_rank(list);
    }
    duet_hoft_end(list);
    list->own = NULL;
    return code;
}

static duet_code begin(duet_graph_list *list, duet_error *error)
{
    const duet_graph *graph = list->graph;
    lookahead *own = duet_alloc(1, sizeof *own, error);
    list->own = own;
    DUET_NEED(own);
    const duet_options *given = list->context->options;
    own->sample = (size_t)duet_option_integer(given, options, "sample");
    own->draws = duet_option_choice(given, options, "sampled") != SAMPLED_RANK;
    duet_random_seed(&own->random, list->context->seed);
    int64_t most = 0;
    for (int64_t j = 0; j < graph->tasks; j++) {
        int64_t successors = graph->leave_at[j + 1] - graph->leave_at[j];
        most = duet_max(successors, most);
    }
    own->position = duet_alloc_raw((size_t)graph->tasks, sizeof *own->position, error);
    own->next = duet_alloc_raw((size_t)most, sizeof *own->next, error);
    own->change = duet_alloc_raw((size_t)most + 1, sizeof *own->change, error);
    DUET_NEED(own->position != NULL && own->next != NULL && own->change != NULL);
    for (int64_t i = 0; i < graph->tasks; i++) {
        own->position[list->order[i]] = (int32_t)i;
    }
    return DUET_OK;
}

static void end(duet_graph_list *list)
{
    lookahead *own = list->own;
    if (own != NULL) {
        duet_free(own->position);
        duet_free(own->next);
        duet_free(own->change);
    }
    duet_free(own);
}

static int compare_positions(const void *left, const void *right)
{
    const int32_t *a = left;
    const int32_t *b = right;
    return (*a > *b) - (*a < *b);
}

// Keeps as many of the successors as the sample has, each with the same chance.
static void draw(lookahead *own)
{
    for (size_t i = 0; i < own->sample; i++) {
        size_t at =
            (size_t)duet_random_between(&own->random, (int64_t)i, (int64_t)own->successors - 1);
        int32_t drawn = own->next[at];
        own->next[at] = own->next[i];
        own->next[i] = drawn;
    }
    own->successors = own->sample;
}

static void find_successors(const duet_graph_list *list, lookahead *own, int32_t task)
{
    const duet_graph *graph = list->graph;
    own->successors = 0;
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
        own->next[own->successors++] = own->position[graph->head[graph->leaving[at]]];
    }
    if (own->sample > 0 && own->sample < own->successors && own->draws) {
        draw(own);
    }
    qsort(own->next, own->successors, sizeof *own->next, compare_positions);
    if (own->sample > 0 && own->sample < own->successors) {
        own->successors = own->sample;
    }
}

// Gives a task a place that trial_undo() takes back.
static duet_code try_place(duet_graph_list *list, int32_t task, const duet_choice *choice,
                           duet_insertion_change *change, duet_error *error)
{
    *change = duet_insertion_foresee(&list->machine[choice->type],
                                     (duet_slot){choice->start, choice->processor});
    return duet_graph_list_place(list, task, choice, error);
}

static void take_back(duet_graph_list *list, int32_t task, const duet_insertion_change *change)
{
    duet_insertion_undo(&list->machine[list->placed[task].type], change);
    list->placed[task] = (duet_placed){.type = -1};
}

// When the last successor ends if the task runs there; any time not before `known` where that is no
// earlier.
static duet_code try_choice(duet_graph_list *list, int32_t task, const duet_choice *choice,
                            int64_t known, int64_t *latest, duet_error *error)
{
    lookahead *own = list->own;
    size_t tried = 0;
    *latest = 0;
    DUET_TRY(try_place(list, task, choice, &own->change[0], error));
    while (tried < own->successors && *latest < known) {
        int32_t successor = list->order[own->next[tried++]];
        duet_graph_list_await(list, successor);
        duet_choice first = duet_graph_list_earliest(list, successor);
        *latest = duet_max(first.end, *latest);
        DUET_TRY(try_place(list, successor, &first, &own->change[tried], error));
    }
    for (; tried > 0; tried--) {
        take_back(list, list->order[own->next[tried - 1]], &own->change[tried]);
    }
    take_back(list, task, &own->change[0]);
    memcpy(list->arrival, own->arrival, list->instance->types * sizeof *own->arrival);
    return DUET_OK;
}

// Tries the processors of a type. Successors take at most `few` that never had a task, lower ones
// first; those beyond are all alike, and the first of them is enough.
static duet_code try_type(duet_graph_list *list, int32_t task, size_t type, int64_t *least,
                          duet_choice *best, duet_error *error)
{
    const duet_insertion *machine = &list->machine[type];
    size_t beyond = machine->used + ((const lookahead *)list->own)->successors;
    size_t count = beyond < machine->count ? beyond + 1 : machine->count;
    for (size_t p = 0; p < count; p++) {
        duet_choice choice = duet_graph_list_choice_on(list, task, type, (int32_t)p);
        int64_t latest;
        DUET_TRY(try_choice(list, task, &choice, *least, &latest, error));
        if (latest < *least) {
            *least = latest;
            *best = choice;
        }
    }
    return DUET_OK;
}

static duet_code choose(duet_graph_list *list, int32_t task, duet_choice *choice, duet_error *error)
{
    lookahead *own = list->own;
    find_successors(list, own, task);
    if (own->successors == 0 || duet_graph_list_stops(list)) {
        *choice = duet_graph_list_earliest(list, task);
        return DUET_OK;
    }
    memcpy(own->arrival, list->arrival, list->instance->types * sizeof *own->arrival);
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < list->instance->types; i++) {
        size_t type = duet_graph_list_type(list, i);
        if (duet_allowed(list->instance, (size_t)list->kind[task], type)) {
            DUET_TRY(try_type(list, task, type, &least, choice, error));
        }
    }
    return DUET_OK;
}

static const duet_graph_rule rule = {.rank = rank, .choose = choose, .begin = begin, .end = end};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_graph_list_run(&rule, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_heft_lookahead = {
    .entry = {.name = "heft-lookahead",
              .summary = "heft that looks at when the successors of a task could end",
              .reference = "Bittencourt, Sakellariou, Madeira, PDP 2010",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .run = run,
};
