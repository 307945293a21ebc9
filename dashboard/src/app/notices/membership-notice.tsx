import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { LeaveOrganization } from '../../features/organization/leave-organization.tsx';
import type { NoticeRecord } from '../../lib/api-types.ts';
import { confirmMembership } from '../../lib/membership.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { texts } from './texts.ts';

const words = texts.notices;

/** Asks a user whom an owner added to stay or leave: only Stay is an agreement. */
export function MembershipNotice({ organization }: Pick<NoticeRecord, 'organization'>) {
  const [isLeaving, setLeaving] = useState(false);
  const close = () => setLeaving(false);
  const stay = useMutation({ mutationFn: () => confirmMembership(organization.id) });
  return (
    <>
      <Button
        aria-label={words.stayNamed(organization.name)}
        busy={stay.isPending}
        onClick={() => stay.mutate()}
      >
        {words.stay}
      </Button>
      <Button aria-label={words.leaveNamed(organization.name)} onClick={() => setLeaving(true)}>
        {words.leave}
      </Button>
      {stay.error && <Alert>{stay.error.message}</Alert>}
      {isLeaving && <LeaveOrganization organization={organization} onClose={close} />}
    </>
  );
}
