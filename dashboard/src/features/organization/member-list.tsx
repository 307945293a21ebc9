import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberRecord, OrganizationRecord, Role } from '../../lib/api-types.ts';
import { sessionQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RowMenu } from '../../ui/controls/row-menu.tsx';
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

type Question = 'removal' | 'leaving' | 'stepping down' | 'recovery' | 'two-factor';

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
    about: Question;
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
          <MemberRow
            key={member.user.id}
            {...{ organization, member, isOwner, isOnlyOwner: hasOneOwner && member.role === 'OWNER' }}
            isSelf={isSelf(member)}
            isChanging={change.isPending}
            onRole={(role) => changeTo(member, role)}
            ask={(about) => setAsked({ about, member })}
          />
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

interface MemberRowProps extends Pick<MemberListProps, 'organization' | 'isOwner'> {
  member: MemberRecord;
  isSelf: boolean;
  isOnlyOwner: boolean;
  isChanging: boolean;
  onRole: (role: Role) => void;
  ask: (about: Question) => void;
}

function MemberRow(props: MemberRowProps) {
  const { organization, member, isSelf, isOwner, isOnlyOwner, isChanging, onRole, ask } = props;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="wrap-anywhere">
          <span className="font-semibold">{member.user.name}</span>
          {isSelf && <span className="text-text-muted"> {words.you}</span>}
        </p>
        <p className="text-sm wrap-anywhere text-text-muted">
          {member.user.email} {words.since} <RelativeTime at={member.createdAt} />
        </p>
        {isOwner && !isOnlyOwner && !isSelf && !member.confirmedAt && (
          <p className="text-sm text-text-muted">{words.undecided}</p>
        )}
      </div>
      {isSelf && !member.confirmedAt && <Stay organizationId={organization.id} />}
      {!isOwner && (
        <div className="flex items-center gap-4">
          <p className="text-sm">{ROLES[member.role]}</p>
          {isSelf && <Leave onClick={() => ask('leaving')} />}
        </div>
      )}
      {isOwner && isOnlyOwner && <p className="max-w-72 text-sm text-text-muted">{words.onlyOwner}</p>}
      {isOwner && !isOnlyOwner && (
        <div className="flex flex-wrap items-center gap-2">
          <SelectField
            label={words.roleOf(member.user.name)}
            labelHidden
            className="w-28"
            value={member.role}
            disabled={isChanging}
            onChange={onRole}
            options={ROLE_OPTIONS}
          />
          {isSelf ? (
            <Leave onClick={() => ask('leaving')} />
          ) : (
            <RowMenu
              of={member.user.name}
              items={
                member.confirmedAt
                  ? [
                      { label: words.recovery, onSelect: () => ask('recovery') },
                      { label: words.twoFactor, onSelect: () => ask('two-factor') },
                    ]
                  : []
              }
              last={{ label: words.remove, onSelect: () => ask('removal') }}
            />
          )}
        </div>
      )}
    </li>
  );
}

function Leave({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="ghost" aria-label={words.leaveOrganization} onClick={onClick}>
      {words.leave}
    </Button>
  );
}
