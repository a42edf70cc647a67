// SPDX-License-Identifier: Apache-2.0
// Task graphs as TGFF ("task graphs for free", Dick, Rhodes, Wolf, 1998) writes them: blocks of
// tasks and arcs, each of a type, and blocks of tables that say what a type takes. A comment names
// the columns of a table:
//
//     @TASK_GRAPH 0 { TASK t0_0 TYPE 0  ARC a0_0 FROM t0_0 TO t0_1 TYPE 0 }
//     @PE 0 {
//     # type exec_time
//       0    14
//     }
//
// A table with a time is a processor type, pe0, whose count is not known. One with a size or a
// quantity says how much data an arc of a type has. The type of a task is also its group. Each
// graph counts once, from time 0, so that "HARD_DEADLINE d0_0 ON t0_1 AT 300" is the deadline of a
// task.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"

enum { WORD = 64, MOST_WORDS = 64, MOST_ROWS = 4096 };

typedef struct tgff_task {
    uint32_t name;
    int64_t type;
    int line;
} tgff_task;

typedef struct tgff_arc {
    uint32_t from, to;
    int64_t type;
    int line;
} tgff_arc;

typedef struct tgff_deadline {
    uint32_t task;
    duet_read_time at;
    bool hard;
    int line;
} tgff_deadline;

// What a table says of a type: a row.
typedef struct tgff_row {
    size_t table;
    int64_t type;
    duet_read_time value;
} tgff_row;

typedef enum table_use { NOTHING, TIMES, DATA } table_use;

typedef struct tgff_reader {
    duet_input *input;
    duet_builder *builder;
    duet_error *error;
    duet_code code;
    // The current line.
    char word[MOST_WORDS][WORD];
    size_t words;
    int line;
    bool comment; // it is one
    // The current block.
    char block[WORD];
    bool inside, graph;
    // The columns of the current table, -1: there are none; and what they are called.
    int type_column, value_column, valid_column;
    char column[MOST_WORDS][WORD];
    size_t columns;
    table_use use;
    // All blocks.
    duet_names names;
    tgff_task *tasks;
    size_t task_count;
    tgff_arc *arcs;
    size_t arc_count;
    tgff_deadline *deadlines;
    size_t deadline_count;
    size_t *due; // of each name, the number of its deadline, from 1; 0: none
    tgff_row *rows;
    size_t row_count;
    size_t tables; // of times
    char table_name[DUET_MAX_TYPES][WORD];
} tgff_reader;

static void fail(tgff_reader *r, const char *what, const char *word)
{
    DUET_THEN(r->code, duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, r->line, 0,
                                         "%s%.60s%s", what, word, word[0] == '\0' ? "" : "\""));
}

static void note(tgff_reader *r, duet_code code)
{
    r->code = r->code == DUET_OK ? code : r->code;
}

// --- lines ---------------------------------------------------------------------------------------

// Reads the words of the next line; false at the end of the file. Braces are words; '#' begins a
// comment, whose words are read as well.
static bool read_line(tgff_reader *r)
{
    r->words = 0;
    r->comment = false;
    r->line = r->input->line;
    if (duet_input_peek(r->input) < 0) {
        note(r, duet_input_check(r->input, r->error));
        return false;
    }
    size_t length = 0;
    for (int byte = duet_input_next(r->input);; byte = duet_input_next(r->input)) {
        bool sign = byte == '{' || byte == '}';
        bool blank = byte <= ' '; // the end, too
        bool starts = byte == '#' && r->words == 0 && length == 0;
        r->comment = r->comment || starts;
        if ((blank || sign || starts) && length > 0) {
            r->words++;
            length = 0;
        }
        if (byte < 0 || byte == '\n') {
            return r->code == DUET_OK;
        }
        if (r->words == MOST_WORDS || length + 1 == WORD) {
            fail(r, "a line with too many or too long words; expected at most 64 of 63 bytes", "");
            return false;
        }
        if (!blank && !starts) {
            r->word[r->words][length++] = (char)byte;
            r->word[r->words][length] = '\0';
        }
        if (sign) {
            r->words++;
            length = 0;
        }
    }
}

static int find_word(const tgff_reader *r, const char *const *names)
{
    for (size_t i = 0; i < r->words; i++) {
        for (size_t n = 0; names[n] != NULL; n++) {
            if (strcasecmp(r->word[i], names[n]) == 0) {
                return (int)i;
            }
        }
    }
    return -1;
}

// The word behind one; "" if no word follows.
static const char *word_after(const tgff_reader *r, const char *name)
{
    const char *const names[] = {name, NULL};
    int at = find_word(r, names);
    return at < 0 || (size_t)at + 1 >= r->words ? "" : r->word[at + 1];
}

static int64_t whole(tgff_reader *r, const char *text)
{
    char *end = NULL;
    long long value = strtoll(text, &end, 10);
    if (text[0] == '\0' || *end != '\0' || value < 0) {
        fail(r, "expected a type, a whole number, got \"", text[0] == '\0' ? "nothing" : text);
    }
    return value;
}

static void pass(tgff_reader *r, const char *name)
{
    const duet_field field = {DUET_FIELD_PART, name, r->line, 0};
    bool period = strcasecmp(name, "PERIOD") == 0 || strcasecmp(name, "HYPERPERIOD") == 0;
    if (r->code == DUET_OK) {
        note(r, duet_field_pass(r->input->fields, &field,
                                period ? "each graph runs once, from time 0" : NULL, r->input->name,
                                r->error));
    }
}

// --- blocks --------------------------------------------------------------------------------------

static uint32_t name_of(tgff_reader *r, const char *text)
{
    uint32_t number = 0;
    if (text[0] == '\0') {
        fail(r, "expected the name of a task", "");
    }
    if (r->code == DUET_OK) {
        note(r, duet_names_add(&r->names, 0, text, &number, r->error));
    }
    return number;
}

static void read_task(tgff_reader *r)
{
    const tgff_task task = {name_of(r, word_after(r, "TASK")), whole(r, word_after(r, "TYPE")),
                            r->line};
    if (r->code == DUET_OK) {
        note(r, duet_vec_push(r->tasks, r->task_count, r->error, task));
    }
}

static void read_arc(tgff_reader *r)
{
    const tgff_arc arc = {name_of(r, word_after(r, "FROM")), name_of(r, word_after(r, "TO")),
                          whole(r, word_after(r, "TYPE")), r->line};
    if (r->code == DUET_OK) {
        note(r, duet_vec_push(r->arcs, r->arc_count, r->error, arc));
    }
}

static const char hard_deadline[] = "HARD_DEADLINE";
static const char soft_deadline[] = "SOFT_DEADLINE";

// "HARD_DEADLINE d0_0 ON t0_1 AT 300".
static void read_deadline(tgff_reader *r)
{
    const char *at = word_after(r, "AT");
    tgff_deadline deadline = {name_of(r, word_after(r, "ON")),
                              {.forbidden = false},
                              strcasecmp(r->word[0], hard_deadline) == 0,
                              r->line};
    if (r->code == DUET_OK) {
        note(r, duet_read_time_text(at, strlen(at), (duet_place){r->input->name, r->line, 0},
                                    &deadline.at, r->error));
    }
    if (r->code == DUET_OK) {
        note(r, duet_vec_push(r->deadlines, r->deadline_count, r->error, deadline));
    }
}

// A comment that names the columns of a table.
static void read_columns(tgff_reader *r)
{
    static const char *const types[] = {"type", NULL};
    static const char *const times[] = {"exec_time", "task_time", "time", "exectime", NULL};
    static const char *const sizes[] = {"quantity", "size", "bytes", "bits", "data", NULL};
    static const char *const valid[] = {"valid", NULL};
    int time = find_word(r, times);
    int size = find_word(r, sizes);
    if (r->word[0][0] != '-') { // no line under a header
        memcpy(r->column, r->word, sizeof r->word);
        r->columns = r->words;
    }
    if (find_word(r, types) < 0 || (time < 0 && size < 0)) {
        return;
    }
    r->type_column = find_word(r, types);
    r->valid_column = find_word(r, valid);
    r->value_column = time >= 0 ? time : size;
    r->use = time >= 0 ? TIMES : DATA;
    if (r->use == TIMES && r->tables == DUET_MAX_TYPES) {
        fail(r, "too many tables of times; expected at most 64", "");
    } else if (r->use == TIMES) {
        memcpy(r->table_name[r->tables++], r->block, sizeof r->block);
    }
}

// What a row says beside what is used, by the names of its columns.
static void pass_columns(tgff_reader *r)
{
    for (int i = 0; i < (int)r->words; i++) {
        bool used = r->use != NOTHING &&
                    (i == r->type_column || i == r->value_column || i == r->valid_column);
        if (!used) {
            pass(r, (size_t)i < r->columns ? r->column[i] : r->block);
        }
    }
}

static void read_row(tgff_reader *r)
{
    pass_columns(r);
    if (r->use == NOTHING) {
        return;
    }
    if (r->words <= (size_t)r->value_column || r->words <= (size_t)r->type_column) {
        fail(r, "too few columns; expected as many as the comment above the table names", "");
        return;
    }
    const char *text = r->word[r->value_column];
    bool forbidden = r->valid_column >= 0 && (size_t)r->valid_column < r->words &&
                     strcmp(r->word[r->valid_column], "0") == 0;
    if (r->row_count == MOST_ROWS) {
        fail(r, "too many rows in tables; expected at most 4096", "");
        return;
    }
    tgff_row row = {r->use == TIMES ? r->tables - 1 : SIZE_MAX,
                    whole(r, r->word[r->type_column]),
                    {.forbidden = forbidden}};
    if (r->code == DUET_OK && !forbidden) {
        note(r, duet_read_time_text(text, strlen(text), (duet_place){r->input->name, r->line, 0},
                                    &row.value, r->error));
    }
    if (r->code == DUET_OK) {
        note(r, duet_vec_push(r->rows, r->row_count, r->error, row));
    }
}

// "@PE 0 {": the name of the block is pe0.
static void open_block(tgff_reader *r)
{
    size_t length = strlen(r->word[0] + 1);
    bool numbered = r->words > 1 && r->word[1][0] != '{';
    snprintf(r->block, sizeof r->block, "%s", r->word[0] + 1);
    for (size_t i = 0; i < length; i++) {
        r->block[i] = (char)tolower((unsigned char)r->block[i]);
    }
    if (numbered && length + strlen(r->word[1]) < sizeof r->block) {
        memcpy(r->block + length, r->word[1], strlen(r->word[1]) + 1);
    }
    r->graph = strcasecmp(r->word[0], "@TASK_GRAPH") == 0;
    r->inside = strcmp(r->word[r->words - 1], "{") == 0;
    r->use = NOTHING;
    r->columns = 0;
    if (!r->inside) {
        pass(r, r->word[0] + 1); // "@HYPERPERIOD 300"
    }
}

static void take_line(tgff_reader *r)
{
    if (r->words == 0) {
        return;
    }
    if (r->comment) {
        if (r->inside && !r->graph) {
            read_columns(r);
        }
    } else if (r->word[0][0] == '@') {
        open_block(r);
    } else if (strcmp(r->word[0], "}") == 0) {
        r->inside = false;
    } else if (!r->inside) {
        fail(r, "expected a block, such as @TASK_GRAPH 0 {, got \"", r->word[0]);
    } else if (!r->graph) {
        read_row(r);
    } else if (strcasecmp(r->word[0], "TASK") == 0) {
        read_task(r);
    } else if (strcasecmp(r->word[0], "ARC") == 0) {
        read_arc(r);
    } else if ((strcasecmp(r->word[0], hard_deadline) == 0 ||
                strcasecmp(r->word[0], soft_deadline) == 0) &&
               !duet_field_is_ignored(r->input->fields, r->word[0])) {
        read_deadline(r);
    } else {
        pass(r, r->word[0]);
    }
}

// --- the instance --------------------------------------------------------------------------------

static const tgff_row *find_row(const tgff_reader *r, size_t table, int64_t type)
{
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->rows[i].table == table && r->rows[i].type == type) {
            return &r->rows[i];
        }
    }
    return NULL;
}

static void build_task(tgff_reader *r, const tgff_task *task, duet_field_uses *fields)
{
    duet_read_time times[DUET_MAX_TYPES];
    const char *name = duet_names_text(&r->names, task->name);
    bool timed = false;
    for (size_t t = 0; t < r->tables; t++) {
        const tgff_row *row = find_row(r, t, task->type);
        times[t] = row == NULL ? (duet_read_time){.forbidden = true} : row->value;
        timed = timed || row != NULL;
    }
    bool rest = !timed && duet_field_take_default(fields, times, r->tables == 0 ? 1 : r->tables);
    r->line = task->line;
    if (!timed && !rest) {
        fail(r,
             "no table has the time of this type of task; expected one such as @PE 0 { with the "
             "columns type and exec_time, or -O time=1, for task \"",
             name);
    }
    const duet_read_kind kind = {.id = name,
                                 .id_length = strlen(name),
                                 .count = 1,
                                 .times = times,
                                 .time_count = r->tables > 0 ? r->tables : 1,
                                 .line = task->line};
    char group[WORD];
    int length = snprintf(group, sizeof group, "type %" PRId64, task->type);
    if (r->code == DUET_OK) {
        note(r, duet_builder_add_kind(r->builder, &kind, r->error));
    }
    if (r->code == DUET_OK) {
        note(r, duet_builder_set_group(r->builder, group, (size_t)length, r->error));
    }
    if (r->code == DUET_OK && r->due[task->name] > 0) {
        note(r, duet_builder_set_deadline(r->builder, &r->deadlines[r->due[task->name] - 1].at,
                                          r->error));
    }
}

// The part of a number behind its point, in units of the smallest place of all.
static duet_uint128 fraction_of(duet_decimal value)
{
    duet_uint128 one = duet_power_of_ten(value.places);
    return (duet_uint128)value.mantissa % one *
           duet_power_of_ten(DUET_DECIMAL_MOST_PLACES - value.places);
}

static bool is_earlier(const duet_read_time *a, const duet_read_time *b)
{
    duet_uint128 whole_a = (duet_uint128)a->value.mantissa / duet_power_of_ten(a->value.places);
    duet_uint128 whole_b = (duet_uint128)b->value.mantissa / duet_power_of_ten(b->value.places);
    duet_uint128 part_a = fraction_of(a->value);
    duet_uint128 part_b = fraction_of(b->value);
    return whole_a != whole_b ? whole_a < whole_b
           : part_a != part_b ? part_a < part_b
                              : a->tail < b->tail;
}

// Takes a deadline of a task or passes over it: a hard one counts before a soft one, else the
// earlier.
static void take_deadline(tgff_reader *r, size_t which)
{
    const tgff_deadline *passed = &r->deadlines[which];
    size_t *due = &r->due[passed->task];
    const tgff_deadline *taken = *due == 0 ? NULL : &r->deadlines[*due - 1];
    if (taken == NULL ||
        (passed->hard != taken->hard ? passed->hard : is_earlier(&passed->at, &taken->at))) {
        passed = taken;
        *due = which + 1;
    }
    if (passed != NULL) {
        r->line = passed->line;
        pass(r, passed->hard ? hard_deadline : soft_deadline);
    }
}

// Finds the deadline of each task.
static void sort_deadlines(tgff_reader *r)
{
    r->due = duet_alloc(r->names.count + 1, sizeof *r->due, r->error);
    bool *known = duet_alloc(r->names.count + 1, sizeof *known, r->error);
    if (r->due == NULL || known == NULL) {
        note(r, DUET_E_MEMORY);
    }
    for (size_t i = 0; i < r->task_count && r->code == DUET_OK; i++) {
        known[r->tasks[i].name] = true;
    }
    for (size_t i = 0; i < r->deadline_count && r->code == DUET_OK; i++) {
        const tgff_deadline *deadline = &r->deadlines[i];
        r->line = deadline->line;
        if (known[deadline->task]) {
            take_deadline(r, i);
        } else {
            fail(r, "a deadline of an unknown task, \"",
                 duet_names_text(&r->names, deadline->task));
        }
    }
    duet_free(known);
}

static void build_arc(tgff_reader *r, const tgff_arc *arc)
{
    const char *from = duet_names_text(&r->names, arc->from);
    const char *to = duet_names_text(&r->names, arc->to);
    const tgff_row *row = find_row(r, SIZE_MAX, arc->type);
    const duet_read_edge edge = {.from = {from, strlen(from), 0, false},
                                 .to = {to, strlen(to), 0, false},
                                 .form = row == NULL ? DUET_COST_NONE : DUET_COST_DATA,
                                 .cost = row == NULL ? NULL : &row->value,
                                 .cost_count = row != NULL,
                                 .line = arc->line};
    const duet_field_uses *fields = r->input->fields;
    r->line = arc->line;
    if (row != NULL && (fields == NULL || !fields->transfer)) {
        const duet_field field = {DUET_FIELD_EDGE, "quantity", arc->line, 0};
        note(r, duet_field_pass(r->input->fields, &field, DUET_FIELD_DATA_USE, r->input->name,
                                r->error));
    }
    if (r->code == DUET_OK) {
        note(r, duet_builder_add_edge(r->builder, &edge, r->error));
    }
}

static void build(tgff_reader *r)
{
    static const duet_read_transfer free_data = {.line = 0};
    note(r, duet_builder_set_transfer(r->builder, &free_data, r->error));
    sort_deadlines(r);
    for (size_t t = 0; t < r->tables && r->code == DUET_OK; t++) {
        note(r, duet_builder_add_type(r->builder, r->table_name[t], -1, 0, 0, r->error));
    }
    for (size_t i = 0; i < r->task_count && r->code == DUET_OK; i++) {
        build_task(r, &r->tasks[i], r->input->fields);
    }
    for (size_t i = 0; i < r->arc_count && r->code == DUET_OK; i++) {
        build_arc(r, &r->arcs[i]);
    }
}

duet_code duet_read_instance_tgff(duet_input *input, duet_builder *builder, duet_error *error)
{
    tgff_reader *r = duet_alloc(1, sizeof *r, error);
    DUET_NEED(r);
    *r = (tgff_reader){.input = input, .builder = builder, .error = error};
    while (r->code == DUET_OK && read_line(r)) {
        take_line(r);
    }
    if (r->code == DUET_OK) {
        build(r);
    }
    duet_code code = r->code;
    duet_names_free(&r->names);
    duet_free(r->tasks);
    duet_free(r->arcs);
    duet_free(r->deadlines);
    duet_free(r->due);
    duet_free(r->rows);
    duet_free(r);
    return code;
}
