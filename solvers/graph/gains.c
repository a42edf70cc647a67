// SPDX-License-Identifier: Apache-2.0
// The shares of the searches by what they have gained; see gains.h.
#include "solvers/graph/gains.h"

#include <math.h>

#include "core/number/minmax.h"
#include "solvers/graph/tuning.h"

enum { HUNDRED = 100 };

duet_graph_gain duet_graph_gain_begin(double seconds)
{
    return (duet_graph_gain){.gained = DUET_GRAPH_GAIN_FIRST, .seconds = seconds, .all = seconds};
}

void duet_graph_gain_note(duet_graph_gain *gain, double seconds, int64_t gap_before,
                          int64_t gap_after)
{
    double smaller = gap_before > 0 ? (double)(gap_before - gap_after) / (double)gap_before : 0;
    gain->gained += fmax(smaller, 0);
    gain->seconds += seconds;
    gain->all += seconds;
    if (gain->seconds > gain->all / 2) {
        gain->gained /= 2;
        gain->seconds /= 2;
    }
}

double duet_graph_gain_seconds(int64_t placed)
{
    return (double)placed / DUET_GRAPH_PLACED_A_MICROSECOND * 1e-6;
}

static double rate(const duet_graph_gain *gain)
{
    return gain->seconds > 0 ? gain->gained / gain->seconds : 0;
}

int64_t duet_graph_gain_share(const duet_graph_gain *learning, const duet_graph_gain *search,
                              int64_t tasks, bool costs)
{
    double size = (double)DUET_GRAPH_GAIN_TASKS / (double)duet_max(tasks, 1);
    double hope = costs ? DUET_GRAPH_GAIN_HOPE_WITH_COSTS : DUET_GRAPH_GAIN_HOPE;
    double learned = fmax(rate(learning), hope * size * size * size * size);
    double part = learned / (learned + rate(search));
    int64_t share = (int64_t)(HUNDRED * part);
    int64_t least = (HUNDRED + DUET_GRAPH_GAIN_LEAST - 1) / DUET_GRAPH_GAIN_LEAST;
    return duet_max(share, least);
}
