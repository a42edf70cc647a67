// SPDX-License-Identifier: Apache-2.0
#include "core/system/watch.h"

duet_code duet_watch_code(const duet_watch *watch, duet_error *error)
{
    return watch->stopped ? duet_context_stop_error(watch->context, error) : DUET_OK;
}

bool duet_watch_look(duet_watch *watch)
{
    if (watch->stopped) {
        return true; // `left` stays below 0, so that every caller comes here
    }
    watch->stopped = watch->context != NULL && duet_context_stop(watch->context);
    watch->left = watch->stopped ? -1 : DUET_WATCH_UNITS;
    return watch->stopped;
}
