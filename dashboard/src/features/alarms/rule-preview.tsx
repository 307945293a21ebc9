import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DAY_MS } from '../../lib/durations.ts';
import { toFieldErrors } from '../../lib/form-errors.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { formatSlotTime } from '../../ui/charts/chart-time.ts';
import { Sentence } from '../../ui/display/sentence.tsx';
import { texts as shared } from '../../ui/texts.ts';
import { rulePreviewQuery } from './queries.ts';
import { checkRule, type RuleValues, readRule } from './settings-values.ts';
import { texts } from './texts.ts';

const words = texts.rules;
/** Time without typing after which the past is asked. */
const TYPING_MS = 400;

interface RulePreviewProps {
  projectId: string;
  rule: RuleValues;
  /** True for a new or edited rule; the past of others is searched when a button is pressed. */
  isTouched: boolean;
}

/** Shows what a rule, as typed, would have opened in the past 30 days; nothing for one with errors. */
export function RulePreview({ projectId, rule, isTouched }: RulePreviewProps) {
  const [isOpen, setOpen] = useState(false);
  const settled = useSettled(rule, TYPING_MS);
  const isFine = toFieldErrors(checkRule(settled)) === null;
  if (!isTouched && !isOpen) return <LinkButton onClick={() => setOpen(true)}>{words.showPast}</LinkButton>;
  return isFine ? <Past {...{ projectId }} rule={settled} /> : null;
}

function LinkButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className="leading-6 text-accent hover:underline" onClick={onClick}>
      {children}
    </button>
  );
}

function Past({ projectId, rule }: { projectId: string; rule: RuleValues }) {
  // Its name opens nothing.
  const query = rulePreviewQuery(projectId, { ...readRule(rule), name: null });
  const { data: preview, error, isPlaceholderData, refetch } = useQuery(query);
  if (error)
    return (
      <p role="status">
        {words.failed(error.message)}{' '}
        <LinkButton onClick={() => void refetch()}>{shared.tryAgain}</LinkButton>
      </p>
    );
  if (!preview) return <p role="status">{words.looking}</p>;
  const { openings, opened, events, from, to } = preview;
  const [last] = openings;
  const timeOf = (time: string) => formatSlotTime(Date.parse(time));
  const isWhole = Date.parse(to) - Date.parse(from) >= WHOLE_MS;
  const past = words.past(opened, isWhole ? null : timeOf(from), last ? timeOf(last.openedAt) : null);
  return (
    <div className={isPlaceholderData ? 'opacity-60' : ''}>
      <p role="status">
        <span className="font-medium text-text">{past}</span>{' '}
        {events !== null && !isWhole && words.read(events)}
      </p>
      {last && (
        <details>
          <summary className="py-1 hover:text-text">{words.openings}</summary>
          <ul className="mt-1 space-y-1">
            {openings.map(({ openedAt, sentence }) => (
              <li key={openedAt} className="wrap-anywhere">
                <time dateTime={openedAt}>{timeOf(openedAt)}</time>: <Sentence text={sentence} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const WHOLE_MS = 30 * DAY_MS;
