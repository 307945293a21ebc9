import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import type { OpenedAlarm } from './opened-alarm.ts';
import { shortenExample } from './words.ts';

interface FirstError {
  source: string | null;
  message: string;
}

const BEGAN = 'Began with a new error: ';

/** Evidence of a headline whose sentence keeps the new error with which its incident began: it often is the cause. */
export function sayFirstError<E extends StoredEvidence>(
  evidence: E,
  earlier: StoredEvidence | null,
  opened: OpenedAlarm[],
): E {
  const { rule, series, sentence } = evidence;
  // The events of a person's rule may be unrelated.
  if (rule === 'new_kind' || rule === 'at_least') return evidence;
  const error = (earlier && readFirstError(earlier)) ?? firstErrorOf(opened);
  if (!error || !mayBeOf(series, error)) return evidence;
  return { ...evidence, sentence: `${sentence} ${BEGAN}“${error.message}”.` };
}

/** True if the error may belong to the series; in a sum, it is one of its parts. */
function mayBeOf({ source }: RiskSeries, error: FirstError): boolean {
  return source === null || source === error.source;
}

/** Reads the error from the sentence, which is the only place of a message. */
function readFirstError(evidence: StoredEvidence): FirstError | null {
  const { rule, series, sentence } = evidence;
  if (rule === 'new_kind') return toFirstError(series.source, messageOf(evidence) ?? undefined);
  const first = evidence.alsoSeries.find(({ kind }) => kind === 'new_kind');
  const [, message] = sentence.split(` ${BEGAN}“`);
  return first ? toFirstError(first.source, message?.replace(/”\.$/, '')) : null;
}

/** The message of a headline about a new error. */
export function messageOf({ sentence }: Pick<StoredEvidence, 'sentence'>): string | null {
  return sentence.match(/: “(.*)”\.$/)?.[1] ?? null;
}

function firstErrorOf(opened: OpenedAlarm[]): FirstError | null {
  const errors = opened.flatMap(({ series, anomaly: { rule, example } }) =>
    rule === 'new_kind' && example ? { source: series.source, message: shortenExample(example) } : [],
  );
  return errors[0] ?? null;
}

function toFirstError(source: string | null, message: string | undefined): FirstError | null {
  return message === undefined || message === '' ? null : { source, message };
}
