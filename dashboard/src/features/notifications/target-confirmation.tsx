import { useMutation } from '@tanstack/react-query';
import type { NotificationTarget } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { askAddressAgain, readNotificationsAgain } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.confirmation;

/** Says that the address of a target is not confirmed, and sends the confirmation mail again. */
export function TargetConfirmation({ target, isOwner }: { target: NotificationTarget; isOwner: boolean }) {
  const { id, name, confirmation } = target;
  const ask = useMutation({ mutationFn: askAddressAgain, onSettled: readNotificationsAgain });
  if (confirmation?.state !== 'waiting') return null;
  const { askedAt } = confirmation;
  return (
    <>
      <p className="text-sm text-text-muted">
        <span className="font-semibold text-critical">{words.waiting}</span>{' '}
        {askedAt === null ? (
          words.notAsked
        ) : (
          <>
            {words.asked} <RelativeTime at={askedAt} />
          </>
        )}
        {isOwner && (
          <>
            {' '}
            <Button
              variant="ghost"
              aria-label={words.askNamed(name)}
              busy={ask.isPending}
              onClick={() => ask.mutate(id)}
            >
              {askedAt === null ? words.send : words.sendAgain}
            </Button>
          </>
        )}
      </p>
      {ask.error && <Alert>{ask.error.message}</Alert>}
    </>
  );
}
