// SPDX-License-Identifier: Apache-2.0
// Reads the lines of a proof about a task graph and takes each for true where it holds. Includes no
// solver header: this is what an outsider trusts. What the lines say: docs/formats.md.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/vec.h"

enum { TASK = 16 }; // units of work of a task, besides those that its rule spends

// A list of a line, which the next line uses again.
typedef struct price_list {
    duet_indexed_price *entry;
    size_t count;
} price_list;

// The first failure stands in `text`, which reads nothing after it.
typedef struct line_check {
    duet_proof_text *text;
    duet_watch *watch;
    duet_proof_graph_state state;
    duet_proof_graph_counts counts;
    bool done;
    duet_error why; // what failed in the state, without a line of the file
    // The lists of a line `lp`:
    price_list edges, starts, tails;
    duet_priced_interval *interval;
    size_t intervals;
    duet_mixed_row *row;
    size_t rows;
    duet_mixed_task *mixed; // of all rows
    size_t mixed_count;
    duet_crossing *crossing;
    size_t crossings;
    // The lists of a line `timed`:
    duet_cell_price *cell;
    size_t cells;
    duet_timed_price *timed;
    size_t timeds;
} line_check;

static void place(line_check *check, duet_code code)
{
    duet_proof_text_judge(check->text, check->watch, code, &check->why);
}

static int64_t read_task(line_check *check)
{
    int64_t task = duet_proof_text_number(check->text, "the number of a task");
    if (duet_proof_text_ok(check->text) && task >= check->state.tasks) {
        duet_proof_text_fail(check->text, "task %" PRId64 ": expected one below %" PRId64, task,
                             check->state.tasks);
        return 0;
    }
    return duet_proof_text_ok(check->text) ? task : 0;
}

// "cpu" or "gpu", or the number of a type where there are not two
static int64_t read_type(line_check *check)
{
    duet_proof_text *text = check->text;
    if (check->state.instance->types == 2) {
        char word[DUET_PROOF_MAX_WORD];
        duet_proof_text_word(text, word, "'cpu' or 'gpu'");
        if (!duet_proof_same_word(word, "cpu") && !duet_proof_same_word(word, "gpu")) {
            duet_proof_text_fail(text, "expected 'cpu' or 'gpu', found '%s'", word);
        }
        return duet_proof_same_word(word, "gpu") ? 1 : 0;
    }
    int64_t type = duet_proof_text_number(text, "the number of a type");
    if ((uint64_t)type >= check->state.instance->types) {
        duet_proof_text_fail(text, "type %" PRId64 ": expected one below %zu", type,
                             check->state.instance->types);
        return 0;
    }
    return type;
}

// "a b w0 w1 ...": an interval, and a price for each type
static void read_interval(line_check *check, duet_priced_interval *interval)
{
    interval->from = duet_proof_text_number(check->text, "the start of an interval");
    interval->back = duet_proof_text_number(check->text, "the time behind an interval");
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        interval->prices.price[t] = 0;
        if (t < check->state.instance->types) {
            interval->prices.price[t] = duet_proof_text_number(check->text, "a price per type");
        }
    }
}

// All starts in topological order, then all tails against it.
static void take_path(line_check *check)
{
    duet_proof_graph_state *state = &check->state;
    duet_code code = DUET_OK;
    duet_proof_text_finish(check->text);
    (void)duet_watch_spend(check->watch, TASK * state->tasks);
    for (int64_t i = 0; i < state->tasks && code == DUET_OK && !check->watch->stopped; i++) {
        code = duet_proof_graph_path_start(state, state->order[i], &check->why);
    }
    for (int64_t i = state->tasks; i-- > 0 && code == DUET_OK && !check->watch->stopped;) {
        code = duet_proof_graph_path_tail(state, state->order[i], &check->why);
    }
    place(check, code);
}

// What a line does with each of its tasks.
typedef duet_code task_rule(duet_proof_graph_state *state, int64_t task, duet_error *error);

// "n j1 ... jn": some tasks in this order
static void take_tasks(line_check *check, task_rule *rule)
{
    int64_t count = duet_proof_text_number(check->text, "the number of tasks");
    for (int64_t i = 0; i < count && duet_proof_text_ok(check->text); i++) {
        int64_t task = read_task(check);
        (void)duet_watch_spend(check->watch, TASK);
        place(check, rule(&check->state, task, &check->why));
    }
    duet_proof_text_finish(check->text);
}

// "n j1 ... jn": tasks that are alike
static void take_twins(line_check *check)
{
    int64_t count = duet_proof_text_number(check->text, "the number of tasks");
    int64_t before = -1;
    for (int64_t i = 0; i < count && duet_proof_text_ok(check->text); i++) {
        int64_t task = read_task(check);
        if (i > 0 && duet_proof_text_ok(check->text)) {
            place(check, duet_proof_graph_twins(&check->state, before, task, &check->why));
        }
        before = task;
    }
    duet_proof_text_finish(check->text);
}

// "j a b w0 w1 ..."
static void take_area(line_check *check, bool ancestors)
{
    duet_priced_interval interval;
    int64_t task = read_task(check);
    read_interval(check, &interval);
    duet_proof_text_finish(check->text);
    if (duet_proof_text_ok(check->text)) {
        place(check,
              ancestors
                  ? duet_proof_graph_ancestors(&check->state, task, &interval, &check->why)
                  : duet_proof_graph_descendants(&check->state, task, &interval, &check->why));
    }
}

// "j y"
static void take_gather(line_check *check, bool before)
{
    int64_t task = read_task(check);
    int64_t by = duet_proof_text_number(check->text, "a time in ticks");
    duet_proof_text_finish(check->text);
    if (duet_proof_text_ok(check->text)) {
        place(check, duet_proof_graph_gather(&check->state, task, by, before, &check->why));
    }
}

static void take_energy(line_check *check)
{
    duet_priced_interval interval;
    read_interval(check, &interval);
    duet_proof_text_finish(check->text);
    if (duet_proof_text_ok(check->text)) {
        place(check, duet_proof_graph_energy(&check->state, &interval, &check->why));
    }
}

// "n w0 w1 ...": how many states there may be, and a price for each type
static void take_ideals(line_check *check)
{
    duet_proof_graph_prices prices = {.price = {0}};
    int64_t most = duet_proof_text_number(check->text, "a number of states");
    for (size_t t = 0; t < check->state.instance->types; t++) {
        prices.price[t] = duet_proof_text_number(check->text, "a price per type");
    }
    duet_proof_text_finish(check->text);
    if (duet_proof_text_ok(check->text)) {
        place(check, duet_proof_graph_ideals(&check->state, most, &prices, &check->why));
    }
}

static int64_t types_of(const line_check *check)
{
    return (int64_t)check->state.instance->types;
}

static int64_t edges_of(const line_check *check)
{
    return check->state.graph == NULL ? 0 : check->state.graph->edges;
}

// "n i p i p ...": multipliers of edges or tasks
static void read_multipliers(line_check *check, price_list *list, const char *what, int64_t below)
{
    int64_t count = duet_proof_text_number(check->text, "the number of multipliers");
    list->count = 0;
    for (int64_t i = 0; i < count && duet_proof_text_ok(check->text); i++) {
        duet_indexed_price entry = {duet_proof_text_below(check->text, what, below), 0};
        entry.price = duet_proof_text_number(check->text, "a multiplier");
        place(check, duet_vec_push(list->entry, list->count, &check->why, entry));
    }
}

// "n a b w0 w1 ... a b w0 w1 ...": intervals
static void read_intervals(line_check *check)
{
    int64_t count = duet_proof_text_number(check->text, "the number of intervals");
    check->intervals = 0;
    for (int64_t i = 0; i < count && duet_proof_text_ok(check->text); i++) {
        place(check, duet_vec_grow(check->interval, check->intervals, &check->why));
        if (duet_proof_text_ok(check->text)) {
            read_interval(check, &check->interval[check->intervals++]);
        }
    }
}

// "R  u v g h n  j t c j t c ...": rows between two tasks, with the tasks that they mix
static void read_rows(line_check *check)
{
    duet_proof_text *text = check->text;
    int64_t count = duet_proof_text_number(text, "the number of rows between tasks");
    for (int64_t r = 0; r < count && duet_proof_text_ok(text); r++) {
        int64_t below = check->state.tasks + 1; // the beginning, or the end, is one of them
        duet_mixed_row row = {.from = duet_proof_text_below(text, "the number of a task", below)};
        row.to = duet_proof_text_below(text, "the number of a task", below);
        row.price = duet_proof_text_number(text, "a multiplier");
        row.length = duet_proof_text_number(text, "a time in ticks");
        int64_t tasks = duet_proof_text_number(text, "the number of tasks");
        for (int64_t i = 0; i < tasks && duet_proof_text_ok(text); i++) {
            duet_mixed_task mixed = {.task = read_task(check)};
            mixed.type = duet_proof_text_below(text, "the number of a type", types_of(check));
            mixed.more = duet_proof_text_number(text, "a time in ticks");
            place(check, duet_vec_push(check->mixed, check->mixed_count, &check->why, mixed));
            if (duet_proof_text_ok(text)) {
                row.tasks++;
            }
        }
        place(check, duet_vec_push(check->row, check->rows, &check->why, row));
    }
}

// "n  e t c g ...": edges whose data take time
static void read_crossings(line_check *check)
{
    duet_proof_text *text = check->text;
    int64_t count = duet_proof_text_number(text, "the number of edges with costs");
    for (int64_t i = 0; i < count && duet_proof_text_ok(text); i++) {
        duet_crossing crossing = {
            .edge = duet_proof_text_below(text, "the number of an edge", edges_of(check))};
        crossing.type = duet_proof_text_below(text, "the number of a type", types_of(check));
        crossing.cost = duet_proof_text_number(text, "a time in ticks");
        crossing.price = duet_proof_text_number(text, "a multiplier");
        place(check, duet_vec_push(check->crossing, check->crossings, &check->why, crossing));
    }
}

// What may stand behind the rest of a line: "mix ..." and, of a program, "cross ...".
static void read_more(line_check *check, bool crosses)
{
    const char *expected = crosses ? "'mix' or 'cross'" : "'mix'";
    check->rows = check->mixed_count = check->crossings = 0;
    while (duet_proof_text_ok(check->text) && duet_proof_text_more(check->text)) {
        char word[DUET_PROOF_MAX_WORD];
        duet_proof_text_word(check->text, word, expected);
        if (duet_proof_same_word(word, "mix")) {
            read_rows(check);
        } else if (crosses && duet_proof_same_word(word, "cross")) {
            read_crossings(check);
        } else {
            duet_proof_text_fail(check->text, "expected %s, found '%s'", expected, word);
        }
    }
}

static void take_lp(line_check *check)
{
    read_multipliers(check, &check->edges, "the number of an edge", edges_of(check));
    read_multipliers(check, &check->starts, "the number of a task", check->state.tasks);
    read_multipliers(check, &check->tails, "the number of a task", check->state.tasks);
    read_intervals(check);
    read_more(check, true);
    duet_proof_text_finish(check->text);
    if (duet_proof_text_ok(check->text)) {
        duet_proof_graph_multipliers given = {.edge = check->edges.entry,
                                              .edges = check->edges.count,
                                              .start = check->starts.entry,
                                              .starts = check->starts.count,
                                              .tail = check->tails.entry,
                                              .tails = check->tails.count,
                                              .interval = check->interval,
                                              .intervals = check->intervals,
                                              .row = check->row,
                                              .rows = check->rows,
                                              .mixed = check->mixed,
                                              .crossing = check->crossing,
                                              .crossings = check->crossings};
        place(check, duet_proof_graph_lp(&check->state, &given, &check->why));
    }
}

// "n  type cell price ...": prices of ticks
static void read_cells(line_check *check)
{
    duet_proof_text *text = check->text;
    int64_t count = duet_proof_text_number(text, "the number of cells with a price");
    check->cells = 0;
    for (int64_t i = 0; i < count && duet_proof_text_ok(text); i++) {
        duet_cell_price entry = {
            .type = duet_proof_text_below(text, "the number of a type", types_of(check))};
        entry.cell = duet_proof_text_number(text, "the number of a cell");
        entry.price = duet_proof_text_number(text, "a price");
        place(check, duet_vec_push(check->cell, check->cells, &check->why, entry));
    }
}

// "n  edge count  cell price ...": prices of edges
static void read_timed_edges(line_check *check)
{
    duet_proof_text *text = check->text;
    int64_t edges = duet_proof_text_number(text, "the number of edges with prices");
    check->timeds = 0;
    for (int64_t e = 0; e < edges && duet_proof_text_ok(text); e++) {
        int64_t edge = duet_proof_text_below(text, "the number of an edge", edges_of(check));
        int64_t count = duet_proof_text_number(text, "the number of its prices");
        for (int64_t i = 0; i < count && duet_proof_text_ok(text); i++) {
            duet_timed_price entry = {edge, duet_proof_text_number(text, "the number of a cell"),
                                      0};
            entry.price = duet_proof_text_number(text, "a price");
            place(check, duet_vec_push(check->timed, check->timeds, &check->why, entry));
        }
    }
}

// "width unit", then cells and edges
static void take_timed(line_check *check)
{
    duet_timed_prices given = {.width = duet_proof_text_number(check->text, "the ticks of a cell")};
    given.unit = duet_proof_text_number(check->text, "the unit of prices");
    read_cells(check);
    read_timed_edges(check);
    read_more(check, false);
    duet_proof_text_finish(check->text);
    if (duet_proof_text_ok(check->text)) {
        given.cell = check->cell;
        given.cells = check->cells;
        given.edge = check->timed;
        given.edges = check->timeds;
        given.row = check->row;
        given.rows = check->rows;
        given.mixed = check->mixed;
        place(check, duet_proof_graph_timed(&check->state, &given, &check->why));
    }
}

static duet_task_claim read_claim(line_check *check)
{
    static const char *const names[DUET_TASK_CLAIMS] = {"on",          "off",    "start-by",
                                                        "start-after", "end-by", "end-after"};
    static const char expected[] = "'on', 'off', 'start-by', 'start-after', 'end-by' or "
                                   "'end-after'";
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_word(check->text, word, expected);
    for (int i = 0; i < DUET_TASK_CLAIMS; i++) {
        if (duet_proof_same_word(word, names[i])) {
            return (duet_task_claim)i;
        }
    }
    duet_proof_text_fail(check->text, "expected %s, found '%s'", expected, word);
    return DUET_TASK_ON;
}

// "CLAIM j value": what is supposed up to its "end"
static void take_suppose(line_check *check)
{
    duet_supposition what = {.claim = read_claim(check)};
    what.task = read_task(check);
    what.value = what.claim <= DUET_TASK_OFF
                     ? read_type(check)
                     : duet_proof_text_number(check->text, "a time in ticks");
    duet_proof_text_finish(check->text);
    if (duet_proof_text_ok(check->text)) {
        place(check, duet_proof_graph_suppose(&check->state, &what, &check->why));
        int64_t depth = (int64_t)check->state.depth;
        check->counts.suppositions++;
        check->counts.depth = duet_max(depth, check->counts.depth);
    }
}

// The end of a supposition, of a part, or of the proof.
static void take_end(line_check *check)
{
    duet_proof_text *text = check->text;
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_finish(text);
    if (!duet_proof_text_ok(text)) {
        return;
    }
    if (check->state.depth > 0) {
        place(check, duet_proof_graph_end(&check->state, &check->why));
        return;
    }
    check->done = true;
    if (check->state.is_part) {
        return;
    }
    if (!check->state.closed) {
        duet_proof_text_fail(text, "'end' before the guess is refuted: expected more lines");
    }
    duet_proof_text_item(text, word, "nothing after 'end'");
    if (word[0] != '\0') {
        duet_proof_text_fail(text, "expected nothing after 'end', found '%s'", word);
    }
}

static void read_lines(line_check *check);
static void free_check(line_check *check);

// "j y n  i s ...": members of a part with what is given of each
static void read_part(line_check *check, duet_proof_graph_part *part)
{
    part->task = read_task(check);
    part->length = duet_proof_text_number(check->text, "a time in ticks");
    int64_t count = duet_proof_text_number(check->text, "the number of tasks");
    if (duet_proof_text_ok(check->text) && count > check->state.tasks) {
        duet_proof_text_fail(check->text, "%" PRId64 " tasks: expected at most %" PRId64, count,
                             check->state.tasks);
    }
    size_t room = duet_proof_text_ok(check->text) ? (size_t)count : 0;
    part->member = duet_alloc(room, sizeof *part->member, &check->why);
    part->given = duet_alloc(room, sizeof *part->given, &check->why);
    if (part->member == NULL || part->given == NULL) {
        place(check, DUET_E_MEMORY);
        return;
    }
    for (; part->count < count && duet_proof_text_ok(check->text); part->count++) {
        part->member[part->count] = (int32_t)read_task(check);
        part->given[part->count] = duet_proof_text_number(check->text, "a time in ticks");
    }
    duet_proof_text_finish(check->text);
}

// The same with its lines up to their "end", which are read by a state of its own.
static void take_part(line_check *check, bool before)
{
    duet_proof_graph_part part = {.before = before};
    if (check->state.is_part) {
        duet_proof_text_fail(check->text, "a part in a part: expected other lines");
        return;
    }
    read_part(check, &part);
    if (duet_proof_text_ok(check->text)) {
        place(check, duet_proof_graph_part_open(&check->state, &part, &check->why));
    }
    line_check inner = {.text = check->text, .watch = check->watch, .state = part.state};
    read_lines(&inner);
    part.state = inner.state;
    inner.state = (duet_proof_graph_state){.instance = NULL};
    check->counts.lines += inner.counts.lines;
    check->counts.suppositions += inner.counts.suppositions;
    int64_t depth = (int64_t)check->state.depth + inner.counts.depth;
    check->counts.depth = duet_max(depth, check->counts.depth);
    if (duet_proof_text_ok(check->text)) {
        place(check, duet_proof_graph_part_close(&check->state, &part, &check->why));
    }
    free_check(&inner);
    duet_proof_graph_part_free(&part);
}

// A line of proofs: its first word, and the one of these that takes the rest.
typedef struct line_row {
    const char *word;
    void (*take)(line_check *check);
    task_rule *rule;                                   // for each task of a list
    void (*take_side)(line_check *check, bool before); // of two words, one for each side
    bool before;
    // The rule's own file reads what stands behind the word, up to the end of the line or to an
    // "end" of its own, and returns how many more lines that were.
    int64_t (*read)(duet_proof_text *text, duet_proof_graph_state *state);
} line_row;

static const line_row rows[] = {
    {"heads", .rule = duet_proof_graph_path_start},
    {"tails", .rule = duet_proof_graph_path_tail},
    {"shift", .rule = duet_proof_graph_shift},
    {"twins", .take = take_twins},
    {"suppose", .take = take_suppose},
    {"end", .take = take_end},
    {"path", .take = take_path},
    {"ancestors", .take_side = take_area, .before = true},
    {"descendants", .take_side = take_area},
    {"gather", .take_side = take_gather, .before = true},
    {"scatter", .take_side = take_gather},
    {"before", .take_side = take_part, .before = true},
    {"behind", .take_side = take_part},
    {"energy", .take = take_energy},
    {"lp", .take = take_lp},
    {"timed", .take = take_timed},
    {"ideals", .take = take_ideals},
    {"chains", .read = duet_proof_graph_read_chains},
    {"learn", .read = duet_learned_read},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void take_line(line_check *check, const char *word)
{
    size_t i = 0;
    while (i < ROWS && !duet_proof_same_word(word, rows[i].word)) {
        i++;
    }
    if (i == ROWS) {
        duet_proof_text_fail(check->text, "expected a line of a proof or 'end', found %s%s",
                             word[0] == '\0' ? "the end of the file" : "", word);
    } else if (rows[i].rule != NULL) {
        take_tasks(check, rows[i].rule);
    } else if (rows[i].take_side != NULL) {
        rows[i].take_side(check, rows[i].before);
    } else if (rows[i].take != NULL) {
        rows[i].take(check);
    } else {
        check->counts.lines += rows[i].read(check->text, &check->state);
    }
}

void duet_proof_graph_read_size(duet_proof_text *text, int64_t tasks, int64_t edges)
{
    int64_t found = duet_proof_text_number(text, "the number of tasks");
    int64_t given = duet_proof_text_number(text, "the number of edges");
    duet_proof_text_finish(text);
    if (found != tasks || given != edges) {
        duet_proof_text_fail(text,
                             "a graph of %" PRId64 " tasks and %" PRId64 " edges: expected %" PRId64
                             " and %" PRId64 ", as the instance has",
                             found, given, tasks, edges);
    }
}

static void free_check(line_check *check)
{
    duet_free(check->edges.entry);
    duet_free(check->starts.entry);
    duet_free(check->tails.entry);
    duet_free(check->interval);
    duet_free(check->row);
    duet_free(check->mixed);
    duet_free(check->crossing);
    duet_free(check->cell);
    duet_free(check->timed);
    duet_proof_graph_state_free(&check->state);
}

// Up to the end of the proof, or of the part.
static void read_lines(line_check *check)
{
    enum { LINE = 256 };
    duet_proof_text *text = check->text;
    char word[DUET_PROOF_MAX_WORD];
    while (duet_proof_text_ok(text) && !check->done) {
        duet_proof_text_item(text, word, "a line of a proof or 'end'");
        if (duet_proof_text_ok(text)) {
            check->counts.lines++;
            take_line(check, word);
            place(check, duet_proof_graph_check_memory(&check->state, &check->why));
        }
        if (duet_watch_spend(check->watch, LINE) && duet_proof_text_ok(text)) {
            duet_proof_text_stop(text, duet_check_stopped(check->watch, text->error));
        }
    }
}

void duet_proof_graph_read_proof(duet_proof_text *text, const duet_instance *instance,
                                 int64_t guess, duet_watch *watch, duet_proof_graph_counts *counts)
{
    line_check check = {.text = text, .watch = watch};
    place(&check, duet_proof_graph_state_init(&check.state, instance, guess, watch, &check.why));
    read_lines(&check);
    *counts = check.counts;
    free_check(&check);
}
