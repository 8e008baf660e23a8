#!/bin/sh
# The result of an example, made once for all tests; prints where it is. Not to be written to.
#   example.sh PROGRAM FOLDER VERB NAME    (VERB: run, rotor or reduce)
# Whoever needs it first makes it in FOLDER, and again when the program or a file of the examples has
# changed; others who ask meanwhile wait. A warning is a mistake.
set -eu
program=$1 folder=$2 verb=$3 name=$4
work=$folder/$verb/work
result=$folder/$verb/$name.h5 new=$work/$name.h5
mkdir -p "$work"
exec 9>"$work/$name.lock"
flock 9
if [ ! -e "$result" ] || [ -n "$(find "$program" examples -name .limber-cache -prune -o \
    -type f -newer "$result" -print -quit)" ]; then
    touch "$work/$name.begun"
    words="examples/$name/$name.yaml -o $new"
    [ "$verb" = rotor ] || words="$words --quiet"
    # shellcheck disable=SC2086
    "$program" "$verb" $words >/dev/null 2>"$work/$name.said" && [ ! -s "$work/$name.said" ] || {
        cat "$work/$name.said" >&2
        exit 1
    }
    touch -r "$work/$name.begun" "$new"
    mv "$new" "$result"
fi
echo "$result"
