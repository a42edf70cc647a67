// SPDX-License-Identifier: Apache-2.0
// How many threads the system will start: an OpenMP runtime that cannot start one ends the process.
#ifndef DUET_CORE_THREADS_H
#define DUET_CORE_THREADS_H

// The most threads, from 1 to `wanted` and with the calling one among them, that can be had now.
// They are started and joined again, which takes some ten microseconds each and leaves their stacks
// to those that follow. Builds without OpenMP have one thread.
int duet_threads_startable(int wanted);

#endif
