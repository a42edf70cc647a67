// SPDX-License-Identifier: Apache-2.0
// The rows of one step of a collapsed table.
#include <string.h>

#include "core/number/minmax.h"
#include "dp/table/steps.h"

uint64_t duet_box_row(const duet_box *box, int64_t c, int64_t g)
{
    c = duet_min(c, box->c.high);
    g = duet_min(g, box->g.high);
    return (uint64_t)((c - box->c.low) * (box->g.high - box->g.low + 1) + g - box->g.low);
}

// stay: the row of the old layer if the step runs on V, from the new row's first N on; NULL where
// it cannot. move: the row if it runs on R, from its own first N on.
static void fill_row(const duet_pass *pass, char *out, const char *stay, const char *move)
{
    const duet_kernel *kernel = pass->kernel;
    const duet_step *step = pass->step;
    size_t bytes = kernel->cell_bytes;
    int64_t low = pass->to.n.low;
    int64_t width = pass->to.n.high - low + 1;
    // Below N = weight the step does not fit on R.
    int64_t below = move != NULL ? step->weight - low : width;
    below = duet_max(0, duet_min(below, width));
    if (move == NULL || below == width) {
        if (stay != NULL) {
            kernel->add(out, stay, step->value, (size_t)width);
        } else {
            kernel->fill(out, kernel->infinite, (size_t)width);
        }
        return;
    }
    move += (size_t)(low + below - step->weight - pass->from.n.low) * bytes;
    if (stay != NULL) {
        kernel->min(out, stay, step->value, move, (size_t)below, (size_t)width);
    } else {
        kernel->fill(out, kernel->infinite, (size_t)below);
        memcpy(out + (size_t)below * bytes, move, (size_t)(width - below) * bytes);
    }
}

// Nothing changes beyond the end of the box, and the next layer may read there.
static void extend_row(const duet_pass *pass, char *out)
{
    size_t bytes = pass->kernel->cell_bytes;
    size_t width = (size_t)(pass->to.n.high - pass->to.n.low) + 1;
    const char *last = out + (width - 1) * bytes;
    int32_t narrow = 0;
    int64_t value = 0;
    if (bytes == sizeof narrow) {
        memcpy(&narrow, last, sizeof narrow);
        value = narrow;
    } else {
        memcpy(&value, last, sizeof value);
    }
    pass->kernel->fill(out + width * bytes, value, (size_t)pass->extension);
}

static void compute_row(const duet_pass *pass, uint64_t row, int64_t c, int64_t g)
{
    const duet_step *step = pass->step;
    size_t bytes = pass->kernel->cell_bytes;
    char *out = pass->target + row * pass->new.stride *bytes;
    const char *stay = NULL;
    const char *move = NULL;
    if (step->on_v && c >= step->c) {
        uint64_t from = duet_box_row(&pass->from, c - step->c, g) * pass->old.stride;
        stay = pass->source + (from + (uint64_t)(pass->to.n.low - pass->from.n.low)) * bytes;
    }
    if (step->on_r && g >= step->g) {
        move = pass->source + duet_box_row(&pass->from, c, g - step->g) * pass->old.stride * bytes;
    }
    fill_row(pass, out, stay, move);
    if (pass->extension > 0) {
        extend_row(pass, out);
    }
    if (pass->bits == NULL) {
        return;
    }
    uint32_t *bits = pass->bits + row * pass->new.words;
    if (stay != NULL) {
        pass->kernel->differ(bits, out, stay, step->value,
                             (size_t)(pass->to.n.high - pass->to.n.low) + 1);
    } else {
        memset(bits, 0xff, pass->new.words * sizeof *bits);
    }
}

void duet_pass_rows(const duet_pass *pass, uint64_t begin, uint64_t end)
{
    uint64_t gs = (uint64_t)(pass->to.g.high - pass->to.g.low) + 1;
    int64_t c = pass->to.c.low + (int64_t)(begin / gs);
    int64_t g = pass->to.g.low + (int64_t)(begin % gs);
    for (uint64_t row = begin; row < end; row++) {
        compute_row(pass, row, c, g);
        if (++g > pass->to.g.high) {
            g = pass->to.g.low;
            c++;
        }
    }
}
