import { useMutation, useQuery } from '@tanstack/react-query';
import { formatExactTime, formatMinute } from '../../lib/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert, Failure } from '../../ui/feedback/states.tsx';
import { invitationsQuery, readInvitationsAgain, revokeInvitation } from './queries.ts';
import { ROLES } from './roles.ts';
import { texts } from './texts.ts';

const words = texts.invitationList;

/** The invitations that can still be accepted. */
export function InvitationList({ organizationId }: { organizationId: string }) {
  const { data: invitations, error, refetch } = useQuery(invitationsQuery(organizationId));
  const revoke = useMutation({
    mutationFn: (id: string) => revokeInvitation(organizationId, id),
    // After a failure, too: the invitation may have been accepted meanwhile.
    onSettled: readInvitationsAgain,
  });
  if (!invitations) return error && <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {revoke.error && <Alert>{revoke.error.message}</Alert>}
      {invitations.length > 0 && (
        <ul aria-label={words.name} className="mb-6 max-w-3xl border-t border-line">
          {invitations.map(({ id, role, email, createdBy, expiresAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
              <div className="min-w-0 flex-1 basis-56">
                <p className="wrap-anywhere">
                  {email ?? words.anyone} <span className="text-text-muted">· {ROLES[role]}</span>
                </p>
                <p className="text-sm wrap-anywhere text-text-muted">
                  {words.by(createdBy.name)}{' '}
                  <time dateTime={expiresAt} title={formatExactTime(expiresAt)}>
                    {formatMinute(expiresAt)}
                  </time>
                </p>
              </div>
              <Button
                aria-label={words.revokeNamed(email ?? words.anyone)}
                busy={revoke.isPending && revoke.variables === id}
                onClick={() => revoke.mutate(id)}
              >
                {words.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
