import type { Static } from 'typebox';
import { foldEnvironment } from '../environments/fold-environment.ts';
import { ApiError } from '../platform/errors.ts';
import { parseIsoTime } from '../platform/time.ts';
import type { DeployBody } from './schema.ts';

const MAX_AGE_MS = 30 * 24 * 60 * 60_000;
const MAX_AHEAD_MS = 5 * 60_000;

/** A reported deploy: of one release in one environment. */
export interface ReportedDeploy {
  release: string;
  /** Folded name; null: the project's own. */
  environment: string | null;
  atMs: number;
}

/** @throws ApiError `validation_failed` if `at` is older than 30 days or over 5 minutes ahead */
export function readDeploy(body: Static<typeof DeployBody>, nowMs: number): ReportedDeploy {
  return {
    release: body.release.trim(),
    environment: foldEnvironment(body.environment ?? '') ?? null,
    atMs: body.at === undefined ? nowMs : readTime(body.at, nowMs),
  };
}

function readTime(text: string, nowMs: number): number {
  const atMs = parseIsoTime(text) ?? Number.NaN;
  if (atMs >= nowMs - MAX_AGE_MS && atMs <= nowMs + MAX_AHEAD_MS) return atMs;
  const message = 'must be at most 30 days ago and at most 5 minutes ahead';
  throw new ApiError('validation_failed', `body/at ${message}.`, { fields: [{ pointer: '/at', message }] });
}
