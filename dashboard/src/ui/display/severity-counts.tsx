import type { Severity } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { texts } from '../texts.ts';
import { SeverityGlyph } from './glyphs.tsx';
import { SEVERITY_FILLS } from './severity-fills.ts';

interface SeverityCountsProps {
  counts: Record<Severity, number>;
  /** Highest counts to be shown: their room is kept, so that nothing moves while counts change. */
  most: Record<Severity, number>;
  /** True if not all events were counted. */
  atLeast?: boolean;
  /** Severity that the chart shows alone. */
  only: Severity | null;
  onChoose: (severity: Severity) => void;
  /** Returns true for a severity without bars. */
  isUndrawn: (severity: Severity) => boolean;
}

/** Counts by severity in one line: the legend of a chart, which filters it, and its readout. */
export function SeverityCounts({
  counts,
  most,
  atLeast = false,
  only,
  onChoose,
  isUndrawn,
}: SeverityCountsProps) {
  return (
    <span className="-ml-1 flex flex-wrap gap-x-1">
      {SEVERITIES.map((severity) => (
        <button
          key={severity}
          type="button"
          aria-pressed={only === severity}
          title={[
            only === severity
              ? texts.display.severities.showAll
              : texts.display.severities.showOnly(severity),
            isUndrawn(severity) && texts.display.severities.undrawn,
          ]
            .filter(Boolean)
            .join(' ')}
          onClick={() => onChoose(severity)}
          className={`inline-flex min-h-6 pointer-coarse:min-h-10 items-center gap-1 rounded px-1 whitespace-nowrap hover:bg-hover ${only === severity ? 'bg-hover' : ''} ${only !== null && only !== severity ? 'text-text-muted' : ''}`}
        >
          <span
            aria-hidden="true"
            className={`size-2 rounded-xs ${isUndrawn(severity) ? 'border border-line-strong' : SEVERITY_FILLS[severity]}`}
          />
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
        </button>
      ))}
    </span>
  );
}
