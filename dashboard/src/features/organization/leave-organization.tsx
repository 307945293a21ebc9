import { useNavigate } from '@tanstack/react-router';
import type { OrganizationRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { ConfirmDialog } from '../../ui/layout/confirm-dialog.tsx';
import { leaveOrganization } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.leaveOrganization;

interface LeaveOrganizationProps {
  organization: Pick<OrganizationRecord, 'name'>;
  onClose: () => void;
}

/** Asks before the user leaves the organization, and names the consequences. */
export function LeaveOrganization({ organization, onClose }: LeaveOrganizationProps) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={words.title(organization.name)}
      confirm={words.confirm}
      action={leaveOrganization}
      onSuccess={async () => {
        onClose();
        // The cached data belongs to the previous organization.
        await navigate({ to: '/' });
        await queryClient.resetQueries();
      }}
      onClose={onClose}
    >
      <p>{words.losses(organization.name)}</p>
      <p>{words.workStays}</p>
    </ConfirmDialog>
  );
}
