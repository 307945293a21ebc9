import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { membersQuery } from '../../lib/queries.ts';
import { useCreate } from '../../lib/search/use-create.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Page, Section } from '../../ui/layout/page.tsx';
import { SettingsNavigation } from '../../ui/layout/settings-navigation.tsx';
import { AddMember } from './add-member.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteMember } from './invite-member.tsx';
import { MemberList } from './member-list.tsx';
import { OrganizationForm } from './organization-form.tsx';
import { organizationQuery, useOwnRole } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.organizationPage;

/** The organization: its name and its members. */
export function OrganizationPage() {
  const organization = useQuery(organizationQuery);
  const members = useQuery(membersQuery);
  const isOwner = useOwnRole() === 'OWNER';
  const [isInviting, setInviting] = useCreate();
  return (
    <Page
      title={words.organization}
      actions={
        isOwner && (
          <Link to="/settings/audit" className={buttonClass()}>
            {texts.auditPage.auditLog}
          </Link>
        )
      }
    >
      <SettingsNavigation />
      <Section title={words.general}>
        {organization.data ? (
          <OrganizationForm organization={organization.data} />
        ) : (
          <QueryState query={organization} rows={2} rowClass="h-14" />
        )}
      </Section>
      <Section
        title={words.members}
        actions={
          isOwner && (
            <Button variant="primary" onClick={() => setInviting(true)}>
              {texts.inviteMember.title}
            </Button>
          )
        }
      >
        {organization.data && members.data ? (
          <>
            <MemberList organization={organization.data} members={members.data} isOwner={isOwner} />
            {isOwner && <InvitationList organizationId={organization.data.id} />}
            {isOwner && isInviting && (
              <InviteMember organizationId={organization.data.id} onClose={() => setInviting(false)} />
            )}
            {isOwner && <AddMember organizationId={organization.data.id} />}
          </>
        ) : (
          <QueryState query={members.isError ? members : organization} rows={2} rowClass="h-14" />
        )}
      </Section>
    </Page>
  );
}
