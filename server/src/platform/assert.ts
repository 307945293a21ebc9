/** A bug: state that would lose or double something. */
class InvariantError extends Error {
  override name = 'InvariantError';
}

/**
 * Checks what the lines before it have to guarantee, where going on would lose or double something. It is called before the
 * commit, or before the answer: the transaction is rolled back, the batch is not acknowledged, the connection is closed, and
 * the sender tries again. It never checks input.
 * @throws InvariantError, which is logged as an error and answered 500
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
