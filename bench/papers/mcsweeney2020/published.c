// SPDX-License-Identifier: Apache-2.0
// McSweeney, Walton, Zounon, "An efficient new static scheduling heuristic for accelerated
// architectures", ICCS 2020: the makespans of tiled Cholesky factorisations that the authors
// stored beside their program (github.com/mcsweeney90/heterogeneous_optimistic_finish_time), and
// the instances that they are of.
//
// Their topological order takes the task found last, and CPUs come first in their list of
// processors: options topo=stack and ties=cpu.
#include "bench/papers/mcsweeney2020/study.h"

#include <string.h>

#include "bench/papers/papers.h"

enum { TILE_SIZES = 2, CELLS = 4 };

// Mean times of 1,000 runs of a kernel, and of moving what it reads, in 10^-6 us, in the order of
// kinds that the family chol has.
typedef struct kernel_time {
    int64_t cpu, gpu, transfer;
} kernel_time;

static const struct {
    int64_t tile;
    kernel_time kernel[DUET_PAPER_KERNELS]; // potrf, trsm, syrk, gemm
} means[TILE_SIZES] = {
    {128,
     {{141074000, 84810752, 268746248},
      {75197000, 44116992, 110803008},
      {72175000, 31858688, 130780312},
      {89854000, 11317248, 139892752}}},
    {1024,
     {{16219485000, 1184625880, 3233716120},
      {22206134000, 916616096, 3068835904},
      {23363235000, 419018816, 3034252184},
      {41369023000, 446381024, 3043597976}}},
};

const duet_hoft_row duet_hoft_published[DUET_HOFT_ROWS] = {
    {7, 1, 128, 5, {1012456272, 1012456272, 1105205328, 1012456272}},
    {7, 1, 128, 10, {2823541248, 2764999544, 2748285000, 2764999544}},
    {7, 1, 128, 15, {6016193976, 6242107368, 5871892952, 6242107368}},
    {7, 1, 128, 20, {10986124712, 10898131056, 10641839600, 10898131056}},
    {7, 1, 128, 25, {19464127432, 19143673936, 18791796696, 19143673936}},
    {7, 1, 128, 30, {31487736728, 31137263696, 30804188464, 31137263696}},
    {7, 1, 128, 35, {48094233816, 47760296360, 47677761136, 47760296360}},
    {7, 1, 128, 40, {70124812456, 69717053832, 69692812144, 69717053832}},
    {7, 1, 128, 45, {98062634104, 98011318664, 97962517752, 98011318664}},
    {7, 1, 128, 50, {132907522136, 132897378600, 132916876200, 132897378600}},
    {7, 1, 1024, 5, {23743288760, 23743288760, 23743288760, 23743288760}},
    {7, 1, 1024, 10, {119512478256, 118936302512, 119334422640, 118936302512}},
    {7, 1, 1024, 15, {335899789992, 334602375432, 328768921160, 334602375432}},
    {7, 1, 1024, 20, {712859883048, 726383214304, 681085087544, 726383214304}},
    {7, 1, 1024, 25, {1301095176848, 1335005563032, 1219548922976, 1335005563032}},
    {7, 1, 1024, 30, {2171963777472, 2102386769856, 2022949502096, 2102386769856}},
    {7, 1, 1024, 35, {3352321340279, 3207871209439, 3127321046256, 3207871209439}},
    {7, 1, 1024, 40, {4909435754359, 4690946450463, 4613634110415, 4690946450463}},
    {7, 1, 1024, 45, {6909012860768, 6590863525040, 6503987919640, 6590863525040}},
    {7, 1, 1024, 50, {9382810930264, 8938661433056, 8881409205464, 8938661433056}},
    {28, 4, 128, 5, {1073248552, 1073248552, 1093225856, 1073248552}},
    {28, 4, 128, 10, {2345070104, 2345070104, 2393946856, 2345070104}},
    {28, 4, 128, 15, {3527269096, 3504045784, 3638748024, 3504045784}},
    {28, 4, 128, 20, {4820382848, 4819191736, 5207099720, 4819191736}},
    {28, 4, 128, 25, {7438174768, 7213442896, 7071200784, 7213442896}},
    {28, 4, 128, 30, {10577106176, 10651172992, 10134224600, 10651172992}},
    {28, 4, 128, 35, {14735733704, 14943585576, 14252873952, 14943585576}},
    {28, 4, 128, 40, {20103150296, 20251711376, 19824349584, 20251711376}},
    {28, 4, 128, 45, {27088388024, 27290756792, 26745037712, 27290756792}},
    {28, 4, 128, 50, {36183074056, 36062504856, 35517573168, 36062504856}},
    {28, 4, 1024, 5, {22940679088, 19185356792, 21996700784, 19185356792}},
    {28, 4, 1024, 10, {67056670784, 49800047488, 53335777488, 49800047488}},
    {28, 4, 1024, 15, {120452946032, 110936691080, 105879451008, 110936691080}},
    {28, 4, 1024, 20, {220255633528, 209712320456, 205447416248, 209712320456}},
    {28, 4, 1024, 25, {375988447672, 362241339984, 365852778328, 362241339984}},
    {28, 4, 1024, 30, {601236702072, 592029157760, 589135376112, 592029157760}},
    {28, 4, 1024, 35, {910660242304, 905431063280, 886913554048, 905431063280}},
    {28, 4, 1024, 40, {1302472304208, 1310923179768, 1256276080376, 1310923179768}},
    {28, 4, 1024, 45, {1782381321456, 1821967560240, 1717610134248, 1821967560240}},
    {28, 4, 1024, 50, {2403747490696, 2428041859160, 2299169514816, 2428041859160}},
};

const char *const duet_hoft_algorithm[DUET_HOFT_ALGORITHMS] = {"heft", "heft-wm", "hoft",
                                                               "hoft-wm"};

duet_code duet_hoft_instance(const duet_hoft_row *row, duet_instance **out, duet_error *error)
{
    const kernel_time *kernel = means[row->tile == means[0].tile ? 0 : 1].kernel;
    const duet_paper_case c = {.n = row->tiles, .m = row->cpus, .k = row->gpus};
    int64_t times[2 * DUET_PAPER_KERNELS];
    int64_t costs[CELLS * DUET_PAPER_KERNELS];
    for (size_t i = 0; i < DUET_PAPER_KERNELS; i++) {
        int64_t transfer = kernel[i].transfer;
        const int64_t table[CELLS] = {0, transfer, transfer, transfer}; // between CPUs nothing
        times[2 * i] = kernel[i].cpu;
        times[2 * i + 1] = kernel[i].gpu;
        memcpy(&costs[CELLS * i], table, sizeof table);
    }
    return duet_paper_cholesky(&c, "hoft-cholesky", "us", times, costs, out, error);
}

duet_hoft_match duet_hoft_compare(int64_t makespan, int64_t published)
{
    int64_t apart = makespan > published ? makespan - published : published - makespan;
    // The authors added up doubles: their sums of some thousand times are off in the last decimal.
    return apart == 0 ? DUET_HOFT_SAME : apart == 1 ? DUET_HOFT_ROUNDED : DUET_HOFT_OTHER;
}
