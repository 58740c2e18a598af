// Selects the cases of a run in the Test Explorer.

/** A file with its cases, or a case, which has a file. */
export interface Listed<T> {
  readonly parent?: T | undefined;
  readonly children: Iterable<readonly [string, T]>;
}

/** Return the files of a request with their selected cases; undefined means all. */
export function selectedCases<T extends Listed<T>>(
  include: Iterable<T>,
  exclude: Iterable<T>,
): Map<T, T[] | undefined> {
  const excluded = new Set(exclude);
  const selected = new Map<T, T[] | undefined>();
  for (const item of include) {
    const file = item.parent ?? item;
    const isWholeAlready = selected.has(file) && selected.get(file) === undefined;
    if (isWholeAlready || excluded.has(file) || excluded.has(item)) {
      continue;
    }
    const cases = item.parent ? [item] : [...item.children].map(([, each]) => each);
    const left = cases.filter((each) => !excluded.has(each));
    if (!item.parent && left.length === cases.length) {
      selected.set(file, undefined);
    } else if (left.length > 0) {
      selected.set(file, [...new Set([...(selected.get(file) ?? []), ...left])]);
    }
  }
  return selected;
}
