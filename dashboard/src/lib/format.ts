const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** 1,234,567 as 1.2M, where room is scarce. */
export function formatCompact(count: number): string {
  return COMPACT.format(count);
}

/** Date and time to the second, in the zone of the reader. */
export function formatExactTime(time: string | number): string {
  return EXACT.format(new Date(time));
}

const UNITS = [
  ['s', 1_000, 60],
  ['min', 60_000, 60],
  ['h', 3_600_000, 24],
  ['d', 86_400_000, 365],
] as const;

/** How long ago, in one unit: `now`, `12 s ago`, `3 d ago`. */
export function formatAgo(timeMs: number, nowMs: number): string {
  const agoMs = nowMs - timeMs;
  if (agoMs < 5_000) return 'now';
  for (const [unit, unitMs, limit] of UNITS) {
    const count = Math.floor(agoMs / unitMs);
    if (count < limit) return `${count} ${unit} ago`;
  }
  return `${Math.floor(agoMs / (365 * 86_400_000))} y ago`;
}

/** A duration in its two largest units: `1 h 20 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? '0 s' : shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}
