// SPDX-License-Identifier: Apache-2.0
// The value of a ratio's text.
#ifndef DUET_CONSOLE_RATIO_H
#define DUET_CONSOLE_RATIO_H

// The value of a ratio's text, such as "(1+sqrt(5))/2"; negative where it cannot be read.
double duet_cli_ratio_value(const char *text);

#endif
