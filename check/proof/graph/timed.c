// SPDX-License-Identifier: Apache-2.0
// Prices over time as a proof. Time from 0 to the guess C is divided into cells of W ticks, the
// last one shorter. Each tick of a processor has a price that depends on its type and the cell;
// each edge has a price for every tick at which its head has started and its tail has not ended; a
// schedule has no such ticks. Whatever these prices are, in every schedule within C what tasks
// take of processors, and what edges add, costs no more than all processors' ticks; and each task
// costs at least what it does at its cheapest place. Where that is no contradiction, a task can
// only be where it costs at most so much more than there as is left. docs/theory/graphs.md has the
// inequality. Includes no solver header: this is what an outsider trusts.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Units of work of a cell, and of a start that is looked at.
enum { CELL = 1, START = 32 };

typedef struct timed_check {
    duet_proof_graph_state *state;
    const duet_timed_prices *given;
    int64_t cells;
    size_t row;         // cells + 1
    int64_t *tick;      // types x row: the price of a tick in each cell
    int64_t *paid;      // types x row: of all ticks before it
    int64_t *enter;     // tasks x row: of a tick in each cell at which a task has started
    int64_t *leave;     // tasks x row: the gain of a tick in each cell at which a task has ended
    int64_t *since;     // row: of one task, what all ticks from a cell on cost where it has started
    int64_t *until;     // row: of one task, what all ticks from a cell on gain where it has
                        // ended
    int64_t *least;     // of each task: at its cheapest place
    duet_int128 *mixed; // tasks x types: what rows between two tasks add; NULL: nothing
    duet_int128 fixed;  // what rows add wherever the tasks are
    int64_t total;      // of all prices
} timed_check;

static int64_t length_of(const timed_check *check, int64_t cell)
{
    int64_t width = check->given->width;
    return cell + 1 < check->cells ? width : check->state->guess - cell * width;
}

static duet_code add_ticks(timed_check *check, duet_error *error)
{
    const duet_instance *instance = check->state->instance;
    for (size_t i = 0; i < check->given->cells; i++) {
        const duet_cell_price *cell = &check->given->cell[i];
        if (cell->type < 0 || (uint64_t)cell->type >= instance->types || cell->cell < 0 ||
            cell->cell >= check->cells) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "cell %" PRId64 " of type %" PRId64
                                  ": expected a cell below %" PRId64 " of a type below %zu",
                                  cell->cell, cell->type, check->cells, instance->types);
        }
        check->tick[(size_t)cell->type * check->row + (size_t)cell->cell] = cell->price;
    }
    for (size_t t = 0; t < instance->types; t++) {
        duet_int128 sum = 0;
        for (int64_t k = 0; k < check->cells && !duet_watch_spend(check->state->watch, CELL); k++) {
            size_t at = t * check->row + (size_t)k;
            sum += (duet_int128)check->tick[at] * length_of(check, k);
            if (sum >= DUET_PROOF_GRAPH_MAX_PRICE) {
                return duet_proof_graph_count_price(&check->total, sum, error);
            }
            check->paid[at + 1] = (int64_t)sum;
        }
        int64_t count = instance->processors[t];
        DUET_TRY(duet_proof_graph_count_price(&check->total, sum * duet_max(count, 1), error));
    }
    return DUET_OK;
}

static duet_code add_edges(timed_check *check, duet_error *error)
{
    const duet_graph *graph = check->state->graph;
    int64_t edges = graph == NULL ? 0 : graph->edges;
    for (size_t i = 0; i < check->given->edges; i++) {
        const duet_timed_price *entry = &check->given->edge[i];
        if (entry->edge < 0 || entry->edge >= edges || entry->cell < 0 ||
            entry->cell >= check->cells) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "edge %" PRId64 " in cell %" PRId64
                                  ": expected an edge below %" PRId64 " and a cell below %" PRId64,
                                  entry->edge, entry->cell, edges, check->cells);
        }
        duet_int128 price = (duet_int128)entry->price * check->given->unit;
        DUET_TRY(price < DUET_PROOF_GRAPH_MAX_PRICE
                     ? duet_proof_graph_count_price(&check->total,
                                                    price * length_of(check, entry->cell), error)
                     : duet_proof_graph_count_price(&check->total, price, error));
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without a graph no edge is one
        size_t head = (size_t)graph->head[entry->edge] * check->row;
        size_t tail = (size_t)graph->tail[entry->edge] * check->row;
        check->enter[head + (size_t)entry->cell] += (int64_t)price;
        check->leave[tail + (size_t)entry->cell] += (int64_t)price;
    }
    return DUET_OK;
}

// The end of the next stretch of cells, for which work is spent; all of them where the watch says
// stop.
static int64_t next_stretch(const timed_check *check, int64_t from)
{
    int64_t left = check->cells - from;
    int64_t cells = duet_min(left, DUET_WATCH_STRETCH);
    return duet_watch_spend(check->state->watch, CELL * cells) ? check->cells : from + cells;
}

static void add_price(timed_check *check, int64_t *prices, int64_t task, int64_t price)
{
    for (int64_t k = 0, end; k < check->cells; k = end) {
        end = next_stretch(check, k);
        for (int64_t i = k; i < end && !check->state->watch->stopped; i++) {
            prices[(size_t)task * check->row + (size_t)i] += price;
        }
    }
}

// Rows between two tasks, which have the same price in all cells.
static duet_code add_rows(timed_check *check, duet_error *error)
{
    const duet_proof_graph_state *state = check->state;
    const duet_timed_prices *given = check->given;
    if (given->rows == 0) {
        return DUET_OK;
    }
    for (size_t r = 0; r < given->rows; r++) {
        duet_int128 all = (duet_int128)given->row[r].price * (state->guess + 1);
        DUET_TRY(duet_proof_graph_count_price(&check->total, all, error));
    }
    DUET_TRY(
        duet_proof_graph_mix(state, given->row, given->rows, given->mixed, &check->mixed, error));
    for (size_t r = 0; r < given->rows; r++) {
        const duet_mixed_row *row = &given->row[r];
        check->fixed += (duet_int128)row->price * row->length;
        if (row->from < state->tasks) {
            add_price(check, check->leave, row->from, row->price);
        } else {
            check->fixed -= (duet_int128)row->price * state->guess;
        }
        if (row->to < state->tasks) {
            add_price(check, check->enter, row->to, row->price);
        }
    }
    return DUET_OK;
}

// Of a task, from the price of a tick to that of all from a cell on.
static void sum_cells(const timed_check *check, int64_t task)
{
    size_t row = (size_t)task * check->row;
    check->since[check->cells] = check->until[check->cells] = 0;
    for (int64_t end = check->cells; end > 0;) {
        int64_t first = end > DUET_WATCH_STRETCH ? end - DUET_WATCH_STRETCH : 0;
        if (duet_watch_spend(check->state->watch, CELL * (end - first))) {
            return;
        }
        for (int64_t k = end; k-- > first;) {
            int64_t length = length_of(check, k);
            check->since[k] = check->since[k + 1] + check->enter[row + (size_t)k] * length;
            check->until[k] = check->until[k + 1] + check->leave[row + (size_t)k] * length;
        }
        end = first;
    }
}

// The price of a processor from 0 to a time.
static int64_t paid_until(const timed_check *check, size_t type, int64_t time)
{
    size_t at = type * check->row + (size_t)(time / check->given->width);
    return check->paid[at] + check->tick[at] * (time % check->given->width);
}

// Of ticks from a time on.
static int64_t from_on(const timed_check *check, const int64_t *all, const int64_t *tick,
                       int64_t time)
{
    int64_t cell = time / check->given->width;
    return all[cell] - tick[cell] * (time % check->given->width);
}

static int64_t cost_at(const timed_check *check, int64_t task, size_t type, int64_t start)
{
    int64_t end = start + duet_proof_graph_time(check->state, task, type);
    size_t row = (size_t)task * check->row;
    int64_t mixed =
        check->mixed == NULL
            ? 0
            : (int64_t)check->mixed[(size_t)task * check->state->instance->types + type];
    return mixed + paid_until(check, type, end) - paid_until(check, type, start) +
           from_on(check, check->since, check->enter + row, start) -
           from_on(check, check->until, check->leave + row, end);
}

// Starts of a task on one type, from the first to the last: none where the first is behind it.
typedef struct starts {
    int64_t first, last;
} starts;

static starts starts_of(const duet_proof_graph_state *state, int64_t task, size_t type)
{
    const duet_task_window *window = &state->window[task];
    if ((window->modes >> type & 1U) == 0) {
        return (starts){1, 0};
    }
    int64_t time = duet_proof_graph_time(state, task, type);
    int64_t first = duet_proof_graph_first_start(window, time);
    int64_t rest = duet_proof_graph_least_rest(window, time);
    return (starts){first, state->guess - rest};
}

// While neither start nor end passes to another cell, a cost is linear in the start: the last such
// start behind one.
static int64_t next_start(const timed_check *check, int64_t start, int64_t time, int64_t last)
{
    int64_t width = check->given->width;
    int64_t cell = width - start % width;
    int64_t other = width - (start + time) % width;
    int64_t step = duet_min(cell, other);
    return step < last - start ? start + step : last;
}

// The least cost of a task within its window. There is a type and a start, or the state is closed.
static int64_t least_cost(const timed_check *check, int64_t task)
{
    const duet_proof_graph_state *state = check->state;
    int64_t least = INT64_MAX;
    sum_cells(check, task);
    for (size_t t = 0; t < state->instance->types; t++) {
        starts on = starts_of(state, task, t);
        while (on.first <= on.last && !duet_watch_spend(state->watch, START)) {
            int64_t cost = cost_at(check, task, t, on.first);
            int64_t next =
                next_start(check, on.first, duet_proof_graph_time(state, task, t), on.last);
            least = duet_min(cost, least);
            on.first = on.first < on.last ? next : on.last + 1;
        }
    }
    return least;
}

// Of a line through two points, the starts at which it is at most so high.
static starts below(starts on, int64_t first_cost, int64_t last_cost, int64_t most)
{
    int64_t length = on.last - on.first;
    int64_t rise = length > 0 ? (last_cost - first_cost) / length : 0; // a whole number
    if (first_cost > most && last_cost > most) {
        return (starts){1, 0};
    }
    if (first_cost > most && rise < 0) {
        on.first += (first_cost - most - rise - 1) / -rise;
    } else if (last_cost > most && rise > 0) {
        on.last = on.first + (most - first_cost) / rise;
    }
    return on;
}

// The starts of a task on a type that cost at most so much lie between two of them.
static starts affordable(const timed_check *check, int64_t task, size_t type, int64_t most)
{
    const duet_proof_graph_state *state = check->state;
    starts on = starts_of(state, task, type);
    starts left = {INT64_MAX, -1};
    while (on.first <= on.last && !duet_watch_spend(state->watch, (int64_t)START * 2)) {
        int64_t next =
            next_start(check, on.first, duet_proof_graph_time(state, task, type), on.last);
        starts piece = below((starts){on.first, next}, cost_at(check, task, type, on.first),
                             cost_at(check, task, type, next), most);
        if (piece.first <= piece.last) {
            left.first = duet_min(piece.first, left.first);
            left.last = piece.last;
        }
        on.first = on.first < on.last ? next : on.last + 1;
    }
    return left;
}

// What is left of a task's window. DUET_E_MEMORY.
static duet_code narrow_task(timed_check *check, int64_t task, int64_t slack, duet_error *error)
{
    duet_proof_graph_state *state = check->state;
    int64_t start = INT64_MAX;
    int64_t end = -1;
    uint64_t modes = 0;
    sum_cells(check, task);
    for (size_t t = 0; t < state->instance->types; t++) {
        starts left = affordable(check, task, t, check->least[task] + slack);
        if (left.first <= left.last) {
            int64_t last = left.last + duet_proof_graph_time(state, task, t);
            modes |= UINT64_C(1) << t;
            start = duet_min(left.first, start);
            end = duet_max(last, end);
        }
    }
    DUET_TRY(duet_check_stopped(state->watch, error));
    DUET_TRY(duet_proof_graph_leave_modes(state, task, modes, error));
    DUET_TRY(duet_proof_graph_raise_start(state, task, start, error));
    return duet_proof_graph_raise_tail(state, task, state->guess - end, error);
}

static duet_code judge(timed_check *check, duet_error *error)
{
    const duet_instance *instance = check->state->instance;
    duet_int128 slack = -check->fixed;
    duet_code code = DUET_OK;
    for (size_t t = 0; t < instance->types; t++) {
        slack += (duet_int128)instance->processors[t] *
                 check->paid[t * check->row + (size_t)check->cells];
    }
    for (int64_t j = 0; j < check->state->tasks; j++) {
        check->least[j] = least_cost(check, j);
        if (check->state->watch->stopped) {
            return duet_check_stopped(check->state->watch, error);
        }
        slack -= check->least[j];
    }
    if (slack < 0) {
        check->state->closed = true;
    }
    for (int64_t j = 0; j < check->state->tasks && code == DUET_OK && !check->state->closed &&
                        slack < DUET_PROOF_GRAPH_MAX_PRICE;
         j++) {
        code = narrow_task(check, j, (int64_t)slack, error);
    }
    return code;
}

duet_code duet_proof_graph_timed(duet_proof_graph_state *state, const duet_timed_prices *given,
                                 duet_error *error)
{
    timed_check check = {.state = state, .given = given};
    if (state->closed) {
        return DUET_OK;
    }
    if (given->width < 1 || given->unit < 1 || state->guess < 1) {
        return duet_error_set(error, DUET_E_INPUT, "%s",
                              "a width or a unit of 0, or no time: expected 1 or more");
    }
    check.cells = (state->guess - 1) / given->width + 1;
    if (check.cells > INT32_MAX) {
        return duet_error_set(error, DUET_E_INPUT, "%" PRId64 " cells: expected at most %d",
                              check.cells, INT32_MAX);
    }
    check.row = (size_t)check.cells + 1;
    size_t types = state->instance->types;
    size_t rows = 2 * (types + (size_t)state->tasks + 1);
    uint64_t mixed = given->rows > 0 ? 2 * types * (uint64_t)state->tasks : 0;
    duet_code code =
        duet_memory_check(rows * check.row + mixed, sizeof(int64_t),
                          state->watch->context->memory_limit, "prices over time", error);
    int64_t *room = code == DUET_OK
                        ? duet_alloc(rows * check.row + (size_t)state->tasks, sizeof *room, error)
                        : NULL;
    if (room == NULL) {
        return code == DUET_OK ? DUET_E_MEMORY : code;
    }
    check.tick = room;
    check.paid = check.tick + types * check.row;
    check.since = check.paid + types * check.row;
    check.until = check.since + check.row;
    check.enter = check.until + check.row;
    check.leave = check.enter + (size_t)state->tasks * check.row;
    check.least = check.leave + (size_t)state->tasks * check.row;
    code = add_ticks(&check, error);
    DUET_THEN(code, add_edges(&check, error));
    DUET_THEN(code, add_rows(&check, error));
    DUET_THEN(code, judge(&check, error));
    duet_free(check.mixed);
    duet_free(room);
    return code;
}
