import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { Timestamp } from '../http/schemas.ts';
import { isoTime } from '../platform/time.ts';
import type { Scan, Top } from './read-types.ts';

/** The schema of an answer whose headers report the progress of its scan. */
export function withScanHeaders<T extends TSchema>(schema: T): T {
  return {
    ...schema,
    headers: {
      'Scanned-From': {
        ...Timestamp,
        description:
          'Instant from which on the answer is complete, if not all events of the range were scanned. Without it the answer is exact for the whole range (for a list, down to the page’s last event).',
      },
      'Scanned-To': {
        ...Timestamp,
        description:
          'Instant before which the answer is complete, in place of `Scanned-From` with `order=asc`.',
      },
      'Scanned-Events': {
        type: 'integer',
        description: 'Number of scanned events, beside `Scanned-From`.',
      },
    },
  };
}

/** The schema of an answer that may count another range than the requested one. */
export function withRangeHeaders<T extends TSchema & { headers?: object }>(schema: T): T {
  const bound = (which: string) => ({
    ...Timestamp,
    description: `The ${which} of the range, exclusive as in the query; only if whole hours were counted.`,
  });
  return {
    ...schema,
    headers: { ...schema.headers, 'Counted-From': bound('beginning'), 'Counted-To': bound('end') },
  };
}

export function sendRange(reply: FastifyReply, range: Top['range']): void {
  if (range) reply.headers({ 'counted-from': isoTime(range.afterMs), 'counted-to': isoTime(range.beforeMs) });
}

export function sendScan(reply: FastifyReply, scan: Scan | null): void {
  if (!scan) return;
  const edge = scan.isForward ? 'scanned-to' : 'scanned-from';
  reply.headers({ [edge]: isoTime(scan.fromMs), 'scanned-events': scan.events });
}
