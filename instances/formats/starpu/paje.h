// SPDX-License-Identifier: Apache-2.0
// What workers do by a Paje trace of StarPU's (paje.trace, which starpu_fxt_tool writes).
//
// The header defines each kind of event: its number, and the names of its fields in their order.
// Events are read by these names. A PajeSetState of the type WS says what a worker does from then
// on; one with a SubmitOrder says that it runs that task. States that are pushed on others do not
// end them, and are passed over.
#ifndef DUET_INSTANCES_FORMATS_STARPU_PAJE_H
#define DUET_INSTANCES_FORMATS_STARPU_PAJE_H

#include <stddef.h>

#include "instances/formats/input.h"

// Events have numbers below DUET_PAJE_EVENTS, and at most DUET_PAJE_FIELDS fields.
enum { DUET_PAJE_EVENTS = 1000, DUET_PAJE_FIELDS = 64, DUET_PAJE_LINE = 1 << 16 };

typedef enum duet_paje_field {
    DUET_PAJE_TIME,
    DUET_PAJE_CONTAINER,
    DUET_PAJE_TYPE,
    DUET_PAJE_ORDER,
    DUET_PAJE_KNOWN
} duet_paje_field;

typedef struct duet_paje_event {
    bool defined;
    bool sets_state;
    unsigned char at[DUET_PAJE_KNOWN]; // place of each field on a line, from 1; 0: it has none
} duet_paje_event;

// Zeroed but for `input` a reader is ready.
typedef struct duet_paje_reader {
    duet_input *input;
    char *text; // of the line, with a final NUL
    size_t used;
    int line;
    duet_paje_event *event; // DUET_PAJE_EVENTS of them
    size_t defines;         // the event that the header's lines are of
    size_t fields;          // that it has so far; 0: no event is being defined
    bool has_orders;        // some event has a SubmitOrder
} duet_paje_reader;

// Texts are of the reader's line, and stay until the next one is read.
typedef struct duet_paje_state {
    int line; // 0: the file has ended
    const char *time;
    const char *worker; // its number
    const char *order;  // NULL: it runs no task
} duet_paje_state;

// Reads on to the next state of a worker. DUET_E_INPUT: a line is no part of such a trace.
duet_code duet_paje_next(duet_paje_reader *reader, duet_paje_state *state, duet_error *error);
void duet_paje_free(duet_paje_reader *reader);

// Whether a file that begins with these bytes is a Paje trace.
bool duet_paje_begins(const unsigned char *bytes, size_t length);

#endif
