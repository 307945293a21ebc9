import type { Severity } from '../../lib/api-types.ts';

/** Fills of a chart's legend, the same as those of its bars: critical is striped. */
export const SEVERITY_FILLS: Record<Severity, string> = {
  info: 'bg-info-fill',
  warn: 'bg-warn-fill',
  error: 'bg-error-fill',
  critical:
    'bg-[repeating-linear-gradient(135deg,var(--critical-fill)_0_2px,var(--surface)_2px_3px)] bg-critical-fill',
};
