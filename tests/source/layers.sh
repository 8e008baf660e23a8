#!/bin/sh
# The layers of src/ are kept, and the script that says so finds what is planted in a copy:
#   layers.sh FOLDER    (for the copy)
# Tests are in the folder of what they test.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
check=$top/scripts/check-layers
copy=$1
"$check" "$top"

for folder in "$top"/tests/*/; do
    folder=$(basename "$folder")
    case $folder in
    bad | fuzz | ill-posed | support) continue ;; # wrong models, inputs of all sorts, what tests share
    examples | faults | install | interop | parts | python | source) continue ;; # tests of more than a folder of src/
    esac
    [ -d "$top/src/$folder" ] || {
        echo "tests/$folder: there is no src/$folder"
        exit 1
    }
done

rm -rf "$copy"
mkdir -p "$copy/docs"
cp -r "$top/src" "$copy/src"
cp "$top/docs/architecture.md" "$copy/docs"

# plants a line in a file of the copy, which the check must answer with a piece of a message
planted() {
    file=$copy/$1
    [ ! -e "$file" ] || cp "$file" "$copy/before"
    mkdir -p "$(dirname "$file")"
    echo "$2" >>"$file"
    if "$check" "$copy" >"$copy/said"; then
        echo "not found: '$2' in $1"
        exit 1
    fi
    grep -qF "$1" "$copy/said" && grep -qF "$3" "$copy/said" || {
        echo "'$2' in $1 was answered: $(cat "$copy/said")"
        exit 1
    }
    rm "$file"
    [ ! -e "$copy/before" ] || mv "$copy/before" "$file"
}
"$check" "$copy"
planted src/math/dense.c '    double *room = malloc(n);' 'memory comes from base/memory.h'
planted src/report/page.c '    fprintf(out, "%g", x);' 'come from base/format.h'
planted src/read/memo.c '    int (*compare)(const char *, const char *) = strcasecmp;' 'come from base/format.h'
planted src/math/vec.h '#include "model/fields.h"' 'math/ must not include model/'
planted src/joints/revolute.c '#include "forces/force.h"' 'joints/ must not include forces/'
planted src/base/json.c '#include "nowhere/else.h"' 'unknown folder'
planted src/nowhere/else.c 'int x;' 'is not in the list'
planted src/system/state.c '    if (b->ops == &lmb_body_rigid)' 'the kind of a body'
planted src/export/vtk.c '    bool bends = lmb_body_elasticity(b);' 'the kind of a body'
planted src/scene/skin.c '#include "bodies/flexible.h"' 'the kind of a body'
"$check" "$copy"
