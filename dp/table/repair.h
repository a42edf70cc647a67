// SPDX-License-Identifier: Apache-2.0
// A YES at two changes from a rounded relaxation: the capacity of R is filled best by a pair of
// bundles that change their type.
#ifndef DUET_DP_TABLE_REPAIR_H
#define DUET_DP_TABLE_REPAIR_H

#include "dp/table/bundles.h"

// Whether one or two bundles make the base meet all constraints, as far as a search along the units
// finds them; core->on_r is then the allocation. O(bundles log bundles).
duet_code duet_repair(const duet_table_problem *problem, duet_core *core, bool *found,
                      duet_error *error);

#endif
