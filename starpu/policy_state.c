// SPDX-License-Identifier: Apache-2.0
#include "starpu/policy_state.h"

duet_starpu_state_all duet_starpu;
