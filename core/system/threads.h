// SPDX-License-Identifier: Apache-2.0
// How many threads the system will start: an OpenMP runtime that cannot start one ends the process.
#ifndef DUET_CORE_SYSTEM_THREADS_H
#define DUET_CORE_SYSTEM_THREADS_H

#include <stdbool.h>

// The most threads, from 1 to `wanted` and with the calling one among them, that can be had now.
// They are started and joined again, which takes some ten microseconds each and leaves their stacks
// to those that follow. Builds without OpenMP have one thread.
int duet_threads_startable(int wanted);

// Lets some of another thread's time pass, where one waits for what that one tells.
void duet_threads_pause(void);

// Calls `there(of)` in a thread of its own and `here(of)` in this one, which may have a team of its
// own, and waits for both. False where no thread can be had: neither was called.
bool duet_threads_both(void (*there)(void *), void (*here)(void *), void *of);

#endif
