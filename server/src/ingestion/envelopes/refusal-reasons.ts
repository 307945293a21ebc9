import type { ApiError } from '../../platform/errors.ts';

export const UNREADABLE = 'unreadable';

const REASONS = new Map([['body_too_large', 'too_large']]);

/** Returns the reason under which a refusal is counted, of a closed set. */
export function reasonOf({ code }: ApiError): string {
  return REASONS.get(code) ?? UNREADABLE;
}
