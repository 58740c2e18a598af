// Debouncing.

/** Return a function that calls another one once it was not called with the same key for some milliseconds. */
export function debounced<K>(milliseconds: number, call: (key: K) => void): (key: K) => void {
  const waiting = new Map<K, NodeJS.Timeout>();
  return (key) => {
    clearTimeout(waiting.get(key));
    waiting.set(
      key,
      setTimeout(() => {
        waiting.delete(key);
        call(key);
      }, milliseconds),
    );
  };
}
