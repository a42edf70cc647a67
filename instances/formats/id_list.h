// SPDX-License-Identifier: Apache-2.0
// A list of tasks' ids in one text: "a; b;c".
#ifndef DUET_INSTANCES_FORMATS_ID_LIST_H
#define DUET_INSTANCES_FORMATS_ID_LIST_H

#include <stddef.h>

// The next id of the list that goes on at *at, without the blanks around it; its length into
// *length. NULL at the end. Empty ones are passed over.
const char *duet_id_list_next(const char **at, size_t *length);
// How many ids are left.
size_t duet_id_list_count(const char *at);
// What an error says it expected in the place of an id that is none.
#define DUET_ID_LIST_EXPECTED "the id of a task, several of them separated by ';'"

#endif
