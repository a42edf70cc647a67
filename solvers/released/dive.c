// SPDX-License-Identifier: Apache-2.0
// Dives: the patterns that the relaxation takes most, until they are a schedule.
#include <math.h>

#include "core/system/try.h"
#include "solvers/released/tree.h"

enum {
    NOISE = 30,      // hundredths of a pattern
    MOST_AT_ONCE = 3 // patterns of a step of a dive
};
static const double SURE = 0.9; // more of a pattern is as good as all of it
static const double UNIT = 100; // of the noise

// The pattern that the relaxation takes most beyond what was taken, with some noise. SIZE_MAX:
// there is none. *share: so much of it.
static size_t most_taken(const duet_released_tree *s, double *share)
{
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t i = 0; i < duet_configuration_patterns(s->program); i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(s->program, i);
        double more = pattern.value - (double)pattern.taken;
        if (more > DUET_RELEASED_WHOLE) {
            double noise = (double)duet_random_between(s->question->random, 0, NOISE) / UNIT;
            if (more + noise > most) {
                most = more + noise;
                best = i;
                *share = more;
            }
        }
    }
    return best;
}

// One dive. *verdict: DUET_FOUND, or as it was.
static duet_code dive(duet_released_tree *s, duet_verdict *verdict)
{
    duet_lp_position basis = {.row = NULL};
    duet_code code = duet_generation_note(s->program, &basis, s->error);
    bool usable = true;
    while (code == DUET_OK && usable && !duet_context_stop(s->context)) {
        duet_verdict node = DUET_OPEN;
        duet_int128 slack = 0;
        double share = 1;
        size_t next = most_taken(s, &share);
        for (int taken = 0; next != SIZE_MAX && (taken == 0 || share > SURE); taken++) {
            duet_generation_take(s->program, next);
            next = taken < MOST_AT_ONCE ? most_taken(s, &share) : SIZE_MAX;
        }
        code = duet_released_relax(s, &s->state, &slack, &usable, &node);
        if (code == DUET_OK && usable) {
            code = duet_released_try(s, verdict);
        }
        usable = usable && *verdict != DUET_FOUND && node != DUET_REFUTED &&
                 s->factor <= 1 + DUET_RELEASED_WHOLE;
    }
    duet_generation_take_none(s->program);
    duet_generation_resume(s->program, &basis, false);
    duet_lp_position_free(&basis);
    return code;
}

// Dives from the root, whose relaxation was solved, without a word in the log.
duet_code duet_released_dive(duet_released_tree *s, duet_verdict *verdict)
{
    duet_log *log = s->log;
    duet_code code = DUET_OK;
    s->log = NULL;
    for (int64_t i = 0; i < s->question->dives && code == DUET_OK && *verdict != DUET_FOUND &&
                        !duet_context_stop(s->context);
         i++) {
        duet_verdict node = DUET_OPEN;
        duet_int128 slack = 0;
        bool usable = false;
        code = duet_released_relax(s, &s->state, &slack, &usable, &node);
        if (code != DUET_OK || node == DUET_REFUTED || !usable) {
            break;
        }
        code = dive(s, verdict);
    }
    s->log = log;
    return code;
}
