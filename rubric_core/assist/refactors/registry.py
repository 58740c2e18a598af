"""The ordered table of all refactors; menus show them in this order."""

from rubric_core.assist.refactors import (
    add_ids,
    array_to_map,
    distribute_bands,
    extract_prompt,
    extract_scorecard,
    inline_prompt,
    inline_scorecard,
    map_to_array,
    mapping_to_string,
    sort_ranges,
    split_band,
    string_to_mapping,
    strings_to_rubric,
)

REFACTORS = (
    sort_ranges.REFACTOR,
    split_band.REFACTOR,
    distribute_bands.REFACTOR,
    map_to_array.REFACTOR,
    array_to_map.REFACTOR,
    string_to_mapping.REFACTOR,
    mapping_to_string.REFACTOR,
    strings_to_rubric.REFACTOR,
    add_ids.REFACTOR,
    extract_scorecard.REFACTOR,
    inline_scorecard.REFACTOR,
    extract_prompt.REFACTOR,
    inline_prompt.REFACTOR,
)
