import { formatAmount } from '../../../../../server/src/incidents/wording.ts';
import type { Current, Evidence } from '../../../lib/api-types.ts';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { describeCurrent } from './current-words.ts';
import { isAboutAbsence } from './evidence-words.ts';
import { Fact } from './fact.tsx';

/** What is observed of the headline's series now, and its worst minute. */
export function CurrentFacts({ current, evidence }: { current: Current; evidence: Evidence }) {
  const { peak } = current;
  return (
    <>
      <Fact name="Now">now {describeCurrent(current, evidence)}</Fact>
      {peak && (
        <Fact name="Peak">
          {isAboutAbsence(evidence) ? 'lowest' : 'peak'}{' '}
          {peak.perMinute === 0 ? 'none' : `${formatAmount(peak.perMinute)} a minute`},{' '}
          <RelativeTime at={peak.at} />
        </Fact>
      )}
    </>
  );
}
