import { useNavigate, useSearch } from '@tanstack/react-router';

/*
 * The selection of the top bar that every page uses: a project (or all) and a range of time. Both stand in the URL,
 * so that an address describes the view.
 */
export const RANGES = {
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const;
const SHORT: Record<RangeName, string> = {
  '1h': '1 h',
  '6h': '6 h',
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
};
export type RangeName = keyof typeof RANGES;
export const DEFAULT_RANGE: RangeName = '24h';

const RANGE_MS: Record<RangeName, number> = {
  '1h': 3_600_000,
  '6h': 6 * 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
};

/** Returns a short name of the range, `24 h`, for narrow screens. */
export function shortRange({ range }: Scope): string {
  return SHORT[range ?? DEFAULT_RANGE];
}

export interface Scope {
  project?: string | undefined;
  /** Range that moves with the clock; default: the last 24 hours. */
  range?: RangeName | undefined;
  /** Start of a fixed range, ISO 8601, always together with `to`; it overrides `range`. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Reads the scope of a URL; invalid values are left out. */
export function readScope(search: Record<string, unknown>): Scope {
  const { project, range, from, to } = search;
  const fixed = isTime(from) && isTime(to) && Date.parse(from) < Date.parse(to);
  return {
    ...(typeof project === 'string' && project !== '' && { project }),
    ...(typeof range === 'string' && Object.hasOwn(RANGES, range) && { range: range as RangeName }),
    ...(fixed && { from, to }),
  };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Returns the bounds of a scope in milliseconds. A moving range ends at a whole minute, so that query keys repeat. */
export function boundsOf(scope: Scope, nowMs = Date.now()): { fromMs: number; toMs: number } {
  if (scope.from && scope.to) return { fromMs: Date.parse(scope.from), toMs: Date.parse(scope.to) };
  const toMs = Math.ceil(nowMs / 60_000) * 60_000;
  return { fromMs: toMs - RANGE_MS[scope.range ?? DEFAULT_RANGE], toMs };
}

/** Returns the scope of the page and a function that changes it; `undefined` removes a part. */
export function useScope(): [Scope, (changes: Scope) => void] {
  const scope = readScope(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Scope) =>
    void navigate({
      to: '.',
      search: (previous: Record<string, unknown>) => ({ ...previous, ...changes }),
    } as never);
  return [scope, change];
}
