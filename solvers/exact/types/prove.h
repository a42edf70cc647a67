// SPDX-License-Identifier: Apache-2.0
// The proof of a bound that came from no search, on other than two types: the guess below it is
// refuted once more, in the nodes of a proof.
//
// Method:    the prices of its certificate; a class without a type; weights of the area bound; the
//            configuration relaxation; branch and price.
// Guarantee: what is written proves the bound; there may be nothing.
// Cost:      mostly that of reading the certificate; a linear program where it has no prices.
// Memory:    that of the relaxation.
// Reference: docs/theory/certificates.md, "Proofs by search".
#ifndef DUET_SOLVERS_EXACT_TYPES_PROVE_H
#define DUET_SOLVERS_EXACT_TYPES_PROVE_H

#include "solvers/exact/exact_state.h"

// By weights of the area bound alone, or a task that fits nowhere; on two types as well.
duet_code duet_exact_prove_by_area(duet_exact *exact, bool *proven, duet_error *error);

// Writes the proof of exact->bound to exact->proof. *proven: it is there.
duet_code duet_types_prove(duet_exact *exact, bool *proven, duet_error *error);

#endif
