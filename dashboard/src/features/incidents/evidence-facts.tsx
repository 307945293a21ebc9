import type { Evidence, RiskSeries } from '../../lib/api-types.ts';
import { Sentence } from '../../ui/sentence.tsx';
import { sayChance, sayExpectation, sayWindow } from './evidence-words.ts';
import { Fact } from './fact.tsx';
import { saySeries } from './series-words.ts';

/** More of them would push the chart out of sight: they are shown when asked for. */
const JOINED_SHOWN = 2;

/** What the sentence does not say: the window, what was expected, how likely it is nothing, and what joined. */
export function EvidenceFacts({ evidence }: { evidence: Evidence }) {
  const { series, alsoSeries, chanceAWeek } = evidence;
  const [expectation, chance] = [sayExpectation(evidence), sayChance(chanceAWeek)];
  return (
    <dl className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-text-muted">
      <Fact name="What">
        <span className="wrap-anywhere">
          <Sentence text={saySeries(series)} />
        </span>
      </Fact>
      <Fact name="Window">{sayWindow(evidence)}</Fact>
      {expectation && <Fact name="Expected">{expectation}</Fact>}
      {chance && <Fact name="Chance">{chance}</Fact>}
      {alsoSeries.length > 0 && (
        <Fact name="Joined">
          <Joined series={alsoSeries} />
        </Fact>
      )}
    </dl>
  );
}

function Joined({ series }: { series: RiskSeries[] }) {
  const names = <Sentence text={series.map((one) => saySeries(one)).join(', ')} />;
  if (series.length <= JOINED_SHOWN) return <span className="wrap-anywhere">and {names}</span>;
  return (
    <details>
      <summary className="hover:text-text">and {series.length} more</summary>
      <span className="wrap-anywhere">{names}</span>
    </details>
  );
}
