import type { Incident } from '../../../lib/api-types.ts';
import { formatMinute } from '../../../ui/charts/chart-time.ts';
import { texts } from '../texts.ts';
import { describeNumbers } from './current-words.ts';
import { Fact } from './fact.tsx';

/** The present rate of the lead in large type, beside its usual rate, its worst minute and its trend. */
export function IncidentNumbers({ incident }: { incident: Incident }) {
  const numbers = describeNumbers(incident, formatMinute);
  if (!numbers) return null;
  const { main, isNow, details } = numbers;
  return (
    <Fact name={texts.head.facts.now}>
      <strong className="text-xl font-semibold">{main}</strong>{' '}
      <span className="text-text-muted">
        {[isNow ? texts.current.now : texts.current.atFirst, ...details].join(' · ')}
      </span>
    </Fact>
  );
}
