// SPDX-License-Identifier: Apache-2.0
#include "tests/support/worst_cases.h"

#include <math.h>

// The family's own.
enum { OWN = -1 };

static double tau(double m, double k)
{
    return sqrt(m / k);
}

static double golden(double m, double k)
{
    (void)m;
    (void)k;
    return (1 + sqrt(5)) / 2;
}

static double one_gpu(double m, double k)
{
    return (m - 1) / (m + golden(m, k)) + golden(m, k);
}

// x/n + r/3 with n/r + 2n - 1 = n r/3.
static double many_gpus(double m, double n)
{
    (void)m;
    double r = 3 * (2 * n - 1 + sqrt((2 * n - 1) * (2 * n - 1) + 4 * n * n / 3)) / (2 * n);
    return (n - 1) / (n + r) + r / 3;
}

static double qa(double m, double k)
{
    return tau(m, k) + 2 - 1 / k;
}

static double qa_graph(double m, double k)
{
    return 2 * tau(m, k) + 1 - 1 / k;
}

static double er_ls(double m, double k)
{
    return tau(m, k) - 1 / tau(m, k) + 3 - 1 / k;
}

static double online(double m, double k)
{
    return m / k + 2 - 1 / k;
}

static double eft_first_step(double m, double k)
{
    return m / k;
}

static double heft(double m, double k)
{
    (void)k;
    return (m + 1) / 2;
}

static double lpt(double m, double k)
{
    (void)k;
    return 4.0 / 3 - 1 / (3 * m);
}

static double two(double m, double k)
{
    (void)m;
    (void)k;
    return 2;
}

static double dual_2(double m, double k)
{
    (void)m;
    return 2 * k / (k + 1);
}

static double shelf_3_2(double m, double k)
{
    (void)m;
    return 3 * k / (2 * k + 1);
}

static double dual_4_3(double m, double k)
{
    (void)m;
    return 4 * k / (3 * k + 1);
}

static double above_3_2(double m, double k)
{
    (void)m;
    (void)k;
    return 1.5;
}

static double two_and_a_half(double m, double k)
{
    (void)m;
    (void)k;
    return 2.5;
}

// Ticks of a k-th of the optimum: that many by tau rounded up.
static double qa_ticks(double m, double k, double ticks)
{
    return ticks * ceil(tau(m, k));
}

// m k tasks on k GPUs, each less than a tick short of s/tau; the optimum has k s.
static double qa_loss(double m, double k, double ticks)
{
    double s = qa_ticks(m, k, ticks);
    return m / (k * s) * (s / tau(m, k) - (ceil(s / tau(m, k)) - 1));
}

static double er_ls_loss(double m, double k, double ticks)
{
    return (m - k) / m * qa_loss(m, k, ticks);
}

// k - 1 tasks on each CPU and the last are short of m s/k and m^2 s/k by at least 1/k and at most
// one tick.
static double ratio_loss(double m, double k, double ticks)
{
    double p = m * ticks / k - (ceil(m * ticks / k) - 1);
    double r = m * m * ticks / k - (ceil(m * m * ticks / k) - 1);
    return ((k - 1) * p + r) / (m * ticks);
}

// A tick of the k (s+1) of the optimum, for each of m + k - 1 tasks on a GPU.
static double quickest_loss(double m, double k, double ticks)
{
    return (m + k - 1) / (k * (ticks + 1));
}

const duet_worst_case duet_worst_cases[] = {
    {"worst-heteroprio-1-1", 1, OWN, OWN, NULL, golden, 0.12, true, NULL},
    {"worst-heteroprio-1-1", 2, OWN, OWN, NULL, golden, 0.02, true, NULL},
    {"worst-heteroprio-1-1", 0, OWN, OWN, NULL, golden, 1e-6, true, NULL},
    {"worst-heteroprio-1-1", 43, OWN, OWN, NULL, golden, 1e-9, true, NULL},
    {"worst-heteroprio-m-1", 2, 2, OWN, NULL, one_gpu, 0.03, true, NULL},
    {"worst-heteroprio-m-1", 3, 3, OWN, NULL, one_gpu, 0.004, true, NULL},
    {"worst-heteroprio-m-1", 0, OWN, OWN, NULL, one_gpu, 1e-3, true, NULL},
    {"worst-heteroprio-m-1", 6, 7, OWN, NULL, one_gpu, 1e-4, true, NULL},
    {"worst-heteroprio-m-1", 4, 50, OWN, NULL, one_gpu, 1e-3, true, NULL},
    {"worst-heteroprio", 1, OWN, OWN, NULL, many_gpus, 2e-3, true, NULL},
    {"worst-heteroprio", 1, OWN, OWN, "ticks=100", many_gpus, 2e-2, true, NULL},
    {"worst-heteroprio", 2, OWN, OWN, NULL, many_gpus, 1e-3, true, NULL},
    {"worst-heteroprio", 2, OWN, OWN, "ticks=1000000", many_gpus, 2e-6, true, NULL},
    {"worst-heteroprio", 3, OWN, OWN, NULL, many_gpus, 1e-3, true, NULL},
    {"worst-heteroprio", 4, OWN, OWN, NULL, many_gpus, 1e-3, true, NULL},
    {"worst-qa", 0, 1, 1, NULL, qa, 1e-3, false, NULL},
    {"worst-qa", 0, 9, 1, NULL, qa, 1e-2, false, NULL},
    {"worst-qa", 0, 7, 3, NULL, qa, 1e-2, false, NULL},
    {"worst-qa", 0, OWN, OWN, NULL, qa, 1e-2, false, NULL},
    {"worst-qa", 0, 64, 4, "ticks=2", qa, 0, false, qa_loss},
    {"worst-qa", 0, 64, 4, "ticks=100000", qa, 0, false, qa_loss},
    {"worst-qa", 0, 65, 4, "ticks=3", qa, 0, false, qa_loss},
    {"worst-qa", 0, 9, 1, "ticks=1000", qa, 0, false, qa_loss},
    {"worst-qa", 0, 50, 50, "ticks=1000000", qa, 1e-5, false, NULL},
    {"worst-qa-graph", 0, 1, 1, NULL, qa_graph, 1e-2, false, NULL},
    {"worst-qa-graph", 0, 4, 1, NULL, qa_graph, 1e-2, false, NULL},
    {"worst-qa-graph", 0, 3, 1, NULL, qa_graph, 1e-2, false, NULL},
    {"worst-qa-graph", 0, 2, 2, "ticks=100000", qa_graph, 1e-4, false, NULL},
    {"worst-heteroprio-graph", 0, OWN, OWN, NULL, NULL, 0, false, NULL},
    {"worst-heteroprio-graph", 1, OWN, OWN, NULL, NULL, 0, false, NULL},
    {"worst-heteroprio-graph", 1000000, OWN, OWN, NULL, NULL, 0, false, NULL},
    {"worst-er-ls", 0, 1, 1, NULL, er_ls, 1e-9, false, NULL},
    {"worst-er-ls", 0, 9, 1, NULL, er_ls, 1e-2, false, NULL},
    {"worst-er-ls", 0, OWN, OWN, NULL, er_ls, 1e-2, false, NULL},
    {"worst-er-ls", 0, 7, 3, "ticks=2", er_ls, 0, false, er_ls_loss},
    {"worst-er-ls", 0, 7, 3, "ticks=100000", er_ls, 0, false, er_ls_loss},
    {"worst-er-ls", 0, 16, 4, "ticks=5", er_ls, 0, false, er_ls_loss},
    {"worst-quickest", 0, 1, 1, NULL, online, 1e-2, false, NULL},
    {"worst-quickest", 0, OWN, OWN, NULL, online, 1e-2, false, NULL},
    {"worst-quickest", 0, 9, 2, "ticks=100000", online, 1e-3, false, NULL},
    {"worst-quickest", 0, 2, 5, NULL, online, 1e-2, false, NULL},
    {"worst-quickest", 0, 9, 2, "ticks=3", online, 0, false, quickest_loss},
    {"worst-ratio", 0, 1, 1, NULL, online, 1e-2, false, NULL},
    {"worst-ratio", 0, OWN, OWN, NULL, online, 1e-3, false, NULL},
    {"worst-ratio", 0, 7, 3, "ticks=1", online, 0, false, ratio_loss},
    {"worst-ratio", 0, 7, 3, "ticks=100000", online, 0, false, ratio_loss},
    {"worst-ratio", 0, 8, 4, "ticks=3", online, 0, false, ratio_loss},
    {"worst-eft", 0, 2, 1, NULL, online, 0.01, false, NULL},
    {"worst-eft", 0, 4, 2, NULL, online, 0.01, false, NULL},
    {"worst-eft", 0, 6, 3, NULL, online, 0.01, false, NULL},
    {"worst-eft", 0, OWN, OWN, NULL, online, 0.05, false, NULL},
    {"worst-eft", 0, 12, 3, "ticks=100000", online, 0.001, false, NULL},
    {"worst-eft", 0, OWN, OWN, "second-step=false", eft_first_step, 0.01, false, NULL},
    {"worst-eft", 0, 15, 5, "second-step=false", eft_first_step, 0.01, false, NULL},
    {"worst-heft", 0, 2, OWN, NULL, heft, 1e-12, true, NULL},
    {"worst-heft", 0, 3, OWN, NULL, heft, 1e-12, true, NULL},
    {"worst-heft", 0, OWN, OWN, NULL, heft, 1e-12, true, NULL},
    {"worst-heft", 0, 32, OWN, NULL, heft, 1e-12, true, NULL},
    {"worst-lpt", 0, 2, OWN, NULL, lpt, 1e-12, true, NULL},
    {"worst-lpt", 0, OWN, OWN, NULL, lpt, 1e-12, true, NULL},
    {"worst-lpt", 0, 25, 0, NULL, lpt, 1e-12, true, NULL},
    {"worst-dualhp", 0, OWN, OWN, NULL, two, 0.0011, true, NULL},
    {"worst-dualhp", 0, 3, 2, "ticks=3", two, 0.34, true, NULL},
    {"worst-dualhp", 0, 2, 5, "ticks=1000000", two, 1e-5, true, NULL},
    {"worst-dual-2", 0, OWN, 2, NULL, dual_2, 1e-12, true, NULL},
    {"worst-dual-2", 0, 30, 8, NULL, dual_2, 1e-12, true, NULL},
    {"worst-dual-2", 0, 4, 50, NULL, dual_2, 1e-12, true, NULL},
    {"worst-shelf-3-2", 0, OWN, 2, NULL, shelf_3_2, 1e-12, true, NULL},
    {"worst-shelf-3-2", 0, 30, 8, NULL, shelf_3_2, 1e-12, true, NULL},
    {"worst-shelf-3-2", 0, 4, 50, NULL, shelf_3_2, 1e-12, true, NULL},
    {"worst-dual-4-3", 0, OWN, 2, NULL, dual_4_3, 1e-3, true, NULL},
    {"worst-dual-4-3", 0, OWN, OWN, NULL, dual_4_3, 1e-3, true, NULL},
    {"worst-dual-4-3", 0, OWN, 60, "ticks=5", dual_4_3, 1e-2, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, NULL, above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, 2, 1, "factor=1000000000", above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, 10, 9, NULL, above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, "fault=mixed factor=1", above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, "fault=mixed factor=1000", above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, "fault=order factor=10", above_3_2, 0, true, NULL},
    {"worst-accel-published", 0, OWN, OWN, "fault=order factor=1000", two_and_a_half, 1e-2, true,
     NULL},
};
const size_t duet_worst_case_count = sizeof duet_worst_cases / sizeof *duet_worst_cases;
