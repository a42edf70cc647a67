// SPDX-License-Identifier: Apache-2.0
// Edges of an instance that is being built. An end is found at once where its task is there
// already; else its id is kept, and found when all tasks are.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/instance/builder/advice.h"
#include "core/instance/builder/builder_state.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { SHOWN = 60 };      // bytes of an id in a message
enum { MOST_OPENED = 8 }; // brackets, quotes and blanks in front of an id
// While it is read, and in the graph; of fewer edges the memory is not looked at.
enum { BYTES_PER_EDGE = 52, FEW = 100000 };
// The byte before a text that is kept.
enum { SINGLE = '1', LIST = 'n' };

static const char blanks[] = " \t\r\n";
static const char opening[] = "[({'\" "; // what may stand in front of an id

// --- reading -------------------------------------------------------------------------------------

// Whether the text kept last is this one: the tasks of a kind wait for the same.
static bool is_kept(const duet_builder *builder, const duet_read_end *end)
{
    const char *last = builder->later + builder->later_last;
    return builder->later_used - builder->later_last == end->length + 2 &&
           last[0] == (end->list ? LIST : SINGLE) && memcmp(last + 1, end->id, end->length) == 0;
}

static duet_code keep_id(duet_builder *builder, const duet_read_end *end, int64_t *at,
                         duet_error *error)
{
    duet_code code = DUET_OK;
    if (builder->later_used == 0 || !is_kept(builder, end)) {
        code = duet_vec_reserve(builder->later, builder->later_used + end->length + 2, error);
        if (code != DUET_OK) {
            return code;
        }
        builder->later_last = builder->later_used;
        builder->later[builder->later_used++] = end->list ? LIST : SINGLE;
        memcpy(builder->later + builder->later_used, end->id, end->length);
        builder->later_used += end->length;
        builder->later[builder->later_used++] = '\0';
        builder->lists = builder->lists || end->list;
    }
    *at = -1 - (int64_t)builder->later_last;
    return DUET_OK;
}

// What to look for where an id is that of several tasks.
static duet_code several_tasks(const duet_builder *builder, const char *id, size_t length,
                               duet_builder_spot at, duet_error *error)
{
    int shown = (int)duet_min(length, SHOWN);
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, at.line, at.column,
                             "an edge of '%.*s', which are several tasks; expected one of them, "
                             "such as '%.*s#0'",
                             shown, id, shown, id);
}

static duet_code find_end(duet_builder *builder, const duet_read_edge *edge,
                          const duet_read_end *end, int64_t *at, duet_error *error)
{
    *at = end->task;
    if (end->id == NULL) {
        return DUET_OK;
    }
    duet_code code = duet_builder_find_task(builder, end->id, end->length, at, error);
    if (code == DUET_OK && *at == -2) {
        return several_tasks(builder, end->id, end->length,
                             (duet_builder_spot){edge->line, edge->column}, error);
    }
    return code == DUET_OK && *at == -1 ? keep_id(builder, end, at, error) : code;
}

// Room for one more edge in all arrays. A few bytes of a file may ask for any number of them.
static duet_code grow(duet_builder *builder, duet_error *error)
{
    size_t edges = builder->edges;
    duet_code code = DUET_OK;
    if (edges == duet_vec_room(builder->from) && edges >= FEW) {
        code = duet_memory_check(2 * edges, BYTES_PER_EDGE, 0, "the edges of the graph", error);
    }
    if (code != DUET_OK) {
        return code;
    }
    return duet_vec_grow(builder->from, edges, error) == DUET_OK &&
                   duet_vec_grow(builder->to, edges, error) == DUET_OK &&
                   duet_vec_grow(builder->edge_cost, edges, error) == DUET_OK
               ? duet_vec_grow(builder->edge_at, edges, error)
               : DUET_E_MEMORY;
}

static duet_code too_many_edges(const duet_builder *builder, int line, int column,
                                duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, line, column,
                             "too many edges: expected at most 2^31 - 1");
}

duet_code duet_builder_announce_edges(const duet_builder *builder, duet_uint128 count, int line,
                                      int column, duet_error *error)
{
    if (builder->wants.drop_edges) {
        return DUET_OK;
    }
    if (count > (duet_uint128)DUET_MAX_GRAPH - builder->edges) {
        return too_many_edges(builder, line, column, error);
    }
    return builder->edges + count < FEW
               ? DUET_OK
               : duet_memory_check(builder->edges + (uint64_t)count, BYTES_PER_EDGE, 0,
                                   "the edges of the graph", error);
}

void duet_builder_drop_edges(duet_builder *builder)
{
    builder->wants.drop_edges = true;
}

bool duet_builder_has_edges(const duet_builder *builder)
{
    return builder->edges > 0 || builder->dropped > 0;
}

void duet_builder_merge_edges(duet_builder *builder)
{
    builder->doubles = duet_max(builder->doubles, DUET_DOUBLES_WITHOUT_COST);
}

void duet_builder_merge_parallel(duet_builder *builder)
{
    builder->doubles = DUET_DOUBLES_LARGEST;
}

void duet_builder_expect_ends(duet_builder *builder, const char *expected)
{
    builder->expected_end = expected;
}

void duet_builder_advise_ends(duet_builder *builder, const char *advice)
{
    bool fits = strlen(advice) < sizeof builder->end_advice;
    snprintf(builder->end_advice, sizeof builder->end_advice, "%s", fits ? advice : "");
}

duet_code duet_builder_add_edge(duet_builder *builder, const duet_read_edge *edge,
                                duet_error *error)
{
    if (builder->wants.drop_edges) {
        builder->dropped++;
        return DUET_OK;
    }
    if ((int64_t)builder->edges == DUET_MAX_GRAPH) {
        return too_many_edges(builder, edge->line, edge->column, error);
    }
    size_t n = builder->edges;
    DUET_TRY(grow(builder, error));
    builder->edges++; // the index of ids now grows ahead of the kinds
    DUET_TRY(find_end(builder, edge, &edge->from, &builder->from[n], error));
    DUET_TRY(find_end(builder, edge, &edge->to, &builder->to[n], error));
    DUET_TRY(duet_builder_add_cost(builder, edge, &builder->edge_cost[n], error));
    builder->edge_at[n] = (duet_builder_spot){edge->line, edge->column};
    return DUET_OK;
}

duet_code duet_builder_change_cost(duet_builder *builder, size_t number, const duet_read_edge *edge,
                                   duet_error *error)
{
    if (builder->wants.drop_edges) {
        return DUET_OK;
    }
    DUET_ASSERT(number < builder->edges);
    builder->cost[builder->edge_cost[number]].edges--;
    builder->edge_at[number] = (duet_builder_spot){edge->line, edge->column};
    return duet_builder_add_cost(builder, edge, &builder->edge_cost[number], error);
}

// --- the whole -----------------------------------------------------------------------------------

// Whose id that is, for a message; the instance has no first tasks of kinds yet.
static void write_id(const duet_builder *builder, int64_t task, char *buffer, size_t size)
{
    size_t low = 0;
    size_t high = builder->kinds;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (builder->first_task[middle] <= task) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const char *id = builder->ids + builder->instance->id_at[low];
    if (builder->count[low] == 1) {
        snprintf(buffer, size, "%.*s", SHOWN, id);
    } else {
        snprintf(buffer, size, "%.*s#%" PRId64, SHOWN, id, task - builder->first_task[low]);
    }
}

// Whether it is a link as plans of projects have it, "2SS" or "2FS+1".
static bool is_link(const char *id)
{
    const char *kind = id + strspn(id, "0123456789");
    return kind > id && (strncasecmp(kind, "FS", 2) == 0 || strncasecmp(kind, "SS", 2) == 0 ||
                         strncasecmp(kind, "FF", 2) == 0 || strncasecmp(kind, "SF", 2) == 0);
}

static duet_code unknown_task(const duet_builder *builder, const char *id, duet_builder_spot at,
                              duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, at.line, at.column,
                             "an edge of the unknown task '%.*s'; expected %s%s%s", SHOWN, id,
                             builder->expected_end == NULL ? "the id of a task"
                                                           : builder->expected_end,
                             is_link(id) ? "; of the links between tasks of a plan only FS, finish "
                                           "to start, without a lag is an order"
                                         : "",
                             is_link(id) ? "" : builder->end_advice);
}

// The task of an end whose id was kept.
static duet_code find_later(duet_builder *builder, size_t edge, int64_t *end, duet_error *error)
{
    if (*end >= 0) {
        return DUET_OK;
    }
    const char *id = builder->later + (-1 - *end) + 1;
    DUET_TRY(duet_builder_find_task(builder, id, strlen(id), end, error));
    duet_builder_spot at = builder->edge_at[edge];
    if (*end == -2) {
        return several_tasks(builder, id, strlen(id), at, error);
    }
    if (*end == -1) {
        return unknown_task(builder, id, at, error);
    }
    return DUET_OK;
}

// The separators of a text that may be several ids; NULL: it is one.
static const char *find_separators(const char *text)
{
    static const char signs[] = ",|;";
    if (strpbrk(text, signs) != NULL) {
        return signs;
    }
    return strpbrk(text, blanks) != NULL ? blanks : NULL;
}

// Whether a text says that there is no task, as tables do.
static bool says_nothing(const char *text)
{
    static const char *const words[] = {"nan", "na", "n/a", "#n/a", "<na>", "null", "none", "-"};
    bool nothing = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !nothing; i++) {
        nothing = strcasecmp(text, words[i]) == 0;
    }
    return nothing;
}

// What an edge is while it is read.
typedef struct raw_edge {
    int64_t from, to;
    uint32_t cost;
    duet_builder_spot at;
} raw_edge;

static duet_code push(duet_builder *builder, const raw_edge *edge, duet_error *error)
{
    DUET_TRY((int64_t)builder->edges == DUET_MAX_GRAPH
                 ? too_many_edges(builder, edge->at.line, edge->at.column, error)
                 : grow(builder, error));
    builder->from[builder->edges] = edge->from;
    builder->to[builder->edges] = edge->to;
    builder->edge_cost[builder->edges] = edge->cost;
    builder->edge_at[builder->edges++] = edge->at;
    return DUET_OK;
}

// What a text is about as programs print it: "['a', 'b']" and "{'a'}" are lists, and "0.0" is the
// task 0 of a column that also has no values, "2FS" the task 2 of a plan. Written into the text; ""
// where there is no task. NULL: the text is none of these, or has been taken apart before.
static char *unwrap(char *text)
{
    static const char brackets[] = "[({";
    static const char closing[] = "])}";
    size_t length = strlen(text);
    if (strcmp(text, "set()") == 0) {
        return text + length;
    }
    bool deep = strspn(text, opening) > MOST_OPENED;
    const char *kind = length < 2 || deep ? NULL : strchr(brackets, text[0]);
    if (kind != NULL && text[length - 1] == closing[kind - brackets]) {
        text[length - 1] = '\0';
        return text + 1 + strspn(text + 1, blanks);
    }
    size_t digits = strspn(text, "0123456789");
    if (digits > 0 && (strcmp(text + digits, ".0") == 0 || strcasecmp(text + digits, "FS") == 0)) {
        text[digits] = '\0';
        return text;
    }
    return NULL;
}

// Pushes an edge with the task of that id as the end that is open, or one with each task of a list:
// "a, b" or "a b". A part of a list may be one in turn, of blanks. Writes into the text.
static duet_code push_list(duet_builder *builder, raw_edge edge, // NOLINT(misc-no-recursion)
                           char *text, duet_error *error)
{
    int64_t *end = edge.from < 0 ? &edge.from : &edge.to;
    int64_t task = -1;
    DUET_TRY(duet_builder_find_task(builder, text, strlen(text), &task, error));
    const char *separators = find_separators(text);
    if (task >= 0) {
        *end = task;
        return push(builder, &edge, error);
    }
    if (task == -2) {
        return several_tasks(builder, text, strlen(text), edge.at, error);
    }
    duet_code code = DUET_OK;
    if (says_nothing(text)) {
        return DUET_OK;
    }
    if (strspn(text, opening) <= MOST_OPENED && duet_is_quoted_ids(text)) {
        for (char *id; (id = duet_next_quoted_id(&text)) != NULL && code == DUET_OK;) {
            code = push_list(builder, edge, id, error);
        }
        return code;
    }
    char *inside = unwrap(text);
    if (inside != NULL) {
        return inside[0] == '\0' ? DUET_OK : push_list(builder, edge, inside, error);
    }
    if (separators == NULL || text[strspn(text, separators)] == '\0') {
        return unknown_task(builder, text, edge.at, error);
    }
    char *rest = NULL;
    for (char *part = strtok_r(text, separators, &rest); part != NULL && code == DUET_OK;
         part = strtok_r(NULL, separators, &rest)) {
        part += strspn(part, blanks);
        size_t length = strlen(part);
        while (length > 0 && strchr(blanks, part[length - 1]) != NULL) {
            part[--length] = '\0';
        }
        code = length > 0 ? push_list(builder, edge, part, error) : DUET_OK;
    }
    return code;
}

// Takes lists apart that are no task's id. The edges stay in the order of the file.
static duet_code split_lists(duet_builder *builder, duet_error *error)
{
    if (!builder->lists) {
        return DUET_OK;
    }
    size_t edges = builder->edges;
    raw_edge *read = duet_alloc_raw(edges, sizeof *read, error);
    duet_code code = read == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t e = 0; e < edges && code == DUET_OK; e++) {
        read[e] = (raw_edge){builder->from[e], builder->to[e], builder->edge_cost[e],
                             builder->edge_at[e]};
    }
    builder->edges = code == DUET_OK ? 0 : edges;
    for (size_t e = 0; e < edges && code == DUET_OK; e++) {
        int64_t open = duet_min(read[e].from, read[e].to);
        const char *text = open < 0 ? builder->later - 1 - open : "";
        if (text[0] != LIST) {
            code = push(builder, &read[e], error);
            continue;
        }
        char *copy = duet_copy_string(text + 1, error);
        code = copy == NULL ? DUET_E_MEMORY : push_list(builder, read[e], copy, error);
        duet_free(copy);
    }
    if (code == DUET_OK) { // lists have no costs
        builder->cost[0].edges += (int64_t)builder->edges - (int64_t)edges;
    }
    duet_free(read);
    return code;
}

static duet_code join(duet_builder *builder, duet_graph *graph, size_t edge, duet_error *error)
{
    DUET_TRY(find_later(builder, edge, &builder->from[edge], error));
    DUET_TRY(find_later(builder, edge, &builder->to[edge], error));
    int64_t from = builder->from[edge];
    int64_t to = builder->to[edge];
    duet_builder_spot at = builder->edge_at[edge];
    if (from >= graph->tasks || to >= graph->tasks) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, at.line, at.column,
                                 "an edge of task %" PRId64 ": expected 0 to %" PRId64,
                                 from >= graph->tasks ? from : to, graph->tasks - 1);
    }
    if (from == to) {
        char id[SHOWN + 30];
        write_id(builder, from, id, sizeof id);
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, at.line, at.column,
                                 "task '%s' waits for itself; expected an edge between two tasks",
                                 id);
    }
    graph->tail[edge] = (int32_t)from;
    graph->head[edge] = (int32_t)to;
    return DUET_OK;
}

static duet_code note_dropped(duet_builder *builder, duet_error *error)
{
    char notice[100];
    bool one = builder->dropped == 1;
    if (builder->instance->origin != NULL) {
        builder->instance->origin->dependent = true;
    }
    snprintf(notice, sizeof notice,
             "%" PRId64 " edge%s left out: all tasks are taken as independent", builder->dropped,
             one ? " is" : "s are");
    return duet_builder_add_notice(builder, notice, error);
}

duet_code duet_builder_join_edges(duet_builder *builder, duet_error *error)
{
    if (builder->dropped > 0) {
        return note_dropped(builder, error);
    }
    duet_code code = split_lists(builder, error);
    if (builder->edges == 0 || code != DUET_OK) {
        return code;
    }
    int64_t tasks = builder->tasks;
    if (tasks > DUET_MAX_GRAPH) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "too many tasks for a graph: expected at most 2^31 - 1");
    }
    duet_graph *graph = duet_alloc(1, sizeof *graph, error);
    DUET_NEED(graph);
    builder->instance->graph = graph;
    graph->tasks = tasks;
    graph->edges = (int64_t)builder->edges;
    graph->types = builder->instance->types;
    graph->tail = duet_alloc_raw(builder->edges, sizeof *graph->tail, error);
    graph->head = duet_alloc_raw(builder->edges, sizeof *graph->head, error);
    DUET_TRY(graph->tail == NULL || graph->head == NULL ? DUET_E_MEMORY : DUET_OK);
    for (size_t e = 0; e < builder->edges; e++) {
        DUET_TRY(join(builder, graph, e, error));
    }
    DUET_TRY(duet_builder_merge_doubles(builder, graph, error));
    duet_free(builder->from);
    duet_free(builder->to);
    builder->from = NULL;
    builder->to = NULL;
    return duet_builder_make_tables(builder, error);
}

static duet_code refuse_double(const duet_builder *builder, int64_t edge, duet_error *error)
{
    const duet_graph *graph = builder->instance->graph;
    char from[SHOWN + 30];
    char to[SHOWN + 30];
    write_id(builder, graph->tail[edge], from, sizeof from);
    write_id(builder, graph->head[edge], to, sizeof to);
    duet_builder_spot at = builder->edge_at[edge];
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, at.line, at.column,
                             "the edge from '%s' to '%s' stands twice; expected it once", from, to);
}

// Whether an edge stands behind another one in the file.
static bool is_behind(const duet_builder *builder, int32_t edge, int32_t other)
{
    duet_builder_spot a = builder->edge_at[edge];
    duet_builder_spot b = builder->edge_at[other];
    if (a.line != b.line) {
        return a.line > b.line;
    }
    return a.column != b.column ? a.column > b.column : edge > other;
}

// Where the last of a cycle's edges stands: the one that closes it.
static duet_builder_spot find_closing(const duet_builder *builder, const int32_t *cycle,
                                      int64_t length)
{
    const duet_graph *graph = builder->instance->graph;
    int32_t last = -1;
    for (int64_t i = 0; i < length; i++) {
        int32_t next = cycle[(i + 1) % length];
        for (int64_t at = graph->leave_at[cycle[i]]; at < graph->leave_at[cycle[i] + 1]; at++) {
            int32_t edge = graph->leaving[at];
            if (graph->head[edge] == next && (last < 0 || is_behind(builder, edge, last))) {
                last = edge;
            }
        }
    }
    return last < 0 ? (duet_builder_spot){0, 0} : builder->edge_at[last];
}

// Names the tasks of a cycle, the first few of a long one.
static duet_code refuse_cycle(const duet_builder *builder, const int32_t *cycle, int64_t length,
                              duet_error *error)
{
    enum { most = 6 };
    char text[700];
    size_t used = 0;
    for (int64_t i = 0; i <= length && used < sizeof text; i++) {
        char id[SHOWN + 30];
        bool left_out = length > most && i >= most - 1 && i < length - 1;
        if (left_out && i > most - 1) {
            continue;
        }
        write_id(builder, cycle[i % length], id, sizeof id);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : " -> ",
                                 left_out ? "..." : id);
    }
    duet_builder_spot at = find_closing(builder, cycle, length);
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, at.line, at.column,
                             "%" PRId64 " tasks wait for each other: %s; expected no cycle", length,
                             text);
}

duet_code duet_builder_check_graph(duet_builder *builder, duet_error *error)
{
    duet_graph *graph = builder->instance->graph;
    if (graph == NULL) {
        return DUET_OK;
    }
    duet_code code = duet_graph_make_rows(graph, error);
    int64_t *seen = duet_alloc_raw((size_t)graph->tasks, sizeof *seen, error);
    if (code != DUET_OK || seen == NULL) {
        duet_free(seen);
        return DUET_E_MEMORY;
    }
    int64_t twice = duet_graph_find_double(graph, seen);
    // The same room, for half as long entries.
    int32_t *cycle = (int32_t *)seen;
    int64_t length = twice >= 0 ? 0 : duet_graph_find_cycle(graph, cycle, error);
    if (twice >= 0) {
        code = refuse_double(builder, twice, error);
    } else if (length != 0) {
        code = length < 0 ? DUET_E_MEMORY : refuse_cycle(builder, cycle, length, error);
    }
    duet_free(seen);
    return code;
}
