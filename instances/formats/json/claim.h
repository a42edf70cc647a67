// SPDX-License-Identifier: Apache-2.0
// The claim of an instance in the native JSON format.
#ifndef DUET_INSTANCES_FORMATS_JSON_CLAIM_H
#define DUET_INSTANCES_FORMATS_JSON_CLAIM_H

#include <stdio.h>

#include "core/instance/instance.h"
#include "instances/formats/json/pull.h"

// Reads the value of the member "claim". A failure is in json->code.
void duet_read_claim_json(duet_json *json, duet_builder *builder);
// Writes the member with its comma and line break; nothing where there is no claim.
void duet_write_claim_json(FILE *stream, const duet_instance *instance);

#endif
