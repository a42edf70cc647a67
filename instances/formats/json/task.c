// SPDX-License-Identifier: Apache-2.0
// A task of an instance in JSON: its times are an array in the order of the types, or an object
// with a member for each type, or members of the task itself, as tables become JSON, record by
// record: {"id": "a", "cpu": 3.5, "gpu": null}. The first task whose times are named gives the
// types unless the platform stands before it. A moldable task has tables or laws in their place, or
// one law for all types: {"id": "a", "work": 40, "alpha": 0.1}.
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "core/instance/moment.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/json/members.h"
#include "instances/formats/json/task_state.h"
#include "instances/formats/when.h"

static const char *const members[] = {"id",    "task",  "name", "index", "count",
                                      "times", "after", "work", "alpha", NULL};

void duet_json_task_free(duet_json_task_reader *reader)
{
    duet_free(reader->id);
    duet_free(reader->group);
    duet_free(reader->names);
    duet_free(reader->values.value);
    duet_json_tape_free(&reader->where.types);
    reader->id = NULL;
    reader->group = NULL;
    reader->names = NULL;
}

void duet_json_read_id(duet_json_task_reader *reader)
{
    duet_json *json = reader->json;
    duet_json_then(json, duet_vec_reserve(reader->id, json->length + 1, json->error));
    if (json->code == DUET_OK) {
        memcpy(reader->id, json->text, json->length + 1);
        reader->id_length = json->length;
    }
}

// What is no id since another member is, goes into the ledger. That tables number their rows says
// nothing.
static void pass_id(duet_json_task_reader *reader, duet_json_id_rank rank, const char *name)
{
    duet_json *json = reader->json;
    if (rank > DUET_JSON_NO_ID && reader->other_id[0] == '\0') {
        snprintf(reader->other_id, sizeof reader->other_id, "%s", name);
    }
    if (rank > DUET_JSON_NUMBERS_TASK) {
        duet_json_pass_named(json, DUET_FIELD_TASK, name, NULL);
    }
}

// The id, or what may be one where no member of a higher rank is; the first of its rank counts.
static void read_id(duet_json_task_reader *reader, duet_json_task *task, duet_json_id_rank rank)
{
    duet_json *json = reader->json;
    char name[DUET_FIELD_KEPT + 1];
    snprintf(name, sizeof name, "%s", json->text);
    if (duet_json_next(json) != DUET_OK ||
        (rank < DUET_JSON_IS_ID && json->token == DUET_JSON_NULL)) {
        return;
    }
    if (json->token != DUET_JSON_STRING && json->token != DUET_JSON_NUMBER) {
        if (rank >= DUET_JSON_IS_ID) {
            duet_json_expected(json, "the task's id, a string");
        }
        duet_json_pass_named(json, DUET_FIELD_TASK, name, "it is neither a text nor a number");
        duet_json_skip_rest(json);
    } else if (rank <= task->id_rank) {
        pass_id(reader, rank, name);
    } else {
        bool number = json->token == DUET_JSON_NUMBER;
        pass_id(reader, task->id_rank, task->id_name);
        task->id_line = number ? json->line : 0;
        task->id_column = number ? json->column : 0;
        task->id_rank = rank;
        snprintf(task->id_name, sizeof task->id_name, "%s", name);
        duet_json_read_id(reader);
    }
}

// Whether the caller has picked processor types.
static bool picks_types(const duet_field_uses *fields)
{
    char name[DUET_FIELD_TYPE_NAME];
    size_t which = 0;
    return fields != NULL && fields->picks != NULL && duet_field_next_type(fields, &which, name);
}

// The value of a member that may be a time, which is the current token. Whether it is one: a
// number, also in quotes, nothing, or in quotes a length of time, which is in seconds.
static bool take_time(const duet_json *json, duet_json_named_time *named)
{
    duet_read_time *time = &named->time.time;
    named->time = (duet_json_time){.time = {.forbidden = json->token == DUET_JSON_NULL}};
    named->fault = DUET_DECIMAL_OK;
    named->length = false;
    named->line = json->line;
    named->column = json->column;
    if (json->token == DUET_JSON_NULL) {
        return true;
    }
    if (json->token != DUET_JSON_NUMBER && json->token != DUET_JSON_STRING) {
        return false;
    }
    bool text = json->token == DUET_JSON_STRING;
    if (text && json->length == 0) {
        time->forbidden = true;
        return named->known;
    }
    named->fault = duet_decimal_read(json->text, json->length, &time->value, &time->tail);
    if (text && named->fault == DUET_DECIMAL_SYNTAX) {
        named->fault = DUET_DECIMAL_OK;
        named->length = duet_duration_read(json->text, json->length, time);
        return named->length;
    }
    return true;
}

// A time, which has a name, so that it may also be in quotes.
static void read_named_time(duet_json_task_reader *reader, duet_json_named_time *named)
{
    duet_json *json = reader->json;
    if (json->token != DUET_JSON_STRING) {
        duet_json_read_entry(json, &reader->values, &named->time);
        return;
    }
    named->known = true;
    if (!take_time(json, named) || named->fault != DUET_DECIMAL_OK) {
        duet_json_expected(json, "a time: a number, or null where it cannot run");
    }
}

static void read_named_times(duet_json_task_reader *reader)
{
    static const char *const none[] = {NULL};
    duet_json *json = reader->json;
    duet_json_object object = duet_json_open(json, none);
    reader->named_count = 0; // members of the task itself are none
    reader->names_used = 0;
    while (duet_json_member(json, &object)) {
        const duet_csv_pick *pick = duet_field_pick(json->input->fields, json->text);
        if (pick == NULL && picks_types(json->input->fields)) {
            duet_json_skip(json); // passed over as asked
        } else if (duet_json_keep_name(reader, pick == NULL ? json->text : pick->name) &&
                   duet_json_next(json) == DUET_OK) {
            read_named_time(reader, &reader->named[reader->named_count++]);
        }
    }
}

static void read_times(duet_json_task_reader *reader, duet_json_task *task)
{
    duet_json *json = reader->json;
    if (duet_json_next(json) == DUET_OK && json->token == DUET_JSON_OBJECT) {
        duet_json_pass_times(reader, task);
        task->named = true;
        read_named_times(reader);
        return;
    }
    if (json->code == DUET_OK && json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, "an array with one time per processor type");
    }
    while (json->code == DUET_OK && duet_json_element(json)) {
        if (task->time_count == DUET_MAX_TYPES) {
            duet_json_fail(json, "too many times; expected at most %d", DUET_MAX_TYPES);
        } else {
            duet_json_read_entry(json, &reader->values, &task->times[task->time_count++]);
        }
    }
}

// A member that may be the time on a type of that name, whose value comes next. What is none goes
// into the ledger.
static void read_time_member(duet_json_task_reader *reader, const char *type)
{
    duet_json *json = reader->json;
    if (!duet_json_keep_name(reader, type)) {
        return;
    }
    duet_json_named_time *named = &reader->named[reader->named_count];
    const char *name = reader->names + named->name;
    size_t types = duet_builder_types(reader->builder);
    named->known = duet_builder_find_type(reader->builder, name) < types ||
                   duet_field_is_type(json->input->fields, name);
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (take_time(json, named)) {
        reader->named_count++;
    } else if (named->known) {
        duet_json_expected(json, "a time: a number, or null where it cannot run");
    } else if (duet_field_meaning(name) == DUET_MEANS_CORES) {
        duet_json_guard_named(json, DUET_FIELD_TASK, name);
    } else {
        duet_json_pass_member(json, DUET_FIELD_TASK, name);
    }
}

// The order, which several members may say.
static void read_order(duet_json_task_reader *reader, int which)
{
    duet_json *json = reader->json;
    duet_json_edges *edges = reader->edges;
    char name[DUET_FIELD_KEPT + 1];
    size_t given = edges->orders[which];
    if (given == DUET_JSON_MOST_ORDERS) {
        duet_json_pass(json, DUET_FIELD_TASK, NULL);
        return;
    }
    snprintf(name, sizeof name, "%s", json->text);
    duet_json_read_order(edges, which);
    if (json->code == DUET_OK && edges->order[which][given].kept > 0) {
        duet_json_note(json, duet_field_take_order(json->input->fields, DUET_FIELD_TASK, name,
                                                   reader->builder, json->error));
    }
}

// The weight of a task is its time where it has nothing else: so graphs of other programs have it.
static void read_weight(duet_json_task_reader *reader, duet_json_task *task)
{
    duet_json *json = reader->json;
    bool settled = task->named || (task->object.seen & 1U << DUET_JSON_TIMES) != 0;
    if (settled || reader->weights == DUET_JSON_WEIGHTS_NO_TIMES ||
        (task->has & DUET_JSON_HAS_WEIGHT) != 0) {
        duet_json_pass(json, DUET_FIELD_TASK, NULL);
        return;
    }
    if (duet_json_next(json) == DUET_OK) {
        task->has |= take_time(json, &task->weight) ? DUET_JSON_HAS_WEIGHT : 0U;
        duet_json_skip_rest(json);
    }
}

// The current token, if it is a day and perhaps a time of it. True: it is, or it is refused.
static bool take_moment(duet_json *json, const char *name, duet_read_when *when)
{
    const duet_field field = {DUET_FIELD_TASK, name, json->line, json->column};
    bool dated = false;
    if (json->token == DUET_JSON_STRING) {
        duet_json_note(json, duet_read_moment(json->input->fields, &field, json->text,
                                              json->input->name, &dated, when, json->error));
    }
    return dated;
}

// A time of the task itself, called `what` and explained by `meaning`, unless it was read from
// another member.
static void read_own_time(duet_json_task_reader *reader, const char *what, const char *meaning,
                          duet_json_task *task, unsigned has, duet_read_when *when)
{
    duet_json *json = reader->json;
    duet_json_named_time named = {.known = true};
    char advice[DUET_FIELD_ADVICE];
    char name[DUET_FIELD_KEPT + 1];
    duet_field_ignore_advice(json->text, advice);
    snprintf(name, sizeof name, "%s", json->text);
    if ((task->has & has) != 0 || duet_field_is_ignored(json->input->fields, json->text)) {
        duet_json_pass(json, DUET_FIELD_TASK, NULL);
        return;
    }
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (take_moment(json, name, when)) {
        task->has |= has;
        return;
    }
    if (!take_time(json, &named) || named.fault == DUET_DECIMAL_SYNTAX) {
        char expected[DUET_FIELD_ADVICE + 120];
        snprintf(expected, sizeof expected,
                 "a %s, the time %s: a number of at least 0, a day such as "
                 "2026-12-01 14:00, or %s",
                 what, meaning, advice);
        duet_json_expected(json, expected);
    } else if (named.fault != DUET_DECIMAL_OK) {
        duet_json_fail(json, "%s %.40s: expected %s, or %s", what, json->text,
                       duet_decimal_expected(named.fault), advice);
    } else if (!named.time.time.forbidden) {
        const duet_field field = {DUET_FIELD_TASK, name, json->line, json->column};
        when->time = named.time.time;
        reader->durations = reader->durations || named.length;
        duet_see_serial(json->input->fields, &field, has == DUET_JSON_HAS_DEADLINE, json->text,
                        when);
    }
    task->has |= has;
}

static void read_release(duet_json_task_reader *reader, duet_json_task *task)
{
    read_own_time(reader, "release", "before which the task does not start", task,
                  DUET_JSON_HAS_RELEASE, &task->release);
}

static void read_deadline(duet_json_task_reader *reader, duet_json_task *task)
{
    read_own_time(reader, "deadline", "by which the task is to have ended", task,
                  DUET_JSON_HAS_DEADLINE, &task->deadline);
}

// A number; what else it may be is passed over. Whoever does not use it says so.
static void read_priority(duet_json_task_reader *reader, duet_json_task *task)
{
    static const char name[] = "priority";
    duet_json *json = reader->json;
    if ((task->has & DUET_JSON_HAS_PRIORITY) != 0 ||
        duet_field_is_ignored(json->input->fields, json->text)) {
        duet_json_pass(json, DUET_FIELD_TASK, NULL);
        return;
    }
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return;
    }
    bool ranked = json->token == DUET_JSON_NUMBER &&
                  duet_field_priority(json->text, json->length, &task->priority);
    task->has |= ranked ? DUET_JSON_HAS_PRIORITY : 0U;
    duet_json_pass_named(json, DUET_FIELD_TASK, name, ranked ? DUET_FIELD_PRIORITY_USE : NULL);
    duet_json_skip_rest(json);
}

// What the task belongs to, a text or a number, unless it was read from another member.
static void read_group(duet_json_task_reader *reader, duet_json_task *task)
{
    duet_json *json = reader->json;
    if ((task->has & DUET_JSON_HAS_GROUP) != 0 ||
        duet_field_is_ignored(json->input->fields, json->text)) {
        duet_json_pass(json, DUET_FIELD_TASK, NULL);
        return;
    }
    char name[80];
    snprintf(name, sizeof name, "%s", json->text);
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_NULL) {
        return;
    }
    if (json->token != DUET_JSON_STRING && json->token != DUET_JSON_NUMBER) {
        duet_json_pass_named(json, DUET_FIELD_TASK, name, "it is neither a text nor a number");
        duet_json_skip_rest(json);
        return;
    }
    duet_json_note(json, duet_vec_reserve(reader->group, json->length + 1, json->error));
    if (json->code == DUET_OK) {
        memcpy(reader->group, json->text, json->length + 1);
        reader->group_length = json->length;
        task->has |= DUET_JSON_HAS_GROUP;
    }
}

// How many such tasks there are, where the member says so.
static void read_count(duet_json *json, const char *what, int64_t *count)
{
    if (duet_json_next(json) == DUET_OK && json->token != DUET_JSON_NULL) {
        (void)duet_json_this_whole(json, what, 1, DUET_MAX_WORK, count);
    }
}

// The same by another word than "count".
static void read_copies(duet_json_task_reader *reader, duet_json_task *task)
{
    duet_json *json = reader->json;
    char what[2 * DUET_FIELD_ADVICE];
    char advice[DUET_FIELD_ADVICE];
    if ((task->object.seen & 1U << DUET_JSON_COUNT) != 0) {
        duet_json_pass(json, DUET_FIELD_TASK, NULL);
        return;
    }
    duet_field_ignore_advice(json->text, advice);
    snprintf(what, sizeof what, "%s for \"%.60s\", which says how many such tasks there are",
             advice, json->text);
    task->object.seen |= 1U << DUET_JSON_COUNT;
    read_count(json, what, &task->count);
}

// A release, a deadline or a group; false where the name means none of them, or has to be the very
// word and is not.
static bool read_own(duet_json_task_reader *reader, duet_json_task *task, const char *name,
                     bool exact)
{
    static const struct {
        duet_meaning meaning;
        const char *name;
        void (*read)(duet_json_task_reader *reader, duet_json_task *task);
    } own[] = {{DUET_MEANS_RELEASE, "release", read_release},
               {DUET_MEANS_DEADLINE, "deadline", read_deadline},
               {DUET_MEANS_GROUP, "group", read_group}};
    duet_meaning meaning = duet_field_meaning(name);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (meaning == own[i].meaning && (!exact || strcasecmp(name, own[i].name) == 0)) {
            own[i].read(reader, task);
            return true;
        }
    }
    return false;
}

// What the caller has picked: it is the type, or the member, of that name.
static void read_picked(duet_json_task_reader *reader, duet_json_task *task,
                        const duet_csv_pick *pick)
{
    if (strcmp(pick->name, "id") == 0) {
        read_id(reader, task, DUET_JSON_IS_PICKED);
    } else if (strcmp(pick->name, "count") == 0) {
        read_count(reader->json, "the task's count", &task->count);
    } else if (strcmp(pick->name, "after") == 0) {
        read_order(reader, DUET_JSON_BEFORE_IT);
    } else if (strcmp(pick->name, "successors") == 0) {
        read_order(reader, DUET_JSON_BEHIND_IT);
    } else if (strcmp(pick->name, "cores") == 0) {
        duet_json_guard(reader->json, DUET_FIELD_TASK);
    } else if (strcmp(pick->name, "priority") == 0) {
        read_priority(reader, task);
    } else if (!read_own(reader, task, pick->name, true)) {
        read_time_member(reader, pick->name);
    }
}

// A member that this format does not know, by what it means: where there is no "times", it is else
// the time of a type of that name.
static void read_other(duet_json_task_reader *reader, duet_json_task *task)
{
    duet_json *json = reader->json;
    duet_field_uses *fields = json->input->fields;
    const char *name = json->text;
    reader->profiled = reader->profiled || strcmp(name, "profile") == 0;
    task->has |= strcmp(name, "data") == 0 ? DUET_JSON_HAS_DATA : 0U;
    bool times = (task->object.seen & 1U << DUET_JSON_TIMES) != 0; // the member is none then
    bool settled = task->named || times;
    bool type = !times &&
                (duet_field_is_type(fields, name) || duet_builder_find_type(reader->builder, name) <
                                                         duet_builder_types(reader->builder));
    duet_meaning meaning = type ? DUET_MEANS_NOTHING : duet_field_meaning(name);
    const duet_csv_pick *pick = duet_field_pick(fields, name);
    bool picks = fields != NULL && fields->picks != NULL;
    if (!type && duet_json_names_types(name)) {
        duet_json_read_types(reader);
    } else if (pick != NULL && !type) {
        read_picked(reader, task, pick);
    } else if (pick != NULL) {
        read_time_member(reader, name);
    } else if (meaning == DUET_MEANS_AFTER || meaning == DUET_MEANS_BEFORE) {
        read_order(reader,
                   meaning == DUET_MEANS_BEFORE ? DUET_JSON_BEHIND_IT : DUET_JSON_BEFORE_IT);
    } else if (!type && read_own(reader, task, name, picks)) {
        return;
    } else if (meaning == DUET_MEANS_COUNT && !picks) {
        read_copies(reader, task);
    } else if (picks && !duet_meaning_binds(meaning)) {
        duet_json_skip(json); // passed over as asked
    } else if (meaning == DUET_MEANS_PRIORITY && strcasecmp(name, "priority") == 0) {
        read_priority(reader, task);
    } else if (meaning == DUET_MEANS_ID) {
        read_id(reader, task, DUET_JSON_IS_ALIAS);
    } else if (meaning == DUET_MEANS_WEIGHT && strcasecmp(name, "weight") == 0) {
        read_weight(reader, task);
    } else if (meaning == DUET_MEANS_CORES && picks && strcasecmp(name, "cores") != 0) {
        duet_json_pass(json, DUET_FIELD_TASK, NULL);
    } else if (meaning == DUET_MEANS_CORES && strcasecmp(name, "cpus") == 0 && !settled) {
        read_time_member(reader, name); // if "gpus" stands beside
    } else if (meaning == DUET_MEANS_CORES) {
        duet_json_guard(json, DUET_FIELD_TASK);
    } else if (meaning != DUET_MEANS_NOTHING || settled) {
        duet_json_pass_met_member(json, DUET_FIELD_TASK);
    } else {
        read_time_member(reader, name);
    }
}

static void read_member(duet_json_task_reader *reader, duet_json_task *task)
{
    const char *name = reader->json->text;
    const duet_csv_pick *pick = duet_field_pick(reader->json->input->fields, name);
    if (pick != NULL && strcmp(pick->name, name) != 0) {
        read_picked(reader, task, pick);
        return;
    }
    bool plain = task->object.which < 0 || task->object.which == DUET_JSON_AFTER;
    if (pick == NULL && plain && duet_field_is_ignored(reader->json->input->fields, name)) {
        duet_json_pass(reader->json, DUET_FIELD_TASK, NULL);
        return;
    }
    switch (task->object.which) {
    case DUET_JSON_ID:
        read_id(reader, task, DUET_JSON_IS_ID);
        break;
    case DUET_JSON_TASK_ALIAS:
    case DUET_JSON_NAME_ALIAS:
        read_id(reader, task, DUET_JSON_IS_NAME);
        break;
    case DUET_JSON_INDEX_ALIAS:
        read_id(reader, task, DUET_JSON_NUMBERS_TASK);
        break;
    case DUET_JSON_COUNT:
        read_count(reader->json, "the task's count", &task->count);
        break;
    case DUET_JSON_TIMES:
        read_times(reader, task);
        break;
    case DUET_JSON_AFTER:
        read_order(reader, DUET_JSON_BEFORE_IT);
        break;
    case DUET_JSON_WORK:
        task->law.law = true;
        if (duet_json_next(reader->json) == DUET_OK) {
            duet_json_read_number(reader->json, "work", true, &task->law.work);
        }
        break;
    case DUET_JSON_ALPHA:
        duet_json_read_alpha(reader->json, &task->law.alpha);
        break;
    default:
        read_other(reader, task);
        break;
    }
}

// Hands the task to the builder.
static void add_kind(duet_json_task_reader *reader, const duet_json_task *task)
{
    duet_json *json = reader->json;
    char number[32];
    bool has_id = task->id_rank > DUET_JSON_NO_ID;
    snprintf(number, sizeof number, "t%zu", duet_builder_kinds(reader->builder));
    for (size_t t = 0; t < task->time_count; t++) {
        const duet_json_time *time = &task->times[t];
        reader->times[t] = time->time;
        // The values are where they stay only now; without any there is no memory for them.
        const duet_read_time *table = time->length > 0 ? reader->values.value + time->first : NULL;
        reader->tables[t] = (duet_read_table){.time = table,
                                              .length = time->length,
                                              .law = time->law,
                                              .work = time->work,
                                              .alpha = time->alpha};
    }
    const duet_read_kind kind = {.id = has_id ? reader->id : number,
                                 .id_length = has_id ? reader->id_length : strlen(number),
                                 .count = task->count,
                                 .times = reader->times,
                                 .time_count = task->time_count,
                                 .line = task->object.line,
                                 .column = task->object.column};
    const duet_read_table law = {.law = true, .work = task->law.work, .alpha = task->law.alpha};
    duet_json_note(json, task->law.law
                             ? duet_builder_add_law_kind(reader->builder, &kind, &law, json->error)
                             : duet_builder_add_moldable_kind(reader->builder, &kind,
                                                              reader->tables, json->error));
    int64_t cores = duet_field_take_cores(json->input->fields);
    if (json->code == DUET_OK) {
        duet_json_note(json, duet_builder_set_cores(reader->builder, cores, json->error));
        duet_json_note(json,
                       duet_builder_set_release_when(reader->builder, &task->release, json->error));
    }
    if (json->code == DUET_OK) {
        duet_json_note(
            json, duet_builder_set_deadline_when(reader->builder, &task->deadline, json->error));
    }
    if (json->code == DUET_OK && (task->has & DUET_JSON_HAS_PRIORITY) != 0) {
        duet_json_note(json,
                       duet_builder_set_priority(reader->builder, task->priority, json->error));
    }
    if (json->code == DUET_OK && (task->has & DUET_JSON_HAS_GROUP) != 0) {
        duet_json_note(json, duet_builder_set_group(reader->builder, reader->group,
                                                    reader->group_length, json->error));
    }
}

void duet_json_read_task(duet_json_task_reader *reader)
{
    duet_json *json = reader->json;
    duet_json_task task = {.object = duet_json_open(json, members),
                           .count = 1,
                           .release = {.time = {.forbidden = true}},
                           .deadline = {.time = {.forbidden = true}}};
    reader->named_count = 0;
    reader->names_used = 0;
    reader->id_length = 0;
    reader->values.count = 0;
    reader->where.said = false;
    duet_json_forget_orders(reader->edges);
    while (duet_json_said(json, &task.object, 0)) {
        read_member(reader, &task);
    }
    if (json->code == DUET_OK) {
        duet_json_settle_task(reader, &task);
    }
    if (json->code == DUET_OK) {
        duet_json_forbid_types(reader, &task);
    }
    if (json->code != DUET_OK) {
        return;
    }
    const size_t *orders = reader->edges->orders;
    bool ordered = orders[DUET_JSON_BEFORE_IT] > 0 || orders[DUET_JSON_BEHIND_IT] > 0;
    int64_t first = ordered ? duet_builder_tasks(reader->builder) : 0;
    add_kind(reader, &task);
    duet_json_add_orders(reader->edges, first, task.count);
}
