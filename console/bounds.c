// SPDX-License-Identifier: Apache-2.0
// Which bounds say something of an instance.
#include "console/registry_text.h"

bool duet_bound_applies(const duet_entry *entry, const duet_instance *instance)
{
    bool moldable = (duet_instance_features(instance) & DUET_FEATURE_MOLDABLE) != 0;
    bool of_others = moldable ? (entry->handles & DUET_FEATURE_MOLDABLE) == 0
                              : (entry->needs & DUET_NEEDS_MOLDABLE) != 0;
    bool lacks_edges = (entry->needs & DUET_NEEDS_EDGES) != 0 && duet_instance_edges(instance) == 0;
    return !of_others && !lacks_edges;
}
