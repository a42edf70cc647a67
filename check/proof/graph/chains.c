// SPDX-License-Identifier: Apache-2.0
// Windows between the tasks of a path in a task graph, as a proof: the work in them, the paths
// through them, and whole numbers of tasks on a type. A tree of cases, each of which ends in
// multipliers whose sum is a contradiction. docs/theory/graphs.md has the argument, docs/formats.md
// the lines. Includes no solver header: this is what an outsider trusts.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { TASK = 4 }; // units of work of a task in a row

// Between two points there is at least some time: that of a path's tasks, or that of the work in
// between by the capacity of the processors.
typedef struct chain_row {
    int64_t from, to; // points
    bool is_path;
    duet_proof_graph_prices prices; // of the work
    int64_t capacity;               // by these; 1 of a path
    size_t first, count;            // a path's tasks, in `listed`
} chain_row;

// Tasks of which the number on the type is counted.
typedef struct chain_set {
    size_t first, count; // in `listed`
} chain_set;

// A case distinction whose children are being read.
typedef struct chain_node {
    bool is_count;
    bool second;    // the other child
    int64_t what;   // the task, or the set
    int64_t most;   // of a count: at most that, or at least one more
    uint64_t modes; // the task's types before
} chain_node;

typedef struct chains_check {
    duet_arena arena; // It holds the arrays per task and point.
    duet_proof_text *text;
    duet_proof_graph_state *state;
    size_t type; // on which tasks are counted
    int64_t *spine;
    int64_t spines, end; // The last point is the end of the schedule.
    int64_t *from, *to;  // of each task: the points that it starts after, and ends before
    uint64_t *modes;     // of each task: its types in this case
    duet_int128 *pass;   // of each point
    duet_int128 *cost;   // of each task and type
    int64_t *listed;     // tasks of paths and sets
    size_t listeds;
    chain_row *row;
    size_t rows;
    chain_set *set;
    size_t sets;
    chain_node *node;
    size_t depth;
    bool done; // the tree is complete
    duet_error why;
} chains_check;

static bool is_ok(const chains_check *c)
{
    return duet_proof_text_ok(c->text);
}

static void place(chains_check *c, duet_code code)
{
    duet_proof_text_judge(c->text, c->state->watch, code, &c->why);
}

static int64_t read_task(chains_check *c)
{
    return duet_proof_text_below(c->text, "the number of a task", c->state->tasks);
}

// --- points --------------------------------------------------------------------------------------

// Point 0 is the beginning; then come the start and the end of each task of the spine; then the
// end.
static void find_points(chains_check *c)
{
    const duet_graph *graph = c->state->graph;
    int64_t tasks = c->state->tasks;
    for (int64_t j = 0; j < tasks; j++) {
        c->from[j] = 0;
        c->to[j] = c->end;
    }
    for (int64_t k = 0; k < c->spines; k++) {
        c->from[c->spine[k]] = 2 * k + 1;
        c->to[c->spine[k]] = 2 * k + 2;
    }
    for (int64_t i = 0; i < tasks && graph != NULL; i++) {
        int32_t j = c->state->order[i];
        for (int64_t e = graph->leave_at[j]; e < graph->leave_at[j + 1]; e++) {
            int32_t next = graph->head[graph->leaving[e]];
            // What starts after a point of the spine ends after it: of a task on the spine that is
            // its own end.
            int64_t after = c->from[j] + c->from[j] % 2;
            c->from[next] = duet_max(c->from[next], after);
        }
    }
    for (int64_t i = tasks; i-- > 0 && graph != NULL;) {
        int32_t j = c->state->order[i];
        for (int64_t e = graph->enter_at[j]; e < graph->enter_at[j + 1]; e++) {
            int32_t before = graph->tail[graph->entering[e]];
            int64_t until = c->to[j] - (c->to[j] % 2 == 0 ? 1 : 0);
            c->to[before] = duet_min(c->to[before], until);
        }
    }
}

// Each task of the spine starts after the one before it ends.
static void check_spine(chains_check *c)
{
    for (int64_t k = 0; k < c->spines && is_ok(c); k++) {
        int64_t j = c->spine[k];
        if (c->from[j] != 2 * k + 1 || c->to[j] != 2 * k + 2 || (k > 0 && !c->state->marked[j])) {
            duet_proof_text_fail(c->text,
                                 "task %" PRId64 ": expected the tasks of a path in its order", j);
        }
    }
}

// Marks the tasks of the spine that the ones before them precede.
static void mark_followers(chains_check *c, bool value)
{
    const duet_graph *graph = c->state->graph;
    for (int64_t k = 1; k < c->spines; k++) {
        int64_t j = c->spine[k];
        c->state->marked[j] = false;
        for (int64_t e = graph == NULL ? 0 : graph->enter_at[j];
             value && graph != NULL && e < graph->enter_at[j + 1]; e++) {
            int32_t before = graph->tail[graph->entering[e]];
            c->state->marked[j] = c->state->marked[j] || c->from[before] >= 2 * k - 1;
        }
    }
}

static duet_code make_room(chains_check *c)
{
    size_t tasks = (size_t)c->state->tasks;
    size_t points = (size_t)c->end + 1;
    size_t types = c->state->instance->types;
    size_t bytes = 2 * sizeof *c->from + sizeof *c->modes + types * sizeof *c->cost;
    DUET_TRY(duet_memory_check(tasks, bytes, c->state->watch->context->memory_limit,
                               "the chains of a proof", &c->why));
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(c->from, tasks), DUET_ARENA_ARRAY(c->to, tasks),
        DUET_ARENA_ARRAY(c->modes, tasks), DUET_ARENA_ARRAY(c->pass, points),
        DUET_ARENA_ARRAY(c->cost, tasks * types)};
    return duet_arena_create(&c->arena, arrays, sizeof arrays / sizeof *arrays, &c->why);
}

// "T P  s1 ... sP"
static void read_spine(chains_check *c)
{
    c->type = (size_t)duet_proof_text_below(c->text, "the number of a type",
                                            (int64_t)c->state->instance->types);
    int64_t count = duet_proof_text_number(c->text, "the number of tasks");
    for (int64_t k = 0; k < count && is_ok(c); k++) {
        place(c, duet_vec_push(c->spine, c->spines, &c->why, read_task(c)));
    }
    duet_proof_text_finish(c->text);
    c->end = 2 * c->spines + 1;
    if (is_ok(c) && c->spines > c->state->tasks) {
        duet_proof_text_fail(c->text, "expected each task of the path once");
    }
    if (is_ok(c)) {
        place(c, make_room(c));
    }
    if (is_ok(c)) {
        int64_t edges = c->state->graph == NULL ? 0 : c->state->graph->edges;
        find_points(c);
        mark_followers(c, true);
        check_spine(c);
        mark_followers(c, false);
        for (int64_t j = 0; j < c->state->tasks; j++) {
            c->modes[j] = c->state->window[j].modes;
        }
        (void)duet_watch_spend(c->state->watch, TASK * (2 * edges + 3 * c->state->tasks));
        place(c, DUET_OK);
    }
}

// --- rows and sets -------------------------------------------------------------------------------

static void read_list(chains_check *c, size_t *first, size_t *count)
{
    int64_t wanted = duet_proof_text_number(c->text, "the number of tasks");
    *first = c->listeds;
    for (int64_t i = 0; i < wanted && is_ok(c); i++) {
        place(c, duet_vec_push(c->listed, c->listeds, &c->why, read_task(c)));
    }
    *count = c->listeds - *first;
}

static bool joined(const duet_graph *graph, int64_t before, int64_t after)
{
    for (int64_t e = graph == NULL ? 0 : graph->leave_at[before];
         graph != NULL && e < graph->leave_at[before + 1]; e++) {
        if (graph->head[graph->leaving[e]] == after) {
            return true;
        }
    }
    return false;
}

static void check_path(chains_check *c, const chain_row *row)
{
    const int64_t *task = c->listed + row->first;
    bool holds =
        row->count > 0 && c->from[task[0]] >= row->from && c->to[task[row->count - 1]] <= row->to;
    for (size_t i = 1; i < row->count && holds; i++) {
        const duet_graph *graph = c->state->graph;
        int64_t edges =
            graph == NULL ? 0 : graph->leave_at[task[i - 1] + 1] - graph->leave_at[task[i - 1]];
        holds = joined(graph, task[i - 1], task[i]);
        (void)duet_watch_spend(c->state->watch, TASK * (edges + 1));
    }
    if (!holds) {
        duet_proof_text_fail(c->text, "expected a path between the two points");
    }
}

// "a b" and the work's prices, or a path's tasks
static void read_row(chains_check *c, bool is_path)
{
    chain_row row = {.from = duet_proof_text_below(c->text, "a point", c->end + 1),
                     .is_path = is_path};
    row.to = duet_proof_text_below(c->text, "a point", c->end + 1);
    row.capacity = 1;
    if (is_ok(c) && row.from >= row.to) {
        duet_proof_text_fail(c->text, "expected a point before another one");
    }
    if (is_path) {
        read_list(c, &row.first, &row.count);
    } else {
        for (size_t t = 0; t < c->state->instance->types && is_ok(c); t++) {
            row.prices.price[t] = duet_proof_text_number(c->text, "a price");
        }
        row.capacity = duet_proof_graph_supply(c->state, &row.prices);
    }
    duet_proof_text_finish(c->text);
    if (is_ok(c) && is_path) {
        check_path(c, &row);
    }
    if (is_ok(c) && row.capacity < 0) {
        duet_proof_text_fail(c->text, "prices that are too large: expected them below 2^60, times "
                                      "the processors, in sum");
    }
    if (is_ok(c)) {
        place(c, duet_vec_push(c->row, c->rows, &c->why, row));
    }
}

// "n  j1 ... jn"
static void read_set(chains_check *c)
{
    chain_set set;
    read_list(c, &set.first, &set.count);
    duet_proof_text_finish(c->text);
    if (is_ok(c)) {
        place(c, duet_vec_push(c->set, c->sets, &c->why, set));
    }
}

// --- the tree ------------------------------------------------------------------------------------

// The types of a task in the child of a case distinction: all but the type first, then it alone.
static void choose(chains_check *c, const chain_node *node)
{
    uint64_t type = UINT64_C(1) << c->type;
    if (!node->is_count) {
        c->modes[node->what] = node->modes & (node->second ? type : ~type);
    }
}

static void open_node(chains_check *c, bool is_count)
{
    chain_node node = {.is_count = is_count};
    if (is_count) {
        node.what = duet_proof_text_below(c->text, "the number of a set", (int64_t)c->sets);
        node.most = duet_proof_text_below(c->text, "a number of tasks", DUET_PROOF_GRAPH_MAX_PRICE);
    } else {
        node.what = read_task(c);
        node.modes = is_ok(c) ? c->modes[node.what] : 0;
    }
    duet_proof_text_finish(c->text);
    if (is_ok(c)) {
        place(c, duet_vec_push(c->node, c->depth, &c->why, node));
    }
    if (is_ok(c)) {
        choose(c, &node);
    }
}

// A case is refuted: on to the next one.
static void close_case(chains_check *c)
{
    while (c->depth > 0 && c->node[c->depth - 1].second) {
        const chain_node *node = &c->node[--c->depth];
        if (!node->is_count) {
            c->modes[node->what] = node->modes;
        }
    }
    if (c->depth == 0) {
        c->done = true;
        return;
    }
    c->node[c->depth - 1].second = true;
    choose(c, &c->node[c->depth - 1]);
}

// A row between two points: what passes between them, and what its tasks cost.
static void add_row(chains_check *c, const chain_row *row, int64_t price)
{
    size_t types = c->state->instance->types;
    duet_int128 passes = (duet_int128)price * row->capacity;
    c->pass[row->to] += passes;
    c->pass[row->from] -= passes;
    int64_t members = row->is_path ? (int64_t)row->count : c->state->tasks;
    for (int64_t i = 0; i < members; i++) {
        int64_t j = row->is_path ? c->listed[row->first + (size_t)i] : i;
        if (!row->is_path && (c->from[j] < row->from || c->to[j] > row->to)) {
            continue;
        }
        for (size_t t = 0; t < types; t++) {
            if (duet_proof_graph_has_mode(c->state, j, t)) {
                int64_t worth = row->is_path ? 1 : row->prices.price[t];
                c->cost[(size_t)j * types + t] +=
                    (duet_int128)price * worth * duet_proof_graph_time(c->state, j, t);
            }
        }
    }
    (void)duet_watch_spend(c->state->watch, TASK * members * (int64_t)types);
}

// An open count: what it allows is added to the right, and each task on the type to the left, with
// the signs that belong to "at most", or to "at least".
static void add_count(chains_check *c, const chain_node *node, int64_t price, duet_int128 *allowed)
{
    const chain_set *set = &c->set[node->what];
    size_t types = c->state->instance->types;
    duet_int128 sign = node->second ? -1 : 1;
    *allowed += sign * price * (node->most + (node->second ? 1 : 0));
    for (size_t i = 0; i < set->count; i++) {
        c->cost[(size_t)c->listed[set->first + i] * types + c->type] += sign * price;
    }
    (void)duet_watch_spend(c->state->watch, TASK * (int64_t)set->count);
}

// The latest, or the earliest, time of a point.
static int64_t point_time(const chains_check *c, int64_t point, bool latest)
{
    int64_t guess = c->state->guess;
    if (point == 0 || point == c->end) {
        return point == 0 ? 0 : guess;
    }
    const duet_task_window *window = &c->state->window[c->spine[(point - 1) / 2]];
    if (point % 2 == 1) {
        return latest ? guess - window->rest : window->start;
    }
    return latest ? guess - window->tail : window->end;
}

// The least cost of the tasks, each on one of its types. False where one has none left: then there
// is nothing to prove.
static bool least_cost(const chains_check *c, duet_int128 *cost)
{
    size_t types = c->state->instance->types;
    *cost = 0;
    for (int64_t j = 0; j < c->state->tasks; j++) {
        duet_int128 least = 0;
        bool found = false;
        for (size_t t = 0; t < types; t++) {
            duet_int128 on_type = c->cost[(size_t)j * types + t];
            if ((c->modes[j] >> t & 1U) != 0 && (!found || on_type < least)) {
                least = on_type;
                found = true;
            }
        }
        if (!found) {
            return false;
        }
        *cost += least;
    }
    return true;
}

static void compare(chains_check *c, duet_int128 allowed)
{
    for (int64_t p = 0; p <= c->end; p++) {
        allowed += c->pass[p] * point_time(c, p, c->pass[p] > 0);
    }
    duet_int128 demanded;
    if (!c->state->closed && least_cost(c, &demanded) && demanded <= allowed) {
        duet_proof_text_fail(c->text, "the multipliers prove no contradiction: expected what they "
                                      "demand to exceed what they allow");
    }
    (void)duet_watch_spend(c->state->watch,
                           TASK * c->state->tasks * (int64_t)c->state->instance->types);
}

static void clear(chains_check *c)
{
    size_t entries = (size_t)c->state->tasks * c->state->instance->types;
    for (size_t i = 0; i < entries; i++) {
        c->cost[i] = 0;
    }
    for (int64_t p = 0; p <= c->end; p++) {
        c->pass[p] = 0;
    }
}

// "n  r y ...  h ...": multipliers of rows, and one of each open count
static void read_price(chains_check *c)
{
    int64_t total = 0;
    duet_int128 allowed = 0;
    int64_t count = duet_proof_text_number(c->text, "the number of rows");
    clear(c);
    for (int64_t i = 0; i < count && is_ok(c); i++) {
        int64_t r = duet_proof_text_below(c->text, "the number of a row", (int64_t)c->rows);
        int64_t price = duet_proof_text_number(c->text, "a multiplier");
        if (is_ok(c)) {
            duet_int128 worth = (duet_int128)price * duet_max(c->row[r].capacity, INT64_C(1));
            place(c, duet_proof_graph_count_price(&total, worth, &c->why));
        }
        if (is_ok(c)) {
            add_row(c, &c->row[r], price);
        }
    }
    for (size_t d = 0; d < c->depth && is_ok(c); d++) {
        if (c->node[d].is_count) {
            int64_t price = duet_proof_text_number(c->text, "a multiplier");
            place(c, duet_proof_graph_count_price(&total, price, &c->why));
            if (is_ok(c)) {
                add_count(c, &c->node[d], price, &allowed);
            }
        }
    }
    duet_proof_text_finish(c->text);
    if (is_ok(c)) {
        compare(c, allowed);
        close_case(c);
    }
}

// --- reading -------------------------------------------------------------------------------------

static void take_line(chains_check *c, const char *word)
{
    if (c->done && is_ok(c)) {
        duet_proof_text_fail(c->text, "expected 'end': the tree of cases is complete");
    } else if (duet_proof_same_word(word, "work") || duet_proof_same_word(word, "path")) {
        read_row(c, word[0] == 'p');
    } else if (duet_proof_same_word(word, "set")) {
        read_set(c);
    } else if (duet_proof_same_word(word, "on") || duet_proof_same_word(word, "count")) {
        open_node(c, word[0] == 'c');
    } else if (duet_proof_same_word(word, "price")) {
        read_price(c);
    } else if (is_ok(c)) {
        duet_proof_text_fail(c->text,
                             "expected 'work', 'path', 'set', 'on', 'count', 'price' or 'end', "
                             "found '%s'",
                             word);
    }
}

static void check_memory(chains_check *c)
{
    size_t most = c->state->watch->context->memory_limit / 4; // growing takes the old room, too
    if (is_ok(c) && (duet_vec_bytes(c->listed) > most || duet_vec_bytes(c->row) > most ||
                     duet_vec_bytes(c->node) > most)) {
        place(c, duet_error_set(&c->why, DUET_E_LIMIT, "chains take more than the memory"));
    }
}

int64_t duet_proof_graph_read_chains(duet_proof_text *text, duet_proof_graph_state *state)
{
    chains_check c = {.text = text, .state = state, .why = DUET_ERROR_INIT};
    char word[DUET_PROOF_MAX_WORD];
    int64_t lines = 0;
    bool ended = false;
    read_spine(&c);
    while (is_ok(&c) && !ended) {
        duet_proof_text_item(text, word, "a line of chains or 'end'");
        lines++;
        if (duet_proof_same_word(word, "end")) {
            duet_proof_text_finish(text);
            ended = true;
        } else {
            take_line(&c, word);
        }
        check_memory(&c);
        place(&c, DUET_OK);
    }
    if (is_ok(&c) && !c.done) {
        duet_proof_text_fail(text, "'end' before all cases are refuted: expected more lines");
    }
    if (is_ok(&c)) {
        state->closed = true;
    }
    duet_free(c.spine);
    duet_free(c.listed);
    duet_free(c.row);
    duet_free(c.set);
    duet_free(c.node);
    duet_arena_free(&c.arena);
    return lines;
}
