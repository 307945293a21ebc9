/** Runs a generator to its end, without a turn of the event loop. */
export function runToEnd<T>(work: Iterator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
