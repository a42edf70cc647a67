// SPDX-License-Identifier: Apache-2.0
// Inside of a flow of a certificate, and what a certificate holds, for the library's own modules.
#ifndef DUET_CORE_SOLUTION_FLOW_H
#define DUET_CORE_SOLUTION_FLOW_H

#include <stdatomic.h>

#include <duet/bound.h>

struct duet_flow {
    atomic_size_t references;
    size_t edges, tasks, crosses;
    duet_flow_term term[]; // of edges, then of tasks, then what is charged for communication
};

// One more reference to whatever the certificate holds, and one less.
void duet_certificate_retain(const duet_certificate *certificate);
void duet_certificate_release(const duet_certificate *certificate);

#endif
