/** A bug: a state that would lose or duplicate data. */
class InvariantError extends Error {
  override name = 'InvariantError';
}

/**
 * Checks an invariant whose violation would lose or duplicate data. It is called before the commit, or before the
 * answer: the transaction is rolled back, the batch is not acknowledged, the connection is closed, and the sender
 * tries again. It never checks input.
 * @throws InvariantError, which is logged as an error and answered 500
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
