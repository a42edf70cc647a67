// SPDX-License-Identifier: Apache-2.0
// The certificate of a NO: weights on the types and prices of the counting rows, in integers.
#include "core/number/fraction.h"
#include "lp/shelf/shelf_state.h"

// What the optimality of a point asks of the prices y_m, y_k of the rows: least values of each, and
// of y_m - y_k from both sides.
typedef struct limits {
    duet_int128 cpu_least, gpu_least;
    duet_int128 difference_least, difference_most;
    bool has_least, has_most;
} limits;

static void limit_by(limits *found, duet_shelf_class class, duet_int128 weighted, bool on_cpu,
                     bool on_gpu)
{
    if (class == DUET_SHELF_B && on_gpu && -weighted > found->cpu_least) {
        found->cpu_least = -weighted; // it would rather be on a CPU
    } else if (class == DUET_SHELF_D && on_cpu && weighted > found->gpu_least) {
        found->gpu_least = weighted; // it would rather be on a GPU
    } else if (class == DUET_SHELF_C) {
        if (on_gpu && (!found->has_least || -weighted > found->difference_least)) {
            found->difference_least = -weighted;
            found->has_least = true;
        }
        if (on_cpu && (!found->has_most || -weighted < found->difference_most)) {
            found->difference_most = -weighted;
            found->has_most = true;
        }
    }
}

// Terms are differences of products of two numbers whose sums over distinct tasks are at most 2^62:
// prices stay below 2^124.
static void set_count(duet_certificate *certificate, size_t type, duet_int128 price)
{
    certificate->count_weight[type] = (int64_t)(price & ((INT64_C(1) << 62) - 1));
    certificate->count_weight_high[type] = (int64_t)(price >> 62);
}

void duet_shelf_prove(const duet_shelf *shelf, duet_multiplier u, const duet_shelf_point *point,
                      duet_certificate *certificate)
{
    limits found = {0};
    for (size_t i = 0; i < shelf->first[DUET_MEMBER_CLASSES]; i++) {
        const duet_shelf_item *item = &shelf->item[shelf->member[i]];
        limit_by(&found, duet_shelf_member_class(shelf, i), duet_shelf_weighted(u, item),
                 point->on_cpu[i] > 0, point->on_cpu[i] < item->count);
    }
    // The least prices that satisfy all; complementary slackness needs no look, since they are
    // raised only by tasks that a full row keeps out.
    duet_int128 cpu = found.cpu_least;
    if (found.has_least && found.gpu_least + found.difference_least > cpu) {
        cpu = found.gpu_least + found.difference_least;
    }
    duet_int128 gpu = found.gpu_least;
    if (found.has_most && cpu - found.difference_most > gpu) {
        gpu = cpu - found.difference_most;
    }
    *certificate = (duet_certificate){.proof = DUET_PROOF_SHELF,
                                      .lambda = shelf->lambda + 1,
                                      .types = 2,
                                      .weight = {u.cpu, u.gpu},
                                      .parts = 2};
    set_count(certificate, DUET_CPU, cpu);
    set_count(certificate, DUET_GPU, gpu);
}

void duet_shelf_prove_counts(const duet_shelf *shelf, int64_t cpu, int64_t gpu,
                             duet_certificate *certificate)
{
    *certificate = (duet_certificate){.proof = DUET_PROOF_SHELF,
                                      .lambda = shelf->lambda + 1,
                                      .types = 2,
                                      .count_weight = {cpu, gpu},
                                      .parts = 2};
}
