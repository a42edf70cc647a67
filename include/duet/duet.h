// SPDX-License-Identifier: Apache-2.0
/// @file
/// Duet: optimal or provably bounded schedules for CPUs and GPUs, or any processor types. Includes
/// every public header.
///
/// Threads: the library has no global mutable state. Distinct objects may be used from distinct
/// threads at will; an instance may be read from several at once.
#ifndef DUET_DUET_H
#define DUET_DUET_H

#include <duet/allocator.h>
#include <duet/bound.h>
#include <duet/bus.h>
#include <duet/certificate.h>
#include <duet/check.h>
#include <duet/custom.h>
#include <duet/error.h>
#include <duet/generate.h>
#include <duet/graph.h>
#include <duet/instance.h>
#include <duet/io.h>
#include <duet/moldable.h>
#include <duet/options.h>
#include <duet/params.h>
#include <duet/registry.h>
#include <duet/replan.h>
#include <duet/report.h>
#include <duet/simulate.h>
#include <duet/size.h>
#include <duet/solution.h>
#include <duet/solve.h>
#include <duet/version.h>

#endif
