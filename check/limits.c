// SPDX-License-Identifier: Apache-2.0
// Limits of a check. Includes no solver header: this is what an outsider trusts.
#include "check/limits.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

void duet_check_default_memory(duet_context *context, size_t input)
{
    static const size_t least = DUET_MEMORY_DEFAULT;
    static const size_t times = DUET_MEMORY_PER_BYTE;
    if (context->memory_limit == 0) {
        size_t most = input <= least / times ? least : duet_memory_limit(0);
        size_t wanted = input > SIZE_MAX / times ? SIZE_MAX : times * input;
        most = duet_min(most, wanted);
        context->memory_limit = duet_max(most, least);
    }
}

duet_code duet_check_begin(duet_context *context, const duet_params *params, size_t input,
                           duet_error *error)
{
    duet_code code = DUET_OK;
    if (params == NULL) { // asking the system for its processors takes longer than many a check
        *context = (duet_context){.deadline_ns = INT64_MAX, .threads = 1};
    } else {
        code = duet_context_init(context, params, error);
    }
    duet_check_default_memory(context, input);
    return code;
}

duet_code duet_check_stopped(const duet_watch *watch, duet_error *error)
{
    if (!watch->stopped) {
        return DUET_OK;
    }
    if (duet_cancel_requested(watch->context->cancel)) {
        return duet_error_set(error, DUET_E_CANCELLED, "cancelled before all was checked");
    }
    return duet_error_set(error, DUET_E_LIMIT, "the time limit came before all was checked");
}

enum {
    BLOCK = 4096,    // elements that qsort() sorts at once
    STEP = 32,       // units of moving an element, and
    COMPARISON = 16, // of a comparison
};

// Merges two neighbours, [first, middle) and [middle, last) of `from`, into `to`.
static bool merge(const char *from, char *to, const size_t bounds[3], size_t size,
                  int (*compare)(const void *, const void *), duet_watch *watch)
{
    size_t left = bounds[0];
    size_t right = bounds[1];
    for (size_t at = bounds[0]; at < bounds[2]; at++) {
        bool take_right =
            left == bounds[1] ||
            (right < bounds[2] && compare(from + left * size, from + right * size) > 0);
        memcpy(to + at * size, from + (take_right ? right : left) * size, size);
        left += take_right ? 0 : 1;
        right += take_right ? 1 : 0;
        if (duet_watch_spend(watch, STEP)) {
            return false;
        }
    }
    return true;
}

// Sorts blocks, the first step.
static bool sort_blocks(char *array, size_t count, size_t size,
                        int (*compare)(const void *, const void *), duet_watch *watch)
{
    for (size_t at = 0; at < count; at += BLOCK) {
        size_t length = duet_min(count - at, BLOCK);
        if (length > 1) {
            qsort(array + at * size, length, size, compare);
        }
        if (duet_watch_spend(watch, (int64_t)length * COMPARISON * 12)) {
            return false;
        }
    }
    return true;
}

duet_code duet_check_sort(void *array, size_t count, size_t size,
                          int (*compare)(const void *, const void *), duet_watch *watch,
                          duet_error *error)
{
    char *from = array;
    bool going = sort_blocks(from, count, size, compare, watch);
    if (!going || count <= BLOCK) {
        return duet_check_stopped(watch, error);
    }
    char *room = duet_alloc_raw(count, size, error);
    DUET_NEED(room);
    char *to = room;
    for (size_t length = BLOCK; length < count && going; length *= 2) {
        for (size_t at = 0; at < count && going; at += 2 * length) {
            size_t middle = count - at < length ? count : at + length;
            size_t last = count - at < 2 * length ? count : at + 2 * length;
            const size_t bounds[3] = {at, middle, last};
            going = merge(from, to, bounds, size, compare, watch);
        }
        char *merged = to;
        to = from;
        from = merged;
    }
    if (going && from != array) {
        memcpy(array, from, count * size);
    }
    duet_free(room);
    return duet_check_stopped(watch, error);
}
