// SPDX-License-Identifier: Apache-2.0
#include "bench/adversaries/game.h"

#include <duet/check.h>

#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/assert.h"
#include "core/system/context.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/places.h"

static int64_t tasks_of(const duet_game *game)
{
    int64_t tasks = 0;
    for (size_t i = 0; i < game->kinds; i++) {
        tasks += game->kind[i].count;
    }
    return tasks;
}

// --- moves ---------------------------------------------------------------------------------------

void duet_game_join(duet_game *game, int64_t before, int64_t after)
{
    duet_graph *graph = game->instance->graph;
    int64_t at = graph->enter_at[after] + game->joined[after]++;
    DUET_ASSERT(at < graph->enter_at[after + 1]);
    graph->tail[at] = (int32_t)before;
}

void duet_game_reveal(duet_game *game, int64_t task)
{
    const duet_graph *graph = game->instance->graph;
    DUET_ASSERT(game->joined[task] == graph->enter_at[task + 1] - graph->enter_at[task]);
    (void)graph;
    size_t kind = duet_instance_kind_of(game->instance, task);
    DUET_ASSERT(task - game->instance->first[kind] == game->revealed[kind]);
    game->revealed[kind]++;
    DUET_THEN(game->code, duet_ready_add(game->ready, task, kind, game->error));
}

static duet_code reveal(void *user, const int32_t *completed, size_t count, int64_t now,
                        duet_ready *ready, duet_error *error)
{
    duet_game *game = user;
    (void)now;
    game->ready = ready;
    game->error = error;
    if (count == 0) {
        game->adversary->start(game);
    }
    for (size_t i = 0; i < count && game->code == DUET_OK; i++) {
        game->adversary->complete(game, completed[i]);
    }
    return game->code;
}

// --- the board -----------------------------------------------------------------------------------

// The CPUs of a type, of all but the last.
static int64_t cpus_of(const duet_game *game, size_t type)
{
    int64_t count = type == 0 ? game->processors[0] : game->params.others[type - 1];
    for (size_t t = 0; type == 0 && t + 2 < duet_game_types(game); t++) {
        count -= game->params.others[t];
    }
    return count;
}

// Where a placement on two types is.
static duet_placement place_on_types(const duet_game *game, duet_placement at)
{
    size_t last = duet_game_types(game) - 1;
    size_t type = at.type == 0 ? 0 : last;
    for (; type < last && at.processor >= cpus_of(game, type); type++) {
        at.processor -= (int32_t)cpus_of(game, type);
    }
    at.type = (int32_t)type;
    return at;
}

// Tasks without edges, of the first `count[i]` tasks of each kind.
static duet_code make_instance(const duet_game *game, const int64_t *count, const duet_edge *edge,
                               size_t edges, duet_instance **out, duet_error *error)
{
    static const char *const names[DUET_GAME_MAX_TYPES - 1] = {"cpu",  "cpu2", "cpu3", "cpu4",
                                                               "cpu5", "cpu6", "cpu7"};
    size_t types = duet_game_types(game);
    duet_type platform[DUET_GAME_MAX_TYPES];
    const char *ids[DUET_GAME_MAX_KINDS];
    int64_t times[DUET_GAME_MAX_TYPES * DUET_GAME_MAX_KINDS];
    for (size_t t = 0; t + 1 < types; t++) {
        platform[t] = (duet_type){names[t], cpus_of(game, t)};
    }
    platform[types - 1] = (duet_type){"gpu", game->processors[1]};
    for (size_t i = 0; i < game->kinds; i++) {
        ids[i] = game->kind[i].name;
        for (size_t t = 0; t < types; t++) {
            times[types * i + t] = t + 1 < types ? game->kind[i].cpu : game->kind[i].gpu;
        }
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = game->adversary->name,
                               .types = types,
                               .platform = platform,
                               .kinds = game->kinds,
                               .ids = ids,
                               .counts = count,
                               .times = times,
                               .edges = edges,
                               .edge = edge};
    return duet_instance_create(&desc, out, error);
}

// Rows of predecessors that nobody has filled; edges have the numbers of their places there.
static duet_code make_rows(duet_game *game, duet_error *error)
{
    int64_t tasks = tasks_of(game);
    duet_graph *graph = duet_alloc(1, sizeof *graph, error);
    game->instance->graph = graph;
    DUET_NEED(graph);
    graph->tasks = tasks;
    graph->types = duet_game_types(game);
    graph->enter_at = duet_alloc((size_t)tasks + 1, sizeof *graph->enter_at, error);
    for (int64_t j = 0; j < tasks && graph->enter_at != NULL; j++) {
        graph->edges += game->adversary->predecessors(game, j);
        graph->enter_at[j + 1] = graph->edges;
        if (graph->edges > DUET_GAME_MAX_EDGES) {
            return duet_error_set(error, DUET_E_LIMIT, "%s: expected at most %d edges",
                                  game->adversary->name, (int)DUET_GAME_MAX_EDGES);
        }
    }
    graph->tail = duet_alloc((size_t)graph->edges, sizeof *graph->tail, error);
    graph->head = duet_alloc((size_t)graph->edges, sizeof *graph->head, error);
    graph->entering = duet_alloc((size_t)graph->edges, sizeof *graph->entering, error);
    DUET_NEED(graph->enter_at != NULL && graph->tail != NULL && graph->head != NULL &&
              graph->entering != NULL);
    for (int64_t j = 0; j < tasks; j++) {
        for (int64_t at = graph->enter_at[j]; at < graph->enter_at[j + 1]; at++) {
            graph->head[at] = (int32_t)j;
            graph->entering[at] = (int32_t)at;
        }
    }
    return DUET_OK;
}

// What the adversary tells of every task. NULL: nothing.
static duet_code tell(duet_game *game, int64_t (*about)(const duet_game *, int64_t), int64_t **out,
                      duet_error *error)
{
    if (about == NULL) {
        return DUET_OK;
    }
    *out = duet_alloc((size_t)tasks_of(game), sizeof **out, error);
    DUET_NEED(*out);
    for (int64_t j = 0; j < tasks_of(game); j++) {
        (*out)[j] = about(game, j);
    }
    return DUET_OK;
}

static duet_code set_up(duet_game *game, duet_error *error)
{
    int64_t count[DUET_GAME_MAX_KINDS];
    DUET_TRY(game->adversary->create(game, error));
    if (cpus_of(game, 0) < 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%s: %lld CPUs in all, expected more than those of the other types",
                              game->adversary->name, (long long)game->processors[0]);
    }
    if (tasks_of(game) > DUET_GAME_MAX_TASKS) {
        return duet_error_set(error, DUET_E_LIMIT, "%s: %lld tasks, expected at most %d",
                              game->adversary->name, (long long)tasks_of(game),
                              (int)DUET_GAME_MAX_TASKS);
    }
    for (size_t i = 0; i < game->kinds; i++) {
        count[i] = game->kind[i].count;
    }
    duet_code code = make_instance(game, count, NULL, 0, &game->instance, error);
    DUET_THEN(code, make_rows(game, error));
    game->joined = duet_alloc((size_t)tasks_of(game), sizeof *game->joined, error);
    game->revealed = duet_alloc(game->kinds, sizeof *game->revealed, error);
    bool complete = game->joined != NULL && game->revealed != NULL;
    code = code == DUET_OK && !complete ? DUET_E_MEMORY : code;
    DUET_THEN(code, tell(game, game->adversary->bottom, &game->told[0], error));
    DUET_THEN(code, tell(game, game->adversary->descendants, &game->told[1], error));
    return code;
}

// --- the outcome ---------------------------------------------------------------------------------

// The number of a revealed task among those that were revealed; -1 for another one.
static int64_t final_number(const duet_game *game, int64_t task)
{
    int64_t before = 0;
    size_t kind = duet_instance_kind_of(game->instance, task);
    for (size_t i = 0; i < kind; i++) {
        before += game->revealed[i];
    }
    int64_t at = task - game->instance->first[kind];
    return at < game->revealed[kind] ? before + at : -1;
}

static duet_code make_graph(const duet_game *game, duet_instance **out, duet_error *error)
{
    const duet_graph *rows = game->instance->graph;
    duet_edge *edge = duet_alloc_raw((size_t)rows->edges, sizeof *edge, error);
    DUET_NEED(edge);
    size_t edges = 0;
    for (int64_t e = 0; e < rows->edges; e++) {
        if (final_number(game, rows->head[e]) >= 0) {
            edge[edges++] = (duet_edge){final_number(game, rows->tail[e]),
                                        final_number(game, rows->head[e]), 0};
        }
    }
    duet_code code = make_instance(game, game->revealed, edge, edges, out, error);
    duet_free(edge);
    return code;
}

// A checked schedule of the graph from placements of all tasks that there might have been, with
// `runs` aborted runs of them.
static duet_code make_schedule(const duet_game *game, const duet_instance *graph,
                               const duet_placement *placement, const duet_aborted *aborted,
                               size_t runs, duet_solution **out, duet_error *error)
{
    DUET_TRY(duet_solution_create(duet_tasks(graph), out, error));
    for (int64_t j = 0; j < duet_tasks(game->instance); j++) {
        int64_t number = final_number(game, j);
        if (number >= 0) {
            (*out)->placement[number] = placement[j];
        }
    }
    for (size_t i = 0; i < runs; i++) {
        duet_aborted run = aborted[i];
        run.task = final_number(game, run.task);
        DUET_TRY(duet_solution_add_aborted(*out, run, error));
    }
    duet_solution_finish(*out, graph);
    return duet_check_solution(graph, *out, NULL, NULL, error);
}

static duet_code make_witness(const duet_game *game, const duet_instance *graph,
                              duet_solution **out, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(game->instance);
    duet_placement *placement = duet_alloc(tasks, sizeof *placement, error);
    DUET_NEED(placement);
    game->adversary->witness(game, placement);
    for (size_t j = 0; j < tasks; j++) {
        placement[j] = place_on_types(game, placement[j]);
    }
    duet_code code = make_schedule(game, graph, placement, NULL, 0, out, error);
    duet_free(placement);
    return code;
}

// --- players -------------------------------------------------------------------------------------

bool duet_game_is_about(const duet_adversary *adversary, const duet_game_player *player,
                        size_t types, const char **why)
{
    *why = types < adversary->least_types ? "it is about three types or more, such as -k 2,1"
           : adversary->most_types > 0 && types > adversary->most_types ? "it is about two types"
           : player->play == duet_game_play_heteroprio && types > 2
               ? "on task graphs that rule has two types"
           : player->does > adversary->speaks_of && player->does == DUET_GAME_MIGRATES
               ? "it is about rules that move no running task"
           : player->does > adversary->speaks_of
               ? "it is about rules that choose the type of a task at once, for good"
           : player->knows >= DUET_SEES_BOTTOM && adversary->bottom == NULL
               ? "it is about rules that do not know bottom levels"
           : player->knows >= DUET_SEES_DESCENDANTS && adversary->descendants == NULL
               ? "it is about rules that do not know the work of descendants"
               : NULL;
    return *why == NULL;
}

// An online rule, with the options of duet_online_options.
static duet_code play_rule(const duet_game *game, const duet_game_player *player,
                           const duet_context *context, const duet_task_source *source,
                           duet_solution *solution, duet_error *error)
{
    const duet_option_spec *table = duet_online_options;
    int32_t *place = NULL;
    duet_online how = {.given = player->given, .source = source};
    how.bind = (duet_bind)duet_option_choice(player->options, table, "bind");
    duet_code code = DUET_OK;
    if (duet_option_choice(player->options, table, "order") != 0 && source->bottom != NULL) {
        code = duet_places_of_levels(duet_tasks(game->instance), source->bottom, &place, error);
    }
    how.place = place;
    DUET_THEN(code, duet_online_run(player->rule, game->instance, context, &how, solution, error));
    duet_free(place);
    return code;
}

static duet_code play(duet_game *game, const duet_game_player *player, duet_game_result *result,
                      duet_error *error)
{
    duet_context context;
    duet_solution *online = NULL;
    duet_task_source source = {reveal, game, game->told[0], game->told[1]};
    duet_code code = duet_context_init(&context, NULL, error);
    DUET_THEN(code, duet_solution_create(duet_tasks(game->instance), &online, error));
    if (code == DUET_OK) {
        context.options = player->options;
        game->placement = online->placement;
        code = player->play == NULL ? play_rule(game, player, &context, &source, online, error)
                                    : player->play(game->instance, &context, &source, online,
                                                   &result->makespan, error);
    }
    DUET_THEN(code, make_graph(game, &result->graph, error));
    if (player->does != DUET_GAME_MIGRATES) {
        DUET_THEN(code, make_schedule(game, result->graph, online->placement, online->aborted,
                                      online->aborted_count, &result->schedule, error));
        result->makespan = code == DUET_OK ? duet_solution_makespan(result->schedule) : 0;
    }
    DUET_THEN(code, make_witness(game, result->graph, &result->witness, error));
    duet_solution_free(online);
    game->placement = NULL;
    return code;
}

duet_code duet_game_play(const duet_adversary *adversary, const duet_game_params *params,
                         const duet_game_player *player, duet_game *game, duet_game_result *result,
                         duet_error *error)
{
    *game = (duet_game){.adversary = adversary, .params = *params};
    *result = (duet_game_result){.graph = NULL};
    game->params.over = duet_max(game->params.over, 1);
    game->params.unit = duet_max(game->params.unit, 1);
    DUET_TRY(set_up(game, error));
    game->least = player->does == DUET_GAME_MIGRATES ? (game->least + 1) / 2 : game->least;
    return play(game, player, result, error);
}

void duet_game_free(duet_game *game, duet_game_result *result)
{
    duet_instance_free(game->instance);
    duet_free(game->joined);
    duet_free(game->revealed);
    duet_free(game->told[0]);
    duet_free(game->told[1]);
    duet_free(game->own);
    duet_instance_free(result->graph);
    duet_solution_free(result->schedule);
    duet_solution_free(result->witness);
    *game = (duet_game){.adversary = NULL};
    *result = (duet_game_result){.graph = NULL};
}
