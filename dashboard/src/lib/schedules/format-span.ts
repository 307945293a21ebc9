const UNITS: [seconds: number, one: string, many: string][] = [
  [86_400, 'day', 'days'],
  [3_600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
  [1, 'second', 'seconds'],
];

/** Formats a duration in its largest whole unit: `1 day`, `90 minutes`, `1.2 seconds`. */
export function formatSpan(seconds: number): string {
  for (const [unit, one, many] of UNITS) {
    if (seconds >= unit && seconds % unit === 0) return `${seconds / unit} ${seconds === unit ? one : many}`;
  }
  const rounded = seconds < 60 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  return rounded === seconds ? `${seconds} seconds` : formatSpan(rounded);
}
