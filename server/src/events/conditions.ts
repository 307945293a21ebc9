import type { Static } from 'typebox';
import { ApiError } from '../platform/errors.ts';
import { toUuid } from '../platform/ids.ts';
import { parseIsoTime } from '../platform/time.ts';
import type { EventConditions } from './reader.ts';
import type { EventFilter } from './schema.ts';

/**
 * A validated query as conditions; null where it names a project by something that is no project's id: like
 * a project of somebody else, it has no events.
 * @throws ApiError `validation_failed` for a NUL character, which no stored text can hold
 */
export function toConditions(filter: Static<typeof EventFilter>): EventConditions | null {
  for (const [name, value] of Object.entries(filter)) {
    if (typeof value === 'string' && value.includes('\0')) {
      const field = { pointer: `/${name}`, message: 'must not hold a NUL character' };
      throw new ApiError('validation_failed', `query/${name} must not hold a NUL character.`, {
        fields: [field],
      });
    }
  }
  const projectId = filter.project_id === undefined ? null : toUuid('proj', filter.project_id);
  if (filter.project_id !== undefined && projectId === null) return null;
  return {
    projectId,
    type: filter.type ?? null,
    severity: filter.severity ?? null,
    source: filter.source ?? null,
    correlationId: filter.correlation_id ?? null,
    fingerprint: filter.fingerprint ?? null,
    words: (filter.q ?? '').split(/\s+/).filter(Boolean),
    afterMs: filter.from === undefined ? null : parseIsoTime(filter.from),
    beforeMs: filter.to === undefined ? null : parseIsoTime(filter.to),
  };
}
