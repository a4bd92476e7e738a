#!/usr/bin/env bash
# Every file of a folder laid out like the catalogue Coopr shipped (COOPERAGE_CATALOGUE) is accepted unchanged.
. "$(dirname "$0")/lib.sh"

folder=${COOPERAGE_CATALOGUE:-}
if [ -z "$folder" ]; then
    echo "COOPERAGE_CATALOGUE is not set: nothing to load"
    exit 77
fi
load_catalogue "$folder"
for collection in providers hardwaretypes imagetypes services clustertemplates; do
    for file in "$folder/$collection"/*.json; do
        answer admin 200 -X DELETE "$url/v2/$collection/$(jq -r .name "$file")" >/dev/null
    done
done
echo "1 passed, 0 failed"
