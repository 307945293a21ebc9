import type { Incident } from '../../lib/api-types.ts';
import { useMemberName } from '../../lib/members/member-names.ts';
import { texts } from '../texts.ts';
import { StatusGlyph } from './glyphs.tsx';

/** The status of an incident in a list; under investigation, the investigator in place of the word. */
export function IncidentStatus({
  incident: { status, investigatorId },
  withWord = true,
}: {
  incident: Pick<Incident, 'status' | 'investigatorId'>;
  withWord?: boolean;
}) {
  const name = useMemberName(status === 'investigating' ? investigatorId : null);
  if (name === null) return <StatusGlyph status={status} withWord={withWord} />;
  return (
    <span className="flex min-w-0 items-center gap-1" title={texts.display.investigating(name)}>
      <StatusGlyph status={status} withWord={false} />
      <span className="truncate text-sm text-text-muted">{name}</span>
    </span>
  );
}
