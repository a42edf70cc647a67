// SPDX-License-Identifier: Apache-2.0
// Days and times of day in fields that say a release or a deadline.
#ifndef DUET_INSTANCES_FORMATS_WHEN_H
#define DUET_INSTANCES_FORMATS_WHEN_H

#include "instances/formats/fields.h"

// Whether the text is a day, perhaps with a time: then *when is that moment. DUET_E_INPUT: it is a
// date, but may be one of two, or is none of the calendar.
duet_code duet_read_moment(duet_field_uses *fields, const duet_field *field, const char *text,
                           const char *file, bool *dated, duet_read_when *when, duet_error *error);

// Sees a release or a deadline that was read: where all that a field says are numbers as
// spreadsheets number days, and its name speaks of dates, duet_note_serials() says so.
void duet_see_serial(duet_field_uses *fields, const duet_field *field, bool deadline,
                     const char *text, const duet_read_when *when);
duet_code duet_note_serials(const duet_field_uses *fields, duet_builder *builder,
                            duet_error *error);

#endif
