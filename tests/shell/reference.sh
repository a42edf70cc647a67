#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything public is documented: Doxygen makes the reference of the headers without a warning.
# $1: the duet command (unused), $2: the source folder.
set -u
source=$(realpath "$2")
command -v doxygen >/dev/null || { echo "skipped: no doxygen"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# reference FOLDER: the reference of the headers in FOLDER/include, by the Doxyfile that is shipped.
reference() {
    (cd "$1" && { cat "$source/docs/Doxyfile"; echo "OUTPUT_DIRECTORY = $scratch/out"; } |
        DUET_VERSION=0 doxygen -) >"$scratch/log" 2>&1
}

if ! reference "$source"; then
    echo "FAIL the reference has warnings:"
    cat "$scratch/log"
    exit 1
fi
for name in duet_solve duet_check_solution duet_certificate duet_work_place DUET_PARAMS_INIT; do
    grep -rqw "$name" "$scratch/out/html" --include='*.html' || { echo "FAIL no word on $name"; exit 1; }
done

# It would be seen.
cp -r "$source/include" "$scratch/"
sed -i 's|^DUET_API const char \*duet_version|DUET_API int duet_undocumented(void);\n\n&|' \
    "$scratch/include/duet/version.h"
sed -i '/^\/\/\/ The version of the loaded/d' "$scratch/include/duet/version.h"
if reference "$scratch"; then
    echo "FAIL a function without a word goes unnoticed"
    exit 1
fi
echo ok
