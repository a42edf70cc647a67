// SPDX-License-Identifier: Apache-2.0
// Members of objects that a reader of instances does not use. The current token is their name.
#ifndef DUET_INSTANCES_FORMATS_JSON_MEMBERS_H
#define DUET_INSTANCES_FORMATS_JSON_MEMBERS_H

#include "instances/formats/fields.h"
#include "instances/formats/json/pull.h"

// Whether the name is one of those that end with NULL.
bool duet_json_is_any(const char *name, const char *const *names);
// Puts the member into the ledger of the input and reads over its value. `why` as in
// duet_field_pass().
void duet_json_pass(duet_json *json, duet_field_owner owner, const char *why);
// The same where its value was read: `name` was its name, and its value is the current token.
void duet_json_pass_named(duet_json *json, duet_field_owner owner, const char *name,
                          const char *why);
// Whether a member of the instance of that name says the order, which the caller does not pass
// over.
bool duet_json_names_order(duet_json *json, const char *name);
// Fails: such a member, of the instance or of a task, says it in a form that is not read.
void duet_json_refuse_order(duet_json *json, duet_field_owner owner, const char *name);
// As duet_json_pass_named() of a member whose value begins with the current token, and reads over
// it: an order that says something is refused.
void duet_json_pass_member(duet_json *json, duet_field_owner owner, const char *name);
// The same of the member whose name is the current token.
void duet_json_pass_met_member(duet_json *json, duet_field_owner owner);
// Reads the value of a member that says when a task is released, or how many cores it has, by
// duet_field_guard().
void duet_json_guard(duet_json *json, duet_field_owner owner);
// The same where its value was read: `name` was its name, and its value is the current token.
void duet_json_guard_named(duet_json *json, duet_field_owner owner, const char *name);

#endif
