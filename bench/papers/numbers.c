// SPDX-License-Identifier: Apache-2.0
// What the papers print.
#include "bench/papers/papers.h"

// Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on multi-cores with
// GPU accelerators", CCPE 27(6), 2015, Table 1: maximal deviations (%) of DP, HEFT and Accel.
// Figure 3 (mean deviations of DP and HEFT) is a picture without numbers, and so is Figure 6 of
// Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list scheduling
// algorithm for task-based runtime systems on multicores and GPUs", IPDPS 2017.
const duet_papers_printed duet_papers_table1[DUET_PAPERS_PRINTED] = {
    {120, {76.88, 123.53, 46.15}}, {160, {72.73, 98.44, 42.86}},  {220, {70.37, 92.55, 50.00}},
    {260, {69.14, 91.90, 41.18}},  {360, {70.00, 110.37, 37.82}}, {380, {70.00, 91.78, 43.59}},
    {660, {67.42, 113.48, 36.36}}, {700, {50.82, 98.10, 40.91}},  {760, {42.77, 98.77, 32.52}},
    {780, {54.47, 103.15, 37.04}}, {920, {91.77, 116.46, 48.24}}, {940, {63.07, 96.31, 34.65}}};
