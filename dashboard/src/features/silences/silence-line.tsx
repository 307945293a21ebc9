import { useMutation } from '@tanstack/react-query';
import type { SilenceRecord } from '../../lib/api-types.ts';
import { formatMinute } from '../../lib/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/display/icons.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { endSilence, readSilencesAgain } from './queries.ts';
import { describeScope } from './scopes.ts';
import { texts } from './texts.ts';

const words = texts.shown;

interface SilenceLineProps {
  silence: SilenceRecord;
  /** Names of projects by id. */
  names: ReadonlyMap<string, string>;
}

/** A silence: its author, scope, end, reason and matches, with a button that ends an active one. */
export function SilenceLine({ silence, names }: SilenceLineProps) {
  const { id, state, createdBy, startsAt, until, endedAt, endedBy, reason, learn } = silence;
  const ending = useMutation({ mutationFn: endSilence, onSettled: readSilencesAgain });
  const scope = describeScope(silence, names);
  const time =
    state === 'active'
      ? words.active(createdBy.name, formatMinute(until))
      : words.ended(createdBy.name, formatMinute(startsAt), formatMinute(endedAt ?? until));
  const facts = [
    words.about(scope),
    ...(learn ? [] : [words.unlearned]),
    ...(endedBy ? [words.endedBy(endedBy.name)] : []),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5">
      <Icon name="mute" />
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p>
          {time}
          {reason !== null && `: ${reason}`}
        </p>
        <p className="text-xs text-text-muted">
          {facts.join(', ')} · {words.matched(silence)}
        </p>
        {ending.error && <Alert>{ending.error.message}</Alert>}
      </div>
      {state === 'active' && (
        <Button aria-label={words.endNamed(scope)} busy={ending.isPending} onClick={() => ending.mutate(id)}>
          {words.end}
        </Button>
      )}
    </li>
  );
}
