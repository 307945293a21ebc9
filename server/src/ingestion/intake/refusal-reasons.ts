import type { ApiError } from '../../platform/errors.ts';
import { NOT_KEPT } from './item-counts.ts';

export const UNREADABLE = 'unreadable';
const SERVER_ERROR = 500;

/** Reasons under which refusals are counted, by the codes of their errors. */
const REASONS = new Map([
  ['body_too_large', 'too_large'],
  ['browser_key_refused', 'browser_key'],
  ['limit_reached', 'over_limit'],
  ['not_found', 'undeclared'],
  ['over_quota', 'over_quota'],
  ['project_over_share', 'over_share'],
  ['too_many_check_ins', 'over_rate'],
  ['unsupported_media_type', NOT_KEPT],
]);

/** Returns the reason under which a refusal is counted, of a closed set. */
export function reasonOf({ code, kind }: ApiError): string {
  return REASONS.get(code) ?? (kind.status >= SERVER_ERROR ? 'unavailable' : UNREADABLE);
}
