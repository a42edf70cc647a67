// SPDX-License-Identifier: Apache-2.0
// Paje traces of StarPU's.
#include "instances/formats/starpu/paje.h"

#include <stdlib.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/utf8.h"
#include "core/system/vec.h"

static const char definition[] = "%EventDef";
static const char *const known[DUET_PAJE_KNOWN] = {"Time", "Container", "Type", "SubmitOrder"};

static duet_code fail(const duet_paje_reader *reader, duet_error *error, const char *text,
                      const char *expected)
{
    return duet_error_set_at(error, DUET_E_INPUT, reader->input->name, reader->line, 0,
                             "\"%.40s\": expected %s", text, expected);
}

// --- lines ---------------------------------------------------------------------------------------

// Reads a line without its end; *more is false at the end of the file.
static duet_code read_line(duet_paje_reader *reader, bool *more, duet_error *error)
{
    duet_input *input = reader->input;
    int byte = duet_input_peek(input);
    reader->line = input->line;
    reader->used = 0;
    *more = byte >= 0;
    for (; byte >= 0 && byte != '\n'; byte = duet_input_peek(input)) {
        if ((byte < ' ' && byte != '\t' && byte != '\r') || reader->used == DUET_PAJE_LINE) {
            return duet_error_set_at(error, DUET_E_INPUT, input->name, reader->line,
                                     duet_input_column(input), "expected %s",
                                     byte < ' ' ? "text" : "a line of at most 65536 bytes");
        }
        DUET_TRY(duet_vec_push(reader->text, reader->used, error, (char)byte));
        duet_input_take(input);
    }
    if (byte == '\n') {
        duet_input_take(input);
    }
    DUET_TRY(duet_input_check(input, error));
    if (reader->used > 0 && reader->text[reader->used - 1] == '\r') {
        reader->used--;
    }
    DUET_TRY(duet_vec_push(reader->text, reader->used, error, '\0'));
    return duet_utf8_valid(reader->text, reader->used - 1)
               ? DUET_OK
               : duet_error_set_at(error, DUET_E_INPUT, input->name, reader->line, 0,
                                   "invalid UTF-8; expected UTF-8 text" DUET_UTF8_ADVICE);
}

// Cuts a text at its blanks, but for those within quotes; two tabs have an empty field between
// them. Returns how many fields there are, of which the first `room` are kept.
static size_t split(char *text, char **field, size_t room)
{
    size_t count = 0;
    text += strspn(text, " ");
    while (*text != '\0') {
        bool quoted = *text == '"';
        text += quoted;
        size_t length = strcspn(text, quoted ? "\"" : " \t");
        if (count < room) {
            field[count] = text;
        }
        count++;
        text += length;
        if (*text != '\0' && *text != '\t') {
            *text++ = '\0';
            text += strspn(text, " ");
        }
        if (*text == '\t') {
            *text++ = '\0';
            text += strspn(text, " ");
        }
    }
    return count;
}

// The number of an event; DUET_PAJE_EVENTS where the text is none.
static size_t event_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits == 0 || digits > 3 || text[digits] != '\0' ? DUET_PAJE_EVENTS
                                                             : (size_t)strtol(text, NULL, 10);
}

// --- the header ----------------------------------------------------------------------------------

static duet_code begin_event(duet_paje_reader *reader, size_t count, char **field,
                             duet_error *error)
{
    size_t number = count < 3 ? DUET_PAJE_EVENTS : event_number(field[2]);
    if (number == DUET_PAJE_EVENTS) {
        return fail(reader, error, definition, "the event's name and its number below 1000");
    }
    reader->defines = number;
    reader->fields = 1;
    reader->event[number] =
        (duet_paje_event){.defined = true, .sets_state = strcmp(field[1], "PajeSetState") == 0};
    return DUET_OK;
}

static duet_code end_event(duet_paje_reader *reader, duet_error *error)
{
    const duet_paje_event *event = &reader->event[reader->defines];
    for (int i = 0; i < DUET_PAJE_ORDER && event->sets_state; i++) {
        if (event->at[i] == 0) {
            return fail(reader, error, "PajeSetState", "the fields Time, Container and Type");
        }
    }
    reader->has_orders |= event->sets_state && event->at[DUET_PAJE_ORDER] != 0;
    reader->fields = 0;
    return DUET_OK;
}

// Takes "%EventDef NAME NUMBER", a field's "% NAME TYPE" or "%EndEventDef".
static duet_code read_definition(duet_paje_reader *reader, duet_error *error)
{
    enum { most = 3 };
    char *field[most];
    size_t count = split(reader->text + 1, field, most);
    const char *name = count > 0 && *field[0] == '\0' && count > 1 ? field[1]
                       : count > 0                                 ? field[0]
                                                                   : "";
    if (strcmp(name, definition + 1) == 0) {
        return begin_event(reader, count, field, error);
    }
    if (reader->fields == 0 || reader->fields >= DUET_PAJE_FIELDS) {
        return fail(reader, error, name, "%EventDef, and at most 63 fields of an event");
    }
    if (strcmp(name, "EndEventDef") == 0) {
        return end_event(reader, error);
    }
    for (size_t i = 0; i < DUET_PAJE_KNOWN; i++) {
        if (strcmp(name, known[i]) == 0) {
            reader->event[reader->defines].at[i] = (unsigned char)reader->fields;
        }
    }
    reader->fields++;
    return DUET_OK;
}

// --- events --------------------------------------------------------------------------------------

static duet_code find_event(const duet_paje_reader *reader, const duet_paje_event **event,
                            duet_error *error)
{
    char number[8];
    size_t length = strcspn(reader->text, " \t");
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 7),
             reader->text);
    size_t found = event_number(number);
    if (found == DUET_PAJE_EVENTS || !reader->event[found].defined) {
        return fail(reader, error, number, "the number of an event that %EventDef defines above");
    }
    *event = &reader->event[found];
    return DUET_OK;
}

// Takes a PajeSetState; state->line stays 0 where it is none of a worker's.
static duet_code read_state(const duet_paje_reader *reader, const duet_paje_event *event,
                            duet_paje_state *state, duet_error *error)
{
    char *field[DUET_PAJE_FIELDS];
    char *value[DUET_PAJE_KNOWN] = {NULL};
    size_t count = split(reader->text, field, DUET_PAJE_FIELDS);
    for (size_t i = 0; i < DUET_PAJE_KNOWN; i++) {
        if (event->at[i] >= count) {
            return fail(reader, error, field[0], "as many fields as this event's %EventDef has");
        }
        value[i] = event->at[i] == 0 ? NULL : field[event->at[i]];
    }
    if (strcmp(value[DUET_PAJE_TYPE], "WS") != 0) {
        return DUET_OK;
    }
    const char *worker = strrchr(value[DUET_PAJE_CONTAINER], 'w');
    if (worker == NULL || worker[1] == '\0') {
        return fail(reader, error, value[DUET_PAJE_CONTAINER], "w and the number of a worker");
    }
    *state = (duet_paje_state){.line = reader->line,
                               .time = value[DUET_PAJE_TIME],
                               .worker = worker + 1,
                               .order = value[DUET_PAJE_ORDER]};
    return DUET_OK;
}

duet_code duet_paje_next(duet_paje_reader *reader, duet_paje_state *state, duet_error *error)
{
    bool more = true;
    *state = (duet_paje_state){.line = 0};
    if (reader->event == NULL) {
        reader->event = duet_alloc(DUET_PAJE_EVENTS, sizeof *reader->event, error);
        DUET_NEED(reader->event);
    }
    while (state->line == 0) {
        const duet_paje_event *event = NULL;
        DUET_TRY(read_line(reader, &more, error));
        if (!more) {
            break;
        }
        size_t blanks = strspn(reader->text, " \t");
        if (reader->text[blanks] == '\0' || reader->text[0] == '#') {
            continue;
        }
        if (reader->text[0] == '%') {
            DUET_TRY(read_definition(reader, error));
            continue;
        }
        DUET_TRY(find_event(reader, &event, error));
        if (event->sets_state) {
            DUET_TRY(read_state(reader, event, state, error));
        }
    }
    return more || reader->has_orders
               ? DUET_OK
               : duet_error_set_at(error, DUET_E_INPUT, reader->input->name, 0, 0,
                                   "no PajeSetState has a SubmitOrder; expected the paje.trace "
                                   "that starpu_fxt_tool writes, or tasks.rec beside it");
}

void duet_paje_free(duet_paje_reader *reader)
{
    duet_free(reader->text);
    duet_free(reader->event);
}

bool duet_paje_begins(const unsigned char *bytes, size_t length)
{
    size_t size = strlen(definition);
    return length >= size && memcmp(bytes, definition, size) == 0;
}
