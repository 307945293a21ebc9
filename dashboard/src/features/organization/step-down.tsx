import type { OrganizationRecord } from '../../lib/api-types.ts';
import { ConfirmDialog } from '../../ui/layout/confirm-dialog.tsx';
import { changeRole, readAgain } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.stepDown;

interface StepDownProps {
  organization: OrganizationRecord;
  userId: string;
  onClose: () => void;
}

/** Asks before an owner gives up ownership, which they cannot take back alone. */
export function StepDown({ organization, userId, onClose }: StepDownProps) {
  return (
    <ConfirmDialog
      title={words.title}
      confirm={words.confirm}
      action={() => changeRole({ organizationId: organization.id, userId, role: 'MEMBER' })}
      onSuccess={async () => {
        onClose();
        await readAgain();
      }}
      onClose={onClose}
    >
      <p>{words.losses}</p>
    </ConfirmDialog>
  );
}
