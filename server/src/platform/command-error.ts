/** A fault that the person at the command line can act on: the message says what it is, and how. */
export class CommandError extends Error {
  override name = 'CommandError';
}
