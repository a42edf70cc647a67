// SPDX-License-Identifier: Apache-2.0
// Days and times of day in fields that say a release or a deadline.
#ifndef DUET_INSTANCES_FORMATS_WHEN_H
#define DUET_INSTANCES_FORMATS_WHEN_H

#include "instances/formats/fields.h"

// Whether the text is a day, perhaps with a time: then *when is that moment. DUET_E_INPUT: it is a
// date, but may be one of two, or is none of the calendar.
duet_code duet_read_moment(duet_field_uses *fields, const duet_field *field, const char *text,
                           const char *file, bool *dated, duet_read_when *when, duet_error *error);

#endif
