// SPDX-License-Identifier: Apache-2.0
// Computes the layers of a collapsed table and, where the allocation is wanted, the decisions: one
// bit per cell. Where the bits of all steps do not fit into the memory limit, some layers are kept
// as checkpoints and the steps between two of them are computed again with their bits, from the
// last part to the first; parts that still do not fit are divided again.
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/table/barrier.h"
#include "dp/table/steps.h"

#ifdef DUET_WITH_OPENMP
#include <omp.h>
#endif

typedef struct engine {
    const duet_steps *steps;
    const duet_context *context;
    const duet_kernel *kernel;
    char *work[2]; // layer j is in work[j % 2]
    bool *on_r;
    duet_steps_result *result;
    uint64_t held; // bytes at present
} engine;

// The steps first .. last - 1, from the layer at `source`; NULL: from before any step.
typedef struct part {
    size_t first, last;
    const char *source;
    uint32_t *bits; // NULL: values only
} part;

// The cell the answer leaves a layer through.
typedef struct corner {
    int64_t c, g, n;
} corner;

// Memory for cells, aligned to cache lines and not touched: the threads that work on it do that.
// The kernels reach over both ends.
enum { SLACK = DUET_KERNEL_SLACK * sizeof(int64_t) };

static void *allocate(engine *e, uint64_t bytes, duet_error *error)
{
    size_t size = (size_t)bytes + 2 * (size_t)SLACK;
    char *memory = duet_alloc_lines(size, error);
    if (memory == NULL) {
        return NULL;
    }
    e->held += bytes;
    e->result->bytes = duet_max(e->held, e->result->bytes);
    return memory + SLACK;
}

static void release(engine *e, void *memory, uint64_t bytes)
{
    if (memory != NULL) {
        duet_free((char *)memory - SLACK);
        e->held -= bytes;
    }
}

static uint64_t layer_bytes(const engine *e, size_t j)
{
    return duet_steps_layer(e->steps, j).cells * e->kernel->cell_bytes;
}

static uint64_t bits_bytes(const engine *e, size_t first, size_t last)
{
    uint64_t bytes = 0;
    for (size_t j = first; j < last; j++) {
        duet_layer layer = duet_steps_layer(e->steps, j + 1);
        bytes += layer.rows * layer.words * sizeof(uint32_t);
    }
    return bytes;
}

static duet_pass make_pass(const engine *e, const part *p, size_t j)
{
    duet_pass pass = {.step = &e->steps->step[j],
                      .from = e->steps->box[j],
                      .to = e->steps->box[j + 1],
                      .old = duet_steps_layer(e->steps, j),
                      .new = duet_steps_layer(e->steps, j + 1),
                      .kernel = e->kernel,
                      .target = e->work[(j + 1) % 2]};
    if (j + 1 < e->steps->count && e->steps->box[j + 2].n.high > pass.to.n.high) {
        pass.extension = e->steps->box[j + 2].n.high - pass.to.n.high;
    }
    pass.source = j == p->first && p->source != NULL ? p->source : e->work[j % 2];
    return pass;
}

// One of the threads of a part.
typedef struct member {
    int thread, threads;
    duet_barrier *barrier; // NULL where there is only one
} member;

// The rows of a layer that one of several threads works on: always the same ones, next to each
// other.
static void share(uint64_t rows, const member *me, uint64_t *begin, uint64_t *end)
{
    *begin = rows * (uint64_t)me->thread / (uint64_t)me->threads;
    *end = rows * ((uint64_t)me->thread + 1) / (uint64_t)me->threads;
}

static void wait_for_all(const member *me)
{
    if (me->barrier != NULL) {
        duet_barrier_wait(me->barrier);
    }
}

// The work of one thread. A table before any step is 0 everywhere. Whether to stop is decided by
// the first thread before a step and read by all after it, in one of two flags, so that the next
// decision does not meet the reading of this one.
static void run_thread(const engine *e, const part *p, const member *me, bool *stop)
{
    uint32_t *bits = p->bits;
    uint64_t begin;
    uint64_t end;
    if (p->source == NULL) {
        duet_layer layer = duet_steps_layer(e->steps, p->first);
        share(layer.rows, me, &begin, &end);
        e->kernel->fill(e->work[p->first % 2] + begin * layer.stride * e->kernel->cell_bytes, 0,
                        (size_t)((end - begin) * layer.stride));
        wait_for_all(me);
    }
    for (size_t j = p->first; j < p->last; j++) {
        duet_pass pass = make_pass(e, p, j);
        pass.bits = bits;
        if (me->thread == 0) {
            stop[j % 2] = duet_context_stop(e->context);
        }
        share(pass.new.rows, me, &begin, &end);
        duet_pass_rows(&pass, begin, end);
        wait_for_all(me);
        if (stop[j % 2]) {
            return;
        }
        bits = bits == NULL ? NULL : bits + pass.new.rows *pass.new.words;
    }
}

static void run_alone(const engine *e, const part *p, bool *stop)
{
    member me = {0, 1, NULL};
    run_thread(e, p, &me, stop);
}

#ifdef DUET_WITH_OPENMP
static void run_threads(const engine *e, const part *p, int threads, bool *stop)
{
    duet_barrier barrier;
    bool together = false;
#pragma omp parallel num_threads(threads)
    {
        // There may be less of them than were asked for.
#pragma omp single
        together =
            omp_get_num_threads() > 1 && duet_barrier_init(&barrier, omp_get_num_threads()) == 0;
        if (together) {
            member me = {omp_get_thread_num(), omp_get_num_threads(), &barrier};
            run_thread(e, p, &me, stop);
        } else if (omp_get_thread_num() == 0) {
            run_alone(e, p, stop);
        }
    }
    if (together) {
        duet_barrier_destroy(&barrier);
    }
}
#else
static void run_threads(const engine *e, const part *p, int threads, bool *stop)
{
    (void)threads;
    run_alone(e, p, stop);
}
#endif

// Threads cost more than they bring on layers of a few cache lines.
static int threads_for(const engine *e, const part *p)
{
    static const uint64_t few_cells = 1 << 15;
    uint64_t largest = 0;
    for (size_t j = p->first; j <= p->last; j++) {
        duet_layer layer = duet_steps_layer(e->steps, j);
        largest = layer.rows > 1 && layer.cells > largest ? layer.cells : largest;
    }
    return largest > few_cells ? e->context->threads : 1;
}

// Leaves layer `last` in work[last % 2].
static void forward(engine *e, const part *p)
{
    bool stop[2] = {false, false};
    int threads = threads_for(e, p);
    if (threads > 1) {
        run_threads(e, p, threads, stop);
    } else {
        run_alone(e, p, stop);
    }
    e->result->stopped = e->result->stopped || stop[0] || stop[1];
    for (size_t j = p->first; j < p->last; j++) {
        duet_box box = e->steps->box[j + 1];
        e->result->cells += (uint64_t)(box.c.high - box.c.low + 1) *
                            (uint64_t)(box.g.high - box.g.low + 1) *
                            (uint64_t)(box.n.high - box.n.low + 1);
    }
}

// Follows the bits of a part from its last layer to its first.
static void trace(engine *e, const part *p, corner *at)
{
    const uint32_t *bits = p->bits + bits_bytes(e, p->first, p->last) / sizeof *p->bits;
    for (size_t j = p->last; j-- > p->first;) {
        const duet_step *step = &e->steps->step[j];
        const duet_box *box = &e->steps->box[j + 1];
        duet_layer layer = duet_steps_layer(e->steps, j + 1);
        bits -= layer.rows * layer.words;
        int64_t n = duet_min(at->n, box->n.high);
        const uint32_t *row = bits + duet_box_row(box, at->c, at->g) * layer.words;
        e->on_r[j] = duet_decision(row, (size_t)(n - box->n.low)) != 0;
        if (e->on_r[j]) {
            at->g -= step->g;
            at->n = n - step->weight;
        } else {
            at->c -= step->c;
        }
    }
}

// The value of the answer's corner in the last layer.
static void read_corner(const engine *e)
{
    const duet_box *box = &e->steps->box[e->steps->count];
    duet_layer layer = duet_steps_layer(e->steps, e->steps->count);
    uint64_t cell = duet_box_row(box, e->steps->c_cap, e->steps->g_cap) * layer.stride +
                    (uint64_t)(box->n.high - box->n.low);
    const char *at = e->work[e->steps->count % 2] + cell * e->kernel->cell_bytes;
    if (e->kernel->cell_bytes == sizeof(int32_t)) {
        int32_t narrow;
        memcpy(&narrow, at, sizeof narrow);
        e->result->work = narrow;
    } else {
        memcpy(&e->result->work, at, sizeof e->result->work);
    }
    e->result->feasible = e->result->work < e->kernel->infinite;
}

static duet_code solve_with_bits(engine *e, part p, corner *at, duet_error *error)
{
    uint64_t bytes = bits_bytes(e, p.first, p.last);
    p.bits = allocate(e, bytes, error);
    DUET_NEED(p.bits);
    forward(e, &p);
    if (p.last == e->steps->count) {
        read_corner(e);
    }
    if (e->result->feasible && !e->result->stopped) {
        trace(e, &p, at);
    }
    release(e, p.bits, bytes);
    return DUET_OK;
}

// The fewest equal parts whose checkpoints and bits fit into `memory` bytes; 2 where none do: each
// half is then divided again with what is left.
static size_t count_parts(const engine *e, size_t first, size_t last, uint64_t memory)
{
    size_t length = last - first;
    for (size_t parts = 2; parts <= length && parts < 64; parts++) {
        uint64_t checkpoints = 0;
        uint64_t bits = 0;
        for (size_t i = 0; i < parts; i++) {
            size_t begin = first + length * i / parts;
            size_t end = first + length * (i + 1) / parts;
            uint64_t of_part = bits_bytes(e, begin, end);
            bits = duet_max(of_part, bits);
            checkpoints += i > 0 ? layer_bytes(e, begin) : 0;
        }
        if (checkpoints + bits <= memory) {
            return parts;
        }
    }
    return 2;
}

static duet_code recover(engine *e, part p, uint64_t memory, corner *at, duet_error *error);

// Computes the layers between the parts, then the decisions from the last part to the first.
static duet_code divide(engine *e, part p, uint64_t memory, corner *at, duet_error *error)
{
    enum { most = 64 };
    char *kept[most] = {NULL};
    size_t begin[most + 1];
    size_t parts = count_parts(e, p.first, p.last, memory);
    for (size_t i = 0; i <= parts; i++) {
        begin[i] = p.first + (p.last - p.first) * i / parts;
    }
    duet_code code = DUET_OK;
    uint64_t used = 0;
    for (size_t i = 1; i < parts && code == DUET_OK && !e->result->stopped; i++) {
        part piece = {begin[i - 1], begin[i], i == 1 ? p.source : kept[i - 1], NULL};
        forward(e, &piece);
        uint64_t bytes = layer_bytes(e, begin[i]);
        kept[i] = allocate(e, bytes, error);
        code = kept[i] == NULL ? DUET_E_MEMORY : DUET_OK;
        if (code == DUET_OK) {
            memcpy(kept[i], e->work[begin[i] % 2], (size_t)bytes);
            used += bytes;
        }
    }
    for (size_t i = parts; i-- > 0;) {
        if (code == DUET_OK && !e->result->stopped) {
            part piece = {begin[i], begin[i + 1], i == 0 ? p.source : kept[i], NULL};
            code = recover(e, piece, memory > used ? memory - used : 0, at, error);
        }
        if (kept[i] != NULL) {
            uint64_t bytes = layer_bytes(e, begin[i]);
            release(e, kept[i], bytes);
            used -= bytes;
        }
    }
    return code;
}

static duet_code recover(engine *e, part p, uint64_t memory, corner *at, duet_error *error)
{
    if (p.last - p.first <= 1 || bits_bytes(e, p.first, p.last) <= memory) {
        return solve_with_bits(e, p, at, error);
    }
    return divide(e, p, memory, at, error);
}

static duet_code compute(engine *e, uint64_t memory, duet_error *error)
{
    const duet_steps *steps = e->steps;
    part all = {0, steps->count, NULL, NULL};
    corner at = {steps->c_cap, steps->g_cap, steps->cap};
    if (e->on_r == NULL) {
        forward(e, &all);
        read_corner(e);
        return DUET_OK;
    }
    if (bits_bytes(e, 0, steps->count) <= memory) {
        return solve_with_bits(e, all, &at, error);
    }
    // Values first: the corner is overwritten by the parts, and a NO needs no decisions.
    forward(e, &all);
    read_corner(e);
    return e->result->stopped || !e->result->feasible ? DUET_OK
                                                      : recover(e, all, memory, &at, error);
}

duet_code duet_steps_solve(const duet_steps *steps, const char *form, const duet_context *context,
                           bool *on_r, duet_steps_result *result, duet_error *error)
{
    *result = (duet_steps_result){.stopped = false};
    duet_table_size size;
    duet_steps_measure(steps, on_r != NULL, &size);
    uint64_t memory = duet_table_memory(context, size.bytes);
    if (size.least > memory) {
        return duet_table_refuse(form, size.least, memory, error);
    }
    engine e = {.steps = steps, .context = context, .on_r = on_r, .result = result};
    e.kernel = duet_kernel_for(size.cell_bytes == 4);
    uint64_t largest = 0;
    for (size_t j = 0; j <= steps->count; j++) {
        uint64_t bytes = layer_bytes(&e, j);
        largest = duet_max(bytes, largest);
    }
    e.work[0] = allocate(&e, largest, error);
    e.work[1] = allocate(&e, largest, error);
    duet_code code = DUET_E_MEMORY;
    if (e.work[0] != NULL && e.work[1] != NULL) {
        code = compute(&e, memory - 2 * largest, error);
    }
    release(&e, e.work[0], largest);
    release(&e, e.work[1], largest);
    return code;
}
