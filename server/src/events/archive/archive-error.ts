/** The archive does not answer, or refuses a statement. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
  /** True if it answers, and needs longer than it may take. */
  readonly isSlow: boolean;

  constructor(message: string, { cause, isSlow = false }: { cause?: unknown; isSlow?: boolean } = {}) {
    super(message, { cause });
    this.isSlow = isSlow;
  }
}
