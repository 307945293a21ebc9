import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { Static } from 'typebox';
import { ApiError } from '../../platform/errors.ts';
import type { BulkResult } from '../event/schema.ts';

type BulkAnswer = Static<typeof BulkResult>[];

/** Maximum lines of an answer that is kept as it is: packing it would save little. */
const MAX_PLAIN_LINES = 100;
/**
 * Maximum bytes of a packed answer, and of its unpacked form. 10,000 jobs fit in; thousands of problems that quote
 * noise do not.
 */
const MAX_PACKED_BYTES = 256 * 1024;
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;

/** Part of the answer to a bulk body that a claim stores: all of it, or a deflated `PackedAnswer` as base64. */
export type KeptAnswer = BulkAnswer | { deflated: string };

interface PackedAnswer {
  problems: Record<string, unknown>[];
  /** Job of each line, or the index of its problem. */
  lines: (string | number)[];
}

/**
 * Makes an answer small enough to be kept for 30 days: a body of a hundred bytes may have one of megabytes, in which
 * a problem occurs thousands of times.
 * @throws ApiError `validation_failed` if it stays too large
 */
export async function packAnswer(answer: BulkAnswer): Promise<KeptAnswer> {
  if (answer.length <= MAX_PLAIN_LINES) return answer;
  const json = Buffer.from(JSON.stringify(withoutRepetition(answer)));
  const deflated = json.length <= MAX_UNPACKED_BYTES ? await promisify(deflate)(json) : json;
  if (deflated.length <= MAX_PACKED_BYTES) return { deflated: deflated.toString('base64') };
  const message = 'cannot be remembered with the many different problems of this body';
  throw new ApiError('validation_failed', `headers/idempotency-key ${message}.`, {
    fields: [{ pointer: '/idempotency-key', message }],
  });
}

/** Restores a packed answer, field by field. */
export async function unpackAnswer(kept: KeptAnswer): Promise<BulkAnswer> {
  if (Array.isArray(kept)) return kept;
  const json = await promisify(inflate)(Buffer.from(kept.deflated, 'base64'), {
    maxOutputLength: MAX_UNPACKED_BYTES,
  });
  // Only `packAnswer` writes them.
  const { problems, lines } = JSON.parse(json.toString()) as PackedAnswer;
  return lines.map((line) =>
    typeof line === 'string' ? { jobId: line, status: 'queued' } : { error: problems[line] ?? {} },
  );
}

function withoutRepetition(answer: BulkAnswer): PackedAnswer {
  const problems: PackedAnswer['problems'] = [];
  const indexes = new Map<string, number>();
  const lines = answer.map((result) => {
    if ('jobId' in result) return result.jobId;
    const text = JSON.stringify(result.error);
    const known = indexes.get(text);
    if (known !== undefined) return known;
    indexes.set(text, problems.length);
    return problems.push(result.error) - 1;
  });
  return { problems, lines };
}
