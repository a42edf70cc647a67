// SPDX-License-Identifier: Apache-2.0
// What is said at the end: how long tasks ran, how short that could have been, and what workers did
// meanwhile.
#include <stdio.h>

#include <starpu_scheduler.h>

#include "starpu/policy_state.h"

void duet_starpu_note_begin(int worker)
{
    duet_starpu_figures *f = &duet_starpu.figures;
    double now = starpu_timing_now();
    f->began = f->began < 0 ? now : f->began;
    f->started[worker] = now;
    if (f->popped[worker] > 0) {
        f->waited += now - f->popped[worker];
        f->popped[worker] = 0;
    }
}

void duet_starpu_note_end(int worker)
{
    duet_starpu_figures *f = &duet_starpu.figures;
    double now = starpu_timing_now();
    f->tasks++;
    f->busy += now - f->started[worker];
    // What it has taken already waits for data from now on, no longer for the one before it.
    f->popped[worker] = f->popped[worker] > 0 ? now : 0;
}

void duet_starpu_note_span_over(void)
{
    duet_starpu_figures *f = &duet_starpu.figures;
    if (f->began >= 0) {
        f->span += starpu_timing_now() - f->began;
        f->spans_bound += f->bound;
        f->bound = 0;
        f->began = -1;
    }
}

void duet_starpu_summary(void)
{
    const duet_starpu_figures *f = &duet_starpu.figures;
    if ((duet_starpu.settings.says & DUET_STARPU_SAYS_END) == 0 || f->tasks == 0 ||
        !(f->span > 0)) {
        return;
    }
    double all = f->span * starpu_worker_get_count();
    double computing = 100 * f->busy / all;
    double data = 100 * f->waited / all;
    double rest = 100 - computing - data;
    fprintf(stderr, "duet: %ld tasks ran in %.3f ms, %ld of them by %ld plan%s", f->tasks,
            f->span / 1000, f->planned, f->plans, f->plans == 1 ? "" : "s");
    if (f->spans_bound > 0) {
        fprintf(stderr, ", no schedule takes less than %.3f ms by the models (%.1f %% above)",
                f->spans_bound / 1000, 100 * (f->span / f->spans_bound - 1));
    }
    if (f->untimed > 0) {
        fprintf(stderr,
                "\nduet: how long %ld of them take no model knew, so they were not planned: "
                "STARPU_CALIBRATE=1 has them measured",
                f->untimed);
    }
    fprintf(stderr,
            "\nduet: workers computed %.1f %% of the time, waited for data %.1f %%, for tasks %.1f "
            "%%\n",
            computing, data, rest > 0 ? rest : 0);
}
