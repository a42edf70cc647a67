// SPDX-License-Identifier: Apache-2.0
#include "report/page/joins.h"

#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_joins_add(duet_joins *joins, uint32_t file, uint32_t platform,
                         const char *const *labels, size_t count, duet_error *error)
{
    duet_code code = duet_vec_grow(joins->instance, joins->count, error);
    uint32_t self = (uint32_t)joins->count;
    duet_joined made = {.file = file, .platform = platform, .first = self, .next = self};
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        uint32_t number = 0;
        code = duet_names_add(&joins->labels, 0, labels[i], &number, error);
        bool there = false;
        for (uint32_t j = 0; j < made.labels; j++) {
            there = there || made.label[j] == number;
        }
        if (!there) {
            made.label[made.labels++] = number;
        }
    }
    if (code == DUET_OK) {
        joins->instance[joins->count++] = made;
    }
    return code;
}

static int order(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
    const duet_label_use *a = left;
    const duet_label_use *b = right;
    int found = order(a->label, b->label);
    found = found == 0 ? order(a->platform, b->platform) : found;
    found = found == 0 ? order(a->file, b->file) : found;
    return found == 0 ? order(a->instance, b->instance) : found;
}

static duet_code list_uses(duet_joins *joins, duet_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < joins->count; i++) {
        total += joins->instance[i].labels;
    }
    joins->use = duet_alloc(total, sizeof *joins->use, error);
    DUET_NEED(joins->use);
    for (uint32_t i = 0; i < joins->count; i++) {
        const duet_joined *one = &joins->instance[i];
        for (uint32_t j = 0; j < one->labels; j++) {
            joins->use[joins->uses++] =
                (duet_label_use){one->label[j], one->platform, one->file, i};
        }
    }
    return DUET_OK;
}

// The first use at or behind a place in the order.
static size_t find_use(const duet_joins *joins, uint32_t label, uint32_t platform)
{
    const duet_label_use wanted = {label, platform, 0, 0};
    size_t low = 0;
    size_t high = joins->uses;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_place(&joins->use[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const duet_label_use *duet_joins_uses(const duet_joins *joins, uint32_t label, size_t *count)
{
    size_t begin = find_use(joins, label, 0);
    size_t end = begin;
    while (end < joins->uses && joins->use[end].label == label) {
        end++;
    }
    *count = end - begin;
    return &joins->use[begin];
}

// The platform of an instance whose source tells none: where the first label that others have, with
// a platform, is on one alone.
static uint32_t find_platform(const duet_joins *joins, const duet_joined *instance)
{
    for (uint32_t i = 0; i < instance->labels; i++) {
        size_t first = find_use(joins, instance->label[i], 0);
        uint32_t platform = joins->use[first].platform;
        if (platform != DUET_NO_PLATFORM) {
            size_t next = find_use(joins, instance->label[i], platform + 1);
            bool more = next < joins->uses && joins->use[next].label == instance->label[i] &&
                        joins->use[next].platform != DUET_NO_PLATFORM;
            return more ? DUET_NO_PLATFORM : platform;
        }
    }
    return DUET_NO_PLATFORM;
}

static void find_platforms(duet_joins *joins)
{
    for (size_t i = 0; i < joins->count; i++) {
        duet_joined *instance = &joins->instance[i];
        if (instance->platform == DUET_NO_PLATFORM) {
            instance->platform = find_platform(joins, instance);
        }
    }
    for (size_t i = 0; i < joins->uses; i++) {
        joins->use[i].platform = joins->instance[joins->use[i].instance].platform;
    }
    qsort(joins->use, joins->uses, sizeof *joins->use, by_place);
}

static bool same_place(const duet_label_use *a, const duet_label_use *b)
{
    return a->label == b->label && a->platform == b->platform;
}

// Whether what begins at this use, up to another label or platform, is one instance of each source.
static bool counts(const duet_joins *joins, size_t begin)
{
    const duet_label_use *use = joins->use;
    duet_known known = DUET_NOTHING_KNOWN;
    for (size_t i = begin; i < joins->uses && same_place(&use[i], &use[begin]); i++) {
        const duet_known *more = &joins->known[use[i].instance];
        if ((i > begin && use[i].file == use[i - 1].file) || duet_known_contradicts(&known, more)) {
            return false;
        }
        duet_known_learn(&known, more);
    }
    return true;
}

static bool share_source(const duet_joins *joins, uint32_t a, uint32_t b)
{
    uint32_t i = a;
    do {
        uint32_t j = b;
        do {
            if (joins->instance[i].file == joins->instance[j].file) {
                return true;
            }
            j = joins->instance[j].next;
        } while (j != b);
        i = joins->instance[i].next;
    } while (i != a);
    return false;
}

// Makes one group of two, of which `a` and `b` are the first instances.
static void join(duet_joins *joins, duet_known *known, uint32_t a, uint32_t b)
{
    if (a == b || share_source(joins, a, b) || duet_known_contradicts(&known[a], &known[b])) {
        return;
    }
    uint32_t i = b;
    do {
        joins->instance[i].first = a;
        i = joins->instance[i].next;
    } while (i != b);
    uint32_t next = joins->instance[a].next;
    joins->instance[a].next = joins->instance[b].next;
    joins->instance[b].next = next;
    duet_known_learn(&known[a], &known[b]);
    joins->groups--;
}

// Joins by the surest labels first, so that a file counts before the name of an instance.
static duet_code find_groups(duet_joins *joins, duet_known *known, duet_error *error)
{
    bool *good = duet_alloc(joins->uses, sizeof *good, error);
    DUET_NEED(good);
    for (size_t i = 0; i < joins->uses; i++) {
        bool begins = i == 0 || !same_place(&joins->use[i - 1], &joins->use[i]);
        good[i] = begins ? counts(joins, i) : good[i - 1];
    }
    for (uint32_t rank = 0; rank < DUET_INSTANCE_LABELS; rank++) {
        for (uint32_t i = 0; i < joins->count; i++) {
            const duet_joined *one = &joins->instance[i];
            if (rank >= one->labels) {
                continue;
            }
            size_t at = find_use(joins, one->label[rank], one->platform);
            if (good[at]) {
                join(joins, known, joins->instance[joins->use[at].instance].first, one->first);
            }
        }
    }
    duet_free(good);
    return DUET_OK;
}

duet_code duet_joins_settle(duet_joins *joins, const duet_known *known, duet_error *error)
{
    joins->groups = joins->count;
    joins->known = duet_alloc(joins->count, sizeof *joins->known, error);
    duet_code code = joins->known == NULL ? DUET_E_MEMORY : list_uses(joins, error);
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < joins->count; i++) {
        joins->known[i] = known[i];
    }
    if (joins->count > 0 && joins->instance[joins->count - 1].file > 0) {
        qsort(joins->use, joins->uses, sizeof *joins->use, by_place);
        find_platforms(joins);
        code = find_groups(joins, joins->known, error);
    }
    return code;
}

const duet_known *duet_joins_known(const duet_joins *joins, uint32_t instance)
{
    return &joins->known[joins->instance[instance].first];
}

void duet_joins_free(duet_joins *joins)
{
    duet_names_free(&joins->labels);
    duet_free(joins->instance);
    duet_free(joins->use);
    duet_free(joins->known);
    *joins = (duet_joins){0};
}
