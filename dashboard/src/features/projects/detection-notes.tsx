import { useQuery } from '@tanstack/react-query';
import type { RiskState } from '../../lib/api-types.ts';
import { formatExactTime } from '../../lib/format.ts';
import { Sentence } from '../../ui/display/sentence.tsx';
import { riskStateQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.detectionNotes;

/** Notes on the state of a project's detection; empty if there are none. */
export function DetectionNotes({ projectId }: { projectId: string }) {
  const { data: state } = useQuery(riskStateQuery(projectId));
  const notes = state ? notesOf(state) : [];
  if (notes.length === 0) return null;
  return (
    <section aria-label={words.detection} className="mb-6 max-w-prose">
      {notes.map((note) => (
        <p key={note} className="wrap-anywhere">
          <Sentence text={note} />
        </p>
      ))}
    </section>
  );
}

function notesOf({ paused, lateSources }: RiskState): string[] {
  const notes = lateSources.map(({ source, behindSeconds }) =>
    words.late(source, formatMinutes(behindSeconds / 60)),
  );
  if (!paused) return notes;
  return [words.paused(formatExactTime(paused.retryAt)), ...notes];
}

function formatMinutes(minutes: number): string {
  if (minutes < 120) return `${Math.round(minutes)} min`;
  const [hours, rest] = [Math.floor(Math.round(minutes) / 60), Math.round(minutes) % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
