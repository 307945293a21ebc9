/** An error that the user of the command line can act on: the message says what is wrong and what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
  /** Exit code of the process. */
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
