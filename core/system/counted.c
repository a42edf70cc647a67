// SPDX-License-Identifier: Apache-2.0
#include "core/system/counted.h"

// State of a thread, not of the process: there is nothing to lock.
static _Thread_local duet_counted current;

void duet_count_work(int64_t nanoseconds)
{
    current.done += nanoseconds;
    current.span += nanoseconds;
}

duet_counted duet_counted_here(void)
{
    return current;
}

duet_counted duet_counted_enter(duet_counted work)
{
    duet_counted before = current;
    current = work;
    return before;
}

void duet_counted_join(duet_counted elsewhere)
{
    current.done += elsewhere.done;
    current.span += elsewhere.span;
}

duet_counted duet_counted_since(duet_counted before)
{
    return (duet_counted){current.done - before.done, current.span - before.span};
}
