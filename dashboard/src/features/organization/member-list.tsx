import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberRecord, OrganizationRecord, Role } from '../../lib/api-types.ts';
import { sessionQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { useShownRows } from '../../ui/feedback/show-more.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { LeaveOrganization } from './leave-organization.tsx';
import { changeRole, readAgain } from './queries.ts';
import { RecoveryLink } from './recovery-link.tsx';
import { RemoveMember } from './remove-member.tsx';
import { ROLE_OPTIONS, ROLES } from './roles.ts';
import { Stay } from './stay.tsx';
import { StepDown } from './step-down.tsx';
import { texts } from './texts.ts';
import { TurnOffTwoFactor } from './turn-off-two-factor.tsx';

const words = texts.memberList;

interface MemberListProps {
  organization: OrganizationRecord;
  members: MemberRecord[];
  isOwner: boolean;
}

/** The members of the organization: everybody can leave here, owners change roles and remove members. */
export function MemberList({ organization, members, isOwner }: MemberListProps) {
  const { data: session } = useQuery(sessionQuery);
  const { shown, more } = useShownRows(members);
  const [asked, setAsked] = useState<{
    about: 'removal' | 'leaving' | 'stepping down' | 'recovery' | 'two-factor';
    member: MemberRecord;
  } | null>(null);
  const change = useMutation({ mutationFn: changeRole, onSettled: readAgain });
  const isSelf = ({ user }: MemberRecord) => user.id === session?.user.id;
  const hasOneOwner = members.filter(({ role }) => role === 'OWNER').length === 1;
  const changeTo = (member: MemberRecord, role: Role) => {
    if (isSelf(member)) setAsked({ about: 'stepping down', member });
    else change.mutate({ organizationId: organization.id, userId: member.user.id, role });
  };
  return (
    <>
      <p className="mb-3 text-text-muted">{words.hint}</p>
      {change.error && <Alert>{change.error.message}</Alert>}
      <ul aria-label={words.members} className="mb-6 border-t border-line">
        {shown.map((member) => (
          <li
            key={member.user.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2"
          >
            <div className="min-w-0 flex-1 basis-56">
              <p className="wrap-anywhere">
                <span className="font-semibold">{member.user.name}</span>
                {isSelf(member) && <span className="text-text-muted"> {words.you}</span>}
              </p>
              <p className="text-sm wrap-anywhere text-text-muted">
                {member.user.email} {words.since} <RelativeTime at={member.createdAt} />
              </p>
            </div>
            {isSelf(member) && !member.confirmedAt && <Stay organizationId={organization.id} />}
            {!isOwner && (
              <div className="flex items-center gap-4">
                <p className="text-sm">{ROLES[member.role]}</p>
                {isSelf(member) && <Leave onClick={() => setAsked({ about: 'leaving', member })} />}
              </div>
            )}
            {isOwner && member.role === 'OWNER' && hasOneOwner && (
              <p className="max-w-72 text-sm text-text-muted">{words.onlyOwner}</p>
            )}
            {isOwner && !(member.role === 'OWNER' && hasOneOwner) && (
              <div className="flex flex-wrap items-center gap-2">
                <SelectField
                  label={words.roleOf(member.user.name)}
                  labelHidden
                  className="w-28"
                  value={member.role}
                  disabled={change.isPending}
                  onChange={(role) => changeTo(member, role)}
                  options={ROLE_OPTIONS}
                />
                {!isSelf(member) && !member.confirmedAt && (
                  <p className="max-w-72 text-sm text-text-muted">{words.undecided}</p>
                )}
                {!isSelf(member) && member.confirmedAt && (
                  <>
                    <Button
                      aria-label={words.recoveryNamed(member.user.name)}
                      onClick={() => setAsked({ about: 'recovery', member })}
                    >
                      {words.recovery}
                    </Button>
                    <Button
                      aria-label={words.twoFactorNamed(member.user.name)}
                      onClick={() => setAsked({ about: 'two-factor', member })}
                    >
                      {words.twoFactor}
                    </Button>
                  </>
                )}
                {isSelf(member) ? (
                  <Leave onClick={() => setAsked({ about: 'leaving', member })} />
                ) : (
                  <Button
                    aria-label={words.removeNamed(member.user.name)}
                    onClick={() => setAsked({ about: 'removal', member })}
                  >
                    {words.remove}
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {more}
      {asked?.about === 'removal' && (
        <RemoveMember organization={organization} member={asked.member} onClose={() => setAsked(null)} />
      )}
      {asked?.about === 'recovery' && (
        <RecoveryLink organization={organization} member={asked.member} onClose={() => setAsked(null)} />
      )}
      {asked?.about === 'two-factor' && (
        <TurnOffTwoFactor organization={organization} member={asked.member} onClose={() => setAsked(null)} />
      )}
      {asked?.about === 'leaving' && (
        <LeaveOrganization organization={organization} onClose={() => setAsked(null)} />
      )}
      {asked?.about === 'stepping down' && (
        <StepDown organization={organization} userId={asked.member.user.id} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

function Leave({ onClick }: { onClick: () => void }) {
  return (
    <Button aria-label={words.leaveOrganization} onClick={onClick}>
      {words.leave}
    </Button>
  );
}
