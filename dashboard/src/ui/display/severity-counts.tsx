import type { Severity } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { SeverityGlyph } from './glyphs.tsx';
import { SEVERITY_FILLS } from './severity-fills.ts';

interface SeverityCountsProps {
  counts: Record<Severity, number>;
  /** The highest ones that will stand here: their room is kept, so that nothing moves while counts change. */
  most: Record<Severity, number>;
  /** Not all was counted: there may be more. */
  atLeast?: boolean;
}

/** Counts by severity in one line: the legend of a chart and its readout at once. */
export function SeverityCounts({ counts, most, atLeast = false }: SeverityCountsProps) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {SEVERITIES.map((severity) => (
        <span key={severity} className="inline-flex items-center gap-1 whitespace-nowrap">
          <span aria-hidden="true" className={`size-2 rounded-xs ${SEVERITY_FILLS[severity]}`} />
          <SeverityGlyph severity={severity} />
          <span className="hidden sm:inline" aria-hidden="true">
            {severity}
          </span>
          <span
            className={counts[severity] === 0 ? 'text-text-muted' : 'font-semibold'}
            style={{ minWidth: `${formatCount(most[severity]).length}ch` }}
          >
            {formatCount(counts[severity])}
            {atLeast && '+'}
          </span>
        </span>
      ))}
    </span>
  );
}
