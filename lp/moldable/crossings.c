// SPDX-License-Identifier: Apache-2.0
#include "lp/moldable/crossings.h"

#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"

// From a mode on the lower hull of a kind to the next one: area/width is the z where both cost the
// same.
typedef struct crossing {
    int64_t area;      // what the narrower one has more
    int64_t width;     // what it has less
    duet_int128 falls; // by how much the slope falls: width times tasks
} crossing;

static int by_price(const void *left, const void *right)
{
    const crossing *a = left;
    const crossing *b = right;
    return duet_order((duet_int128)a->area * b->width, (duet_int128)b->area * a->width);
}

// The crossings along the hull of a kind. Its modes come by falling width and rising area.
static size_t add_crossings(const duet_modes *modes, size_t kind, crossing *crossings)
{
    const duet_mode *mode = modes->mode;
    size_t end = modes->first[kind + 1];
    size_t count = 0;
    for (size_t at = modes->first[kind]; at + 1 < end;) {
        size_t next = at + 1;
        for (size_t other = next + 1; other < end; other++) {
            duet_int128 rise = (duet_int128)(mode[other].area - mode[at].area) *
                               (mode[at].width - mode[next].width);
            duet_int128 best = (duet_int128)(mode[next].area - mode[at].area) *
                               (mode[at].width - mode[other].width);
            next = rise <= best ? other : next;
        }
        int64_t narrower = mode[at].width - mode[next].width;
        crossings[count++] = (crossing){mode[next].area - mode[at].area, narrower,
                                        (duet_int128)narrower * duet_count(modes->instance, kind)};
        at = next;
    }
    return count;
}

duet_code duet_best_crossing(const duet_modes *modes, size_t type, duet_mode_prices *multipliers,
                             duet_error *error)
{
    const duet_instance *instance = modes->instance;
    size_t most = modes->first[instance->kinds];
    crossing *crossings = duet_alloc_raw(most, sizeof *crossings, error);
    DUET_NEED(crossings);
    duet_int128 slope = -(duet_int128)instance->processors[type];
    size_t count = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        slope += (duet_int128)modes->mode[modes->first[i]].width * duet_count(instance, i);
        count += add_crossings(modes, i, crossings + count);
    }
    if (slope > 0) {
        qsort(crossings, count, sizeof *crossings, by_price);
        size_t at = 0;
        for (; at < count && slope > crossings[at].falls; at++) {
            slope -= crossings[at].falls;
        }
        // Where the slope stays above 0, the long modes alone are too wide.
        multipliers->area[type] = at < count ? crossings[at].width : 0;
        multipliers->width[type] = at < count ? crossings[at].area : 1;
    }
    duet_free(crossings);
    return DUET_OK;
}
