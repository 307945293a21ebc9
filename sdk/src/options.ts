import { optionalText } from './clean/event.ts';
import { CALL_DEADLINE_MS, MAX_ENVIRONMENT_LENGTH } from './clean/limits.ts';
import { attempt, read } from './clean/read.ts';
import type { LossReason } from './types.ts';

export interface Settings {
  apiKey: string;
  /** URL without a slash at the end. */
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  /** Environment of calls that name none; undefined: the server decides. */
  environment: string | undefined;
  /** Reason why no call can succeed with these options; null if they are usable. */
  fault: { reason: LossReason; explanation: string } | null;
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:4100';
const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_RETRIES = 3;
const MAX_RETRIES = 10;

/** Reads the options of the constructor. Never throws: a fault is kept and reported at each call. */
export function readOptions(options: unknown): Settings {
  const apiKey = usableKey(read(options, 'apiKey'));
  const baseUrl = usableBaseUrl(read(options, 'baseUrl') ?? DEFAULT_BASE_URL);
  return {
    apiKey: apiKey ?? '',
    baseUrl: baseUrl ?? '',
    timeoutMs: numberWithin(read(options, 'timeoutMs'), 1, CALL_DEADLINE_MS) ?? DEFAULT_TIMEOUT_MS,
    maxRetries: Math.floor(numberWithin(read(options, 'maxRetries'), 0, MAX_RETRIES) ?? DEFAULT_MAX_RETRIES),
    environment: optionalText(read(options, 'environment'), MAX_ENVIRONMENT_LENGTH),
    fault:
      apiKey === null
        ? { reason: 'no_api_key', explanation: 'the option apiKey is missing or not a key' }
        : baseUrl === null
          ? { reason: 'invalid_base_url', explanation: 'the option baseUrl is not an http or https address' }
          : null,
  };
}

/** Returns a key that a header can carry: one with a line break from a file would make every request throw. */
function usableKey(value: unknown): string | null {
  const key = typeof value === 'string' ? value.trim() : '';
  return /^[\x21-\x7e]+$/.test(key) ? key : null;
}

function usableBaseUrl(value: unknown): string | null {
  const url = attempt(() => new URL(String(value)));
  // fetch refuses URLs with a user name.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function numberWithin(value: unknown, min: number, max: number): number | null {
  return typeof value === 'number' && value >= min ? Math.min(value, max) : null;
}
