import { nameOfSeries } from '../../../../server/src/incidents/wording.ts';
import type { Evidence, RiskSeries } from '../../lib/api-types.ts';
import { Sentence } from '../../ui/sentence.tsx';
import { sayWindow } from './evidence-words.ts';
import { Fact } from './fact.tsx';

/** More of them would push the chart out of sight: they are shown when asked for. */
const JOINED_SHOWN = 2;

/** What the sentence does not say: when the window was, and what joined. */
export function EvidenceFacts({ evidence }: { evidence: Evidence }) {
  const { alsoSeries } = evidence;
  return (
    <dl className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-text-muted">
      <Fact name="Window">{sayWindow(evidence)}</Fact>
      {alsoSeries.length > 0 && (
        <Fact name="Joined">
          <Joined series={alsoSeries} />
        </Fact>
      )}
    </dl>
  );
}

function Joined({ series }: { series: RiskSeries[] }) {
  const names = <Sentence text={series.map(nameOfSeries).join(', ')} />;
  if (series.length <= JOINED_SHOWN) return <span className="wrap-anywhere">and {names}</span>;
  return (
    <details>
      <summary className="hover:text-text">and {series.length} more</summary>
      <span className="wrap-anywhere">{names}</span>
    </details>
  );
}
