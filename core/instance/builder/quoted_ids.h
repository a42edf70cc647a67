// SPDX-License-Identifier: Apache-2.0
// Ids in quotes with commas between them, as Python and JSON print the elements of a list.
#ifndef DUET_CORE_INSTANCE_BUILDER_QUOTED_IDS_H
#define DUET_CORE_INSTANCE_BUILDER_QUOTED_IDS_H

#include <stdbool.h>

// Whether the text is one or more texts in quotes, single or double, with commas between them.
bool duet_is_quoted_ids(const char *text);

// The next of these without its quotes and escapes, which are replaced in the text; NULL: there is
// none. `*at` goes on behind it.
char *duet_next_quoted_id(char **at);

#endif
