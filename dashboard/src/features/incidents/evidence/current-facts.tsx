import type { Current, Evidence } from '../../../lib/api-types.ts';
import { formatMinute } from '../../../ui/charts/chart-time.ts';
import { texts } from '../texts.ts';
import { describeCurrent } from './current-words.ts';
import { Fact } from './fact.tsx';

/** What is observed of the headline's series now, its worst minute and its trend. */
export function CurrentFacts({ current, evidence }: { current: Current; evidence: Evidence }) {
  return (
    <Fact name={texts.head.facts.now}>{describeCurrent(current, evidence, formatMinute).join(' · ')}</Fact>
  );
}
