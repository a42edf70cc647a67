// SPDX-License-Identifier: Apache-2.0
// What readers of files know that helps whoever reads a message of the builder.
#ifndef DUET_CORE_INSTANCE_BUILDER_ADVICE_H
#define DUET_CORE_INSTANCE_BUILDER_ADVICE_H

#include "core/instance/instance.h"

// What is said behind the message that an edge names an unknown task: the options with which the
// file's ids are others. A text that is too long is left out.
void duet_builder_advise_ends(duet_builder *builder, const char *advice);

#endif
