import type { Severity } from '../../lib/api-types.ts';

/** The colours of a chart's legend, as those of its bars. */
export const SEVERITY_FILLS: Record<Severity, string> = {
  info: 'bg-info-fill',
  warn: 'bg-warn-fill',
  error: 'bg-error-fill',
  critical: 'bg-critical-fill',
};

/** Of counts of no severity. */
export const PLAIN_FILL = 'bg-plain-fill';
