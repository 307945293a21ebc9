/** The archive does not answer, or refuses a statement. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
  /** True if it answers, and needs longer than it may take. */
  readonly isSlow: boolean;
  /** True if it gives no answer at all: another statement would not get one either. */
  readonly isSilent: boolean;

  constructor(
    message: string,
    {
      cause,
      isSlow = false,
      isSilent = false,
    }: { cause?: unknown; isSlow?: boolean; isSilent?: boolean } = {},
  ) {
    super(message, { cause });
    this.isSlow = isSlow;
    this.isSilent = isSilent;
  }
}
