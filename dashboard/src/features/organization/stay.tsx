import { useMutation } from '@tanstack/react-query';
import { confirmMembership } from '../../lib/membership.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { texts } from './texts.ts';

const words = texts.memberList;

/** Lets a user agree to the membership whose notice is gone. */
export function Stay({ organizationId }: { organizationId: string }) {
  const stay = useMutation({ mutationFn: () => confirmMembership(organizationId) });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="max-w-72 text-sm">{words.decide}</p>
      <Button busy={stay.isPending} onClick={() => stay.mutate()}>
        {words.stay}
      </Button>
      {stay.error && <Alert>{stay.error.message}</Alert>}
    </div>
  );
}
