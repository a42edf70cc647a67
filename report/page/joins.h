// SPDX-License-Identifier: Apache-2.0
// Which instances of several sources are the same. A source knows an instance by labels (its file,
// its name, ...), from the surest to the weakest, and by a platform that it need not tell.
#ifndef DUET_REPORT_PAGE_JOINS_H
#define DUET_REPORT_PAGE_JOINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/names.h"
#include "report/page/known.h"

enum { DUET_INSTANCE_LABELS = 4 };

// A platform that the source does not tell.
#define DUET_NO_PLATFORM UINT32_MAX

// An instance of one source.
typedef struct duet_joined {
    uint32_t file;
    uint32_t platform; // where it is not told, the only one that others have it on
    uint32_t labels;
    uint32_t label[DUET_INSTANCE_LABELS];
    uint32_t first; // the first instance of its group: those that are the same
    uint32_t next;  // in its group, a ring
} duet_joined;

// An instance under one of its labels.
typedef struct duet_label_use {
    uint32_t label;
    uint32_t platform;
    uint32_t file;
    uint32_t instance;
} duet_label_use;

typedef struct duet_joins {
    duet_names labels;
    size_t count;
    duet_joined *instance;
    // Settled.
    size_t groups;
    size_t uses;
    duet_label_use *use; // by label, then platform, file and instance
    duet_known *known;   // of the group, at its first instance
} duet_joins;

// Adds instance number joins->count. Instances of one source follow each other.
duet_code duet_joins_add(duet_joins *joins, uint32_t file, uint32_t platform,
                         const char *const *labels, size_t count, duet_error *error);
// Finds the groups, `known` being what each instance's own source knows. A label counts for a
// platform unless a source has two instances there, or two sources name different optima. No group
// has two instances of one source. O(uses log uses) but for platforms that many sources share.
duet_code duet_joins_settle(duet_joins *joins, const duet_known *known, duet_error *error);
// What all sources know of an instance.
const duet_known *duet_joins_known(const duet_joins *joins, uint32_t instance);
// The uses of a label: the first of them, their number in *count.
const duet_label_use *duet_joins_uses(const duet_joins *joins, uint32_t label, size_t *count);
void duet_joins_free(duet_joins *joins);

#endif
