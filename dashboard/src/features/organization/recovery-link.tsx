import { useMutation } from '@tanstack/react-query';
import type { MemberRecord, OrganizationRecord } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { SecretField } from '../../ui/forms/secret-field.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { makeRecoveryLink } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.recoveryLink;

interface RecoveryLinkProps {
  organization: OrganizationRecord;
  member: MemberRecord;
  onClose: () => void;
}

/** Creates a link that lets a member set a new password. */
export function RecoveryLink({ organization, member: { user }, onClose }: RecoveryLinkProps) {
  const make = useMutation({
    mutationFn: () => makeRecoveryLink({ organizationId: organization.id, userId: user.id }),
  });
  // Without PUBLIC_URL the service returns a path only: it is resolved against the origin of this page.
  const link = make.data && new URL(make.data.url, location.origin).href;
  return (
    <Dialog title={words.title(user.name)} onClose={onClose}>
      {link === undefined ? (
        <div className="space-y-2 wrap-anywhere">
          <p>{words.what(user.name)}</p>
          <p>{words.isInformed}</p>
        </div>
      ) : (
        <>
          <p className="mb-3">{words.copyNow}</p>
          <SecretField label={words.link} value={link} copy={words.copyLink} />
        </>
      )}
      {make.error && <Alert>{make.error.message}</Alert>}
      <DialogActions>
        <Button onClick={onClose}>{link === undefined ? words.cancel : words.done}</Button>
        {link === undefined && (
          <Button variant="primary" busy={make.isPending} onClick={() => make.mutate()}>
            {words.confirm}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
