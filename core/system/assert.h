// SPDX-License-Identifier: Apache-2.0
// Invariants, checked where they are cheap to state and a fault would go unnoticed.
//
// DUET_ASSERT(condition) is for what no input and no caller can make false: a fault in Duet itself.
// It is on in debug and sanitizer builds, where a false condition is named on standard error and
// ends the process, so that a fuzzer or a test keeps the input. In a release it is compiled, so
// that it cannot go stale, and never evaluated.
#ifndef DUET_CORE_SYSTEM_ASSERT_H
#define DUET_CORE_SYSTEM_ASSERT_H

#ifdef DUET_ASSERTS
_Noreturn void duet_assert_failed(const char *condition, const char *file, int line);
#define DUET_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : duet_assert_failed(#condition, __FILE__, __LINE__))
#else
#define DUET_ASSERT(condition) ((void)(0 && (condition)))
#endif

#endif
