# SPDX-License-Identifier: Apache-2.0
# What shell tests share. Sourced; a test ends with `exit $failed`.
failed=0

# A check that is misspelt checks nothing: the test ends. (bash calls this in a subshell.)
command_not_found_handle() {
    echo "FAIL line ${BASH_LINENO[0]}: no command $1" >&2
    kill -TERM $$
    return 127
}

# check WHAT COMMAND...: the command must succeed.
check() {
    local what=$1
    shift
    if "$@" >check.out 2>&1; then
        echo "ok $what"
    else
        echo "FAIL $what${seed:+ (seed $seed)}: $(head -c 800 check.out); $(head -c 500 exits.out 2>/dev/null) $(head -c 800 exits.err 2>/dev/null)"
        failed=1
    fi
}

# exits CODE WHAT COMMAND...: the command must exit with that code; its streams are in exits.out and exits.err.
exits() {
    local code=$1 what=$2 got
    shift 2
    "$@" >exits.out 2>exits.err
    got=$?
    check "$what: exit code $code, got $got" test "$got" -eq "$code"
}
