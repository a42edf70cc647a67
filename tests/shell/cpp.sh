#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The header for C++17: the example builds without warnings and prints what is right; exceptions of the caller's
# functions come out of duet::solve(), and nothing is lost on the way. $1: the duet command in its build folder, $2: the
# source folder.
set -u
. "$2/tests/support/checks.sh"
build=$(dirname "$(dirname "$(realpath "$1")")")
source=$(realpath "$2")
if grep -q '^DUET_SANITIZE:STRING=..*' "$build/CMakeCache.txt"; then
    echo "skipped: sanitized build"
    exit 77
fi
[ -e "$build/libduet.so" ] || { echo "skipped: a static library"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
cat >expected <<'END'
best     makespan 33, at least 33, optimal
finish   makespan 34, at least 33, bounded
longest  makespan 33, at least 33, optimal
area     at least 18, exactly 231/13, certified
  task 0 on cpu 0: 0 to 33
  task 1 on gpu 0: 0 to 6
  task 2 on gpu 0: 6 to 10
  task 3 on gpu 0: 10 to 18
thrown: a rule's own fault
thrown by progress: 42
refused: wrong usage
END
cat >described.cpp <<'END'
#include <cstdio>
#include <duet/duet.hpp>
int main()
{
    const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    const int64_t times[] = {40, 10, 20, 15, 30, 5};
    const int64_t releases[] = {7, 0, 0};
    duet_instance_desc description = {};
    description.struct_size = sizeof description;
    description.types = 2;
    description.platform = platform;
    description.kinds = 3;
    description.times = times;
    description.releases = releases;
    description.time_unit = "min";
    duet::instance problem(description);
    const bool unset = problem.start().empty();
    problem.set_start("2026-11-27T09:00");
    const duet::solution found = duet::solve(problem);
    bool refused = false;
    try {
        found.verify("described.cpp"); // which is no proof
    } catch (const std::exception &) {
        refused = true;
    }
    std::printf("%d %d %d %s\n", static_cast<int>(found.makespan()), unset, refused, problem.start().c_str());
}
END
found=0
for cxx in g++ clang++; do
    command -v "$cxx" >/dev/null || continue
    echo 'int main() {}' >empty.cpp
    "$cxx" -std=c++17 -include string -o empty empty.cpp 2>/dev/null || continue
    found=1
    check "$cxx builds the example without warnings" "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
        -I"$source/include" -o embed "$source/examples/embed.cpp" -L"$build" -lduet
    LD_LIBRARY_PATH=$build ./embed >out 2>&1
    check "$cxx: it prints what is right" diff expected out
    check "$cxx takes a description of C's" "$cxx" -std=c++17 -I"$source/include" -o described described.cpp -L"$build" -lduet
    check "$cxx: with releases, a start and what is no proof" test "$(LD_LIBRARY_PATH=$build ./described)" = "20 1 1 2026-11-27T09:00:00"
done
[ "$found" -eq 1 ] || { echo "skipped: no compiler of C++"; exit 77; }
exit "$failed"
