// SPDX-License-Identifier: Apache-2.0
// Groups of tasks, as people see them: in colours of pictures, rows of summaries and reports, and
// in the names of noise. The one place that says which task belongs to which group.
//
// An input may say it of a task (a column, a member or an attribute "group"). Where it does not,
// the group is what the task's id begins with, up to a separator: one of _ - . / : # or a blank, or
// the number that ends its words ("gemm_3_1", "t17"). Up to DUET_MOST_GROUPS kinds of which no
// group is said are groups of their own. Of more, the ids are cut behind as many words as leave
// from 2 to DUET_MOST_GROUPS groups: "trsm-ll_1" and "trsm-ru_2" stay apart where there is room,
// else both are "trsm".
#ifndef DUET_CORE_INSTANCE_GROUPS_H
#define DUET_CORE_INSTANCE_GROUPS_H

#include "core/instance/instance.h"

enum { DUET_MOST_GROUPS = 12 };

typedef struct duet_task_groups {
    size_t count;
    bool apart;      // each kind is a group of its own
    bool alike;      // ids differ in numbers alone, and nothing else is said
    size_t *of_kind; // the group of each kind
    size_t *sample;  // the first kind of each group
    size_t *kinds;   // how many kinds each group has
    size_t words;    // an id's first words that are its group's name, where ids say the groups
} duet_task_groups;

// A group's name, or the part of an id that it is.
typedef struct duet_group_name {
    const char *text; // need not end in NUL
    size_t length;    // 0: ids of numbers alone
} duet_group_name;

// Zeroed groups are ready. DUET_E_MEMORY; free them also then. O(letters of all ids).
duet_code duet_task_groups_create(const duet_instance *instance, duet_task_groups *groups,
                                  duet_error *error);
void duet_task_groups_free(duet_task_groups *groups);

duet_group_name duet_task_groups_name(const duet_task_groups *groups, const duet_instance *instance,
                                      size_t group);
// Whether a kind belongs to the group of that name: the input says so, or says nothing and the id
// is that name, or begins with it and goes on with a separator or a number.
bool duet_group_has(const duet_instance *instance, size_t kind, const char *name, size_t length);

// The groups that the input of `from` says become those of `to`, which has the same kinds, or its
// tasks as kinds. DUET_E_MEMORY.
duet_code duet_copy_groups(const duet_instance *from, duet_instance *to, duet_error *error);

#endif
