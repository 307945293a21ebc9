import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../lib/queries.ts';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Page, Section } from '../../ui/layout/page.tsx';
import { SettingsNavigation } from '../../ui/layout/settings-navigation.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { BrowserNotifications } from './browser-notifications.tsx';
import { PasswordForm } from './password-form.tsx';
import { Profile } from './profile.tsx';
import { SessionList } from './session-list.tsx';
import { texts } from './texts.ts';
import { TwoFactor } from './two-factor.tsx';

const words = texts.accountPage;

/** The account: the user's name and id, their password, second factor, sessions, tokens and browsers. */
export function AccountPage() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  return (
    <Page title={words.account}>
      <SettingsNavigation />
      {session ? (
        <>
          <Profile session={session} />
          <Section title={words.password}>
            <PasswordForm email={session.user.email} />
          </Section>
          <TwoFactor />
          <BrowserNotifications userId={session.user.id} />
          <AccessTokens />
          <Section title={words.sessions}>
            <SessionList />
          </Section>
        </>
      ) : (
        <QueryState query={{ error, refetch }} rows={6} />
      )}
    </Page>
  );
}
