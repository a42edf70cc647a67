// SPDX-License-Identifier: Apache-2.0
// Online rules on task graphs, simulated plainly: looks at every task and every processor at every
// instant and knows no data structure.
#ifndef DUET_TESTS_SUPPORT_PLAIN_ONLINE_H
#define DUET_TESTS_SUPPORT_PLAIN_ONLINE_H

#include <stdbool.h>
#include <stdint.h>

#include <duet/instance.h>
#include <duet/solve.h>

enum { DUET_PLAIN_MAX_TASKS = 60, DUET_PLAIN_MAX_PROCESSORS = 4, DUET_PLAIN_MAX_TYPES = 4 };

// The rules, and their names.
typedef enum duet_plain_rule {
    DUET_PLAIN_EFT,
    DUET_PLAIN_QA,
    DUET_PLAIN_ER_LS,
    DUET_PLAIN_MIXEFT,
    DUET_PLAIN_QUICKEST,
    DUET_PLAIN_RATIO,
    DUET_PLAIN_LIST,
    DUET_PLAIN_RULES
} duet_plain_rule;
extern const char *const duet_plain_rules[DUET_PLAIN_RULES];

// Processors, and where tasks are on them.
typedef struct duet_plain_platform {
    int64_t free_from[DUET_PLAIN_MAX_TYPES][DUET_PLAIN_MAX_PROCESSORS];
    duet_placement at[DUET_PLAIN_MAX_TASKS];
    int64_t end[DUET_PLAIN_MAX_TASKS]; // -1: not placed
} duet_plain_platform;

typedef struct duet_plain_online {
    const duet_instance *instance;
    duet_plain_rule rule;
    bool idle;      // bind=idle
    bool bottom;    // order=bottom
    bool cpu_wins;  // ties=cpu
    int64_t lambda; // of mixeft, in thousandths
    int64_t tasks;
    int64_t now;
    duet_plain_platform real;
    duet_plain_platform qa; // what mixeft simulates
    int64_t qa_makespan;
    int64_t makespan;
    bool follows_qa;
    int type[DUET_PLAIN_MAX_TASKS];    // chosen for a task that waits; -1: none
    bool by_eft[DUET_PLAIN_MAX_TASKS]; // mixeft asked eft when it was revealed
} duet_plain_online;

// Fills `real` and the makespans of a simulation whose instance, rule, options and tasks are set.
void duet_plain_online_simulate(duet_plain_online *s);

#endif
