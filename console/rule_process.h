// SPDX-License-Identifier: Apache-2.0
// Rules that another process decides: Python's, which the module duet answers for
// (python/duet/_serve.py has the other end, and changes together with this one).
//
// A message is a row of 64-bit integers in the machine's order, the first of which says how many
// follow. The other end first says what rules it has; after that each request has one answer.
//   rules     count, and of each: what it decides (duet_rule_decides), ::duet_information, name,
//             summary
//   CHOOSE    1, rule, decimals, task, now, bottom level, descendants, types, and of each type:
//             processors, time, start; then the names of the types
//   RUN       2, rule, decimals, seed, types, processors of each; kinds, and of each: count, times
//             by type; edges, whether they cost, and of each: tail, head, costs by pairs of types;
//             then the names of instance, unit, types and kinds
//   answers   of CHOOSE: a type. Of RUN: DUET_RULE_LIST, whether there is an order and the order,
//             whether there are types and these; or DUET_RULE_PLACES, then task, type, processor
//             and start of each run, -1 being as early as it can. Of both -1: the rule failed.
// A text is its length in bytes, then its bytes in whole integers.
#ifndef DUET_CONSOLE_RULE_PROCESS_H
#define DUET_CONSOLE_RULE_PROCESS_H

#include <duet/custom.h>

// "fd:N" or "fd:N:FILE.py" instead of a file: the other end is there already, and the socket N
// leads to it; the file has the same rules.
#define DUET_RULE_SOCKET "fd:"

enum duet_rule_decides { DUET_RULE_TYPES, DUET_RULE_SCHEDULES };
enum duet_rule_answer { DUET_RULE_FAILED = -1, DUET_RULE_LIST = 1, DUET_RULE_PLACES = 2 };

bool duet_rule_process_is_socket(const char *path);
// The file that has the rules, "" where none does.
const char *duet_rule_process_file(const char *path);

// Has a process of python3 ($DUET_PYTHON where that is set) answer for the rules of a file, by
// duet._serve, and adds them. It ends with this process. DUET_E_INPUT, DUET_E_MEMORY.
duet_code duet_rule_process_load(const char *path, duet_registry *registry, duet_error *error);

#endif
