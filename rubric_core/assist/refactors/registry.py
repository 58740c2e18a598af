"""The ordered table of all refactors; menus show them in this order."""

from rubric_core.assist.refactors import (
    criteria,
    prompts,
    ranges,
    scorecards,
)
from rubric_core.assist.refactors.refactor import Nature, Refactor, adds_one_band, keeps_texts

REFACTORS = (
    Refactor("sort-ranges", ranges.sort),
    Refactor("split-band", ranges.split, keeps=adds_one_band),
    Refactor("distribute-bands", ranges.distribute, keeps=keeps_texts),
    Refactor("map-to-array", ranges.map_to_array),
    Refactor("array-to-map", ranges.array_to_map),
    Refactor("string-to-mapping", criteria.string_to_mapping),
    Refactor("mapping-to-string", criteria.mapping_to_string),
    Refactor("strings-to-rubric", criteria.strings_to_rubric),
    Refactor("add-ids", criteria.add_ids),
    Refactor("extract-scorecard", scorecards.extract, Nature.EXTRACT, reaches_suite=True),
    Refactor("inline-scorecard", scorecards.inline, Nature.INLINE, reaches_suite=True),
    Refactor("extract-prompt", prompts.extract, Nature.EXTRACT),
    Refactor("inline-prompt", prompts.inline, Nature.INLINE),
)
