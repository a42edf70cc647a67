// SPDX-License-Identifier: Apache-2.0
// Machines of a network, each of its own speed, and the links between them.
#include "instances/formats/json/machines.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/json/members.h"
#include "instances/formats/json/times.h"

void duet_json_machines_free(duet_json_machines *machines)
{
    duet_names_free(&machines->names);
    duet_free(machines->links);
}

// The next token as the name of a machine, which some programs number.
static uint32_t read_name(duet_json_machines *machines)
{
    duet_json *json = machines->json;
    uint32_t number = 0;
    if (duet_json_next(json) == DUET_OK && json->token != DUET_JSON_STRING &&
        json->token != DUET_JSON_NUMBER) {
        duet_json_expected(json, "the name of a machine, a string");
    }
    duet_json_then(json, duet_names_add(&machines->names, 0, json->text, &number, json->error));
    return number;
}

// The next token as a speed; Infinity, which reads as null, where *free may be set.
static void read_speed(duet_json *json, duet_read_time *speed, bool *free)
{
    if (duet_json_next(json) != DUET_OK) {
        return;
    }
    if (free != NULL && json->token == DUET_JSON_NULL) {
        *free = true;
        return;
    }
    duet_json_read_number(json, "a speed", true, speed);
}

static void read_machine(duet_json_machines *machines)
{
    enum { NAME, ID, SPEED };
    static const char *const names[] = {"name", "id", "speed", NULL};
    duet_json *json = machines->json;
    duet_json_object object = duet_json_open(json, names);
    duet_read_speed machine = {.line = object.line, .column = object.column};
    uint32_t name = 0;
    while (duet_json_member(json, &object)) {
        if (object.which == NAME || object.which == ID) {
            name = read_name(machines);
        } else if (object.which == SPEED) {
            read_speed(json, &machine.speed, NULL);
        } else {
            duet_json_pass(json, DUET_FIELD_TYPE, NULL);
        }
    }
    if ((object.seen & 1U << ID) == 0) {
        duet_json_require(json, &object, 1U << NAME, "the machine");
    }
    duet_json_require(json, &object, 1U << SPEED, "the machine");
    if (json->code == DUET_OK && machines->count == DUET_MAX_TYPES) {
        duet_json_fail(json,
                       "more than %d machines, each of its own speed; expected fewer, or a "
                       "platform with types and counts",
                       DUET_MAX_TYPES);
    }
    if (json->code == DUET_OK) {
        machines->of[machines->count] = name;
        machines->speeds[machines->count++] = machine;
    }
}

void duet_json_read_machines(duet_json_machines *machines)
{
    duet_json *json = machines->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of machines");
    while (duet_json_element_of(json, DUET_JSON_OBJECT,
                                "a machine, {\"name\": ..., \"speed\": ...}")) {
        read_machine(machines);
    }
}

static void read_link(duet_json_machines *machines)
{
    enum { SOURCE, TARGET, SPEED };
    static const char *const names[] = {"source", "target", "speed", NULL};
    duet_json *json = machines->json;
    duet_json_object object = duet_json_open(json, names);
    duet_json_link link = {.line = object.line, .column = object.column};
    while (duet_json_member(json, &object)) {
        if (object.which == SOURCE) {
            link.from = read_name(machines);
        } else if (object.which == TARGET) {
            link.to = read_name(machines);
        } else if (object.which == SPEED) {
            read_speed(json, &link.speed, &link.free);
        } else {
            duet_json_pass(json, DUET_FIELD_PART, NULL);
        }
    }
    duet_json_require(json, &object, 1U << SOURCE | 1U << TARGET | 1U << SPEED, "the link");
    duet_json_then(json, duet_vec_push(machines->links, machines->link_count, json->error, link));
}

void duet_json_read_machine_links(duet_json_machines *machines)
{
    duet_json *json = machines->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array of links between machines");
    while (duet_json_element_of(json, DUET_JSON_OBJECT,
                                "a link, {\"source\": ..., \"target\": ..., \"speed\": ...}")) {
        read_link(machines);
    }
}

// --- types ---------------------------------------------------------------------------------------

static size_t machine_of(const duet_json_machines *machines, uint32_t name)
{
    size_t m = 0;
    while (m < machines->count && machines->of[m] != name) {
        m++;
    }
    return m;
}

// The time of a unit of data.
static duet_read_time per_unit(const duet_json_link *link)
{
    static const duet_long_decimal one = {{1, 0}, DUET_DECIMAL_NO_TAIL};
    duet_read_time time = {.forbidden = false};
    duet_long_decimal made;
    if (!link->free && duet_decimal_quotient(
                           one, (duet_long_decimal){link->speed.value, link->speed.tail}, &made)) {
        time.value = made.value;
        time.tail = made.tail;
    }
    return time;
}

// Rows of times per unit. A link counts both ways unless there is one back.
static void fill_rates(duet_json_machines *machines, duet_read_time *rate, bool *known)
{
    duet_json *json = machines->json;
    size_t count = machines->count;
    for (int back = 0; back < 2; back++) {
        for (size_t i = 0; i < machines->link_count && json->code == DUET_OK; i++) {
            const duet_json_link *link = &machines->links[i];
            size_t from = machine_of(machines, back ? link->to : link->from);
            size_t to = machine_of(machines, back ? link->from : link->to);
            json->line = link->line;
            json->column = link->column;
            if (from == count || to == count) {
                duet_json_fail(json,
                               "a link of the unknown machine \"%.60s\"; expected those of "
                               "\"nodes\"",
                               duet_names_text(&machines->names,
                                               from == count ? (back ? link->to : link->from)
                                                             : (back ? link->from : link->to)));
                return;
            }
            if (!known[from * count + to]) {
                rate[from * count + to] = per_unit(link);
                known[from * count + to] = true;
            }
        }
    }
}

static void check_rates(duet_json_machines *machines, const bool *known)
{
    duet_json *json = machines->json;
    for (size_t a = 0; a < machines->count && json->code == DUET_OK; a++) {
        for (size_t b = 0; b < machines->count && json->code == DUET_OK; b++) {
            if (a != b && !known[a * machines->count + b]) {
                duet_json_fail(json,
                               "no link between the machines \"%.60s\" and \"%.60s\"; "
                               "expected one between any two",
                               machines->speeds[a].name, machines->speeds[b].name);
            }
        }
    }
}

void duet_json_settle_machines(duet_json_machines *machines)
{
    duet_json *json = machines->json;
    size_t count = machines->count;
    if (json->code != DUET_OK || count == 0) {
        return;
    }
    duet_read_time *rate = duet_alloc(count * count, sizeof *rate, json->error);
    bool *known = duet_alloc(count * count, sizeof *known, json->error);
    if (rate == NULL || known == NULL) {
        duet_json_note(json, DUET_E_MEMORY);
    } else {
        for (size_t m = 0; m < count; m++) {
            machines->speeds[m].name = duet_names_text(&machines->names, machines->of[m]);
        }
        fill_rates(machines, rate, known);
        if (machines->link_count > 0) {
            check_rates(machines, known);
        }
        for (size_t m = 0; m < count; m++) {
            rate[m * count + m] = (duet_read_time){.forbidden = false};
        }
    }
    const duet_read_transfer transfer = {.per_unit = rate,
                                         .per_unit_count = count * count,
                                         .line = machines->speeds[0].line,
                                         .column = machines->speeds[0].column};
    if (json->code == DUET_OK) {
        duet_json_note(
            json, duet_builder_set_speeds(machines->builder, machines->speeds, count, json->error));
    }
    if (json->code == DUET_OK && machines->link_count > 0) {
        duet_json_note(json, duet_builder_set_transfer(machines->builder, &transfer, json->error));
    }
    duet_free(rate);
    duet_free(known);
}
