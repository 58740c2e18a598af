// Which cases a run of the Test Explorer is about.

/** A file with its cases, or a case, which has a file. */
export interface Listed<T> {
  readonly parent?: T | undefined;
  readonly children: Iterable<readonly [string, T]>;
}

/** Return the files of a request with the cases that are wanted of them; undefined means all. */
export function selectedCases<T extends Listed<T>>(
  include: Iterable<T>,
  exclude: Iterable<T>,
): Map<T, T[] | undefined> {
  const excluded = new Set(exclude);
  const wanted = new Map<T, T[] | undefined>();
  for (const item of include) {
    const file = item.parent ?? item;
    const isWholeAlready = wanted.has(file) && wanted.get(file) === undefined;
    if (isWholeAlready || excluded.has(file) || excluded.has(item)) {
      continue;
    }
    const cases = item.parent ? [item] : [...item.children].map(([, each]) => each);
    const left = cases.filter((each) => !excluded.has(each));
    if (!item.parent && left.length === cases.length) {
      wanted.set(file, undefined);
    } else if (left.length > 0) {
      wanted.set(file, [...new Set([...(wanted.get(file) ?? []), ...left])]);
    }
  }
  return wanted;
}
