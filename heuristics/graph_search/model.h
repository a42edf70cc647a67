// SPDX-License-Identifier: Apache-2.0
// A task graph as its search reads it: rows of predecessors and successors by task, times by task
// and type, and how long the graph is before and behind each task.
//
// A graph has two directions. The mirrored model is that of the graph with all edges turned round:
// a schedule of it, read backwards, is one of the graph. Both share their arrays.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_MODEL_H
#define DUET_HEURISTICS_GRAPH_SEARCH_MODEL_H

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/system/arena.h"
#include "core/system/context.h"

enum { DUET_GRAPH_SEARCH_MODEL_FEW = 4 };

// What placing a task reads. Two such rows fill a cache line.
typedef struct duet_graph_search_model_task {
    // The first predecessors. Missing ones are the dummy task `tasks`, whose end is 0.
    int32_t before[DUET_GRAPH_SEARCH_MODEL_FEW];
    int32_t more_at;  // The others are model->before[more_at] .. [more_end - 1].
    int32_t more_end; // There are none if this is `more_at`.
    int64_t tail;     // The longest path that begins after the task.
} duet_graph_search_model_task;

typedef struct duet_graph_search_model {
    duet_arena arena; // It holds the arrays.
    // Inputs.
    const duet_instance *instance;
    int32_t tasks;
    size_t types;

    // Processors: those of type t are begin[t] .. begin[t + 1] - 1, no more than there are tasks.
    int32_t begin[DUET_MAX_TYPES + 1];

    // Edges: the predecessors of task j are before[before_at[j]] .. before[before_at[j + 1] - 1],
    // its successors likewise.
    int32_t *before_at;
    int32_t *before;
    int32_t *behind_at;
    int32_t *behind;
    // Per entry of `before` and `behind`, the table of its edge's costs; NULL if no data take time.
    uint32_t *before_table;
    uint32_t *behind_table;
    duet_graph_search_model_task *row;          // Per task, what placing it reads.
    duet_graph_search_model_task *mirrored_row; // Per task, its row in the other direction.
    // This is the model of the reversed graph: communication costs are looked up from head to tail.
    bool mirrored;

    // The time of task j on type t is time[j * types + t]; DUET_FORBIDDEN if it may not run there.
    int64_t *time;
    int64_t *head; // Per task, the longest path that ends before it, with shortest times.
    int64_t *tail; // Per task, the longest path that begins after it.

    // Per type, about the dual price of its processors in the area bound. It only guides: any
    // values are valid.
    double weight[DUET_MAX_TYPES];
} duet_graph_search_model;

// The instance must have a platform where every task may run. O((tasks + edges) types) time.
// DUET_E_LIMIT (too many tasks or edges, or more than there is memory for), DUET_E_MEMORY.
duet_code duet_graph_search_model_create(const duet_instance *instance, const duet_context *context,
                                         duet_graph_search_model *model, duet_error *error);
void duet_graph_search_model_free(duet_graph_search_model *model);
// The model of the mirrored graph. Borrows everything: it is not to be freed.
duet_graph_search_model duet_graph_search_model_mirror(const duet_graph_search_model *model);

static inline int64_t duet_graph_search_model_time(const duet_graph_search_model *model,
                                                   int32_t task, size_t type)
{
    return model->time[(size_t)task * model->types + type];
}

static inline bool duet_graph_search_model_allows(const duet_graph_search_model *model,
                                                  int32_t task, size_t type)
{
    return model->begin[type] < model->begin[type + 1] &&
           duet_graph_search_model_time(model, task, type) != DUET_FORBIDDEN;
}

// Another type where a task may run, drawn, or its `own`.
static inline size_t duet_graph_search_model_other_type(const duet_graph_search_model *model,
                                                        duet_random *random, int32_t task,
                                                        size_t own)
{
    size_t step =
        model->types == 2 ? 1 : 1 + (size_t)duet_random_below(random, (int32_t)model->types - 1);
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there are types
    size_t other = (own + step) % model->types;
    return duet_graph_search_model_allows(model, task, other) ? other : own;
}

static inline bool duet_graph_search_model_has_costs(const duet_graph_search_model *model)
{
    return model->before_table != NULL;
}

// Returns the ticks until the data of an edge with this table are on another processor.
static inline int64_t duet_graph_search_model_cost(const duet_graph_search_model *model,
                                                   uint32_t table, size_t from, size_t to)
{
    const int64_t *cost = model->instance->graph->cost + table * model->types * model->types;
    return model->mirrored ? cost[to * model->types + from] : cost[from * model->types + to];
}

#endif
