// SPDX-License-Identifier: Apache-2.0
// What can be said of a picture before there is a schedule.
#ifndef DUET_REPORT_GANTT_GANTT_H
#define DUET_REPORT_GANTT_GANTT_H

#include <duet/report.h>

// DUET_E_USAGE where no schedule of the instance, whose platform is known, can be drawn like that:
// the size does not hold the rows, or tasks that wait for others are to be drawn by kind. A
// schedule may need more than that, for a legend of many kinds. `options` may have a `beside`.
duet_code duet_gantt_check(const duet_instance *instance, const duet_gantt_options *options,
                           duet_error *error);

#endif
