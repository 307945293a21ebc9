import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../lib/queries.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Page, Section } from '../../ui/layout/page.tsx';
import { SettingsNavigation } from '../../ui/layout/settings-navigation.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { BrowserNotifications } from './browser-notifications.tsx';
import { PasswordForm } from './password-form.tsx';
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
          <Section title={words.you}>
            <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2">
              <dt className="text-text-muted">{words.name}</dt>
              <dd className="wrap-anywhere">{session.user.name}</dd>
              <dt className="text-text-muted">{words.email}</dt>
              <dd className="wrap-anywhere">{session.user.email}</dd>
              <dt className="text-text-muted">{words.organization}</dt>
              <dd className="wrap-anywhere">{session.organization.name}</dd>
              <dt className="text-text-muted">{words.userId}</dt>
              <dd className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <code className="font-mono text-sm wrap-anywhere">{session.user.id}</code>
                <CopyButton text={session.user.id} label={words.copyId} />
              </dd>
            </dl>
            <p className="mt-2 max-w-xl text-sm text-text-muted">{words.idHint}</p>
          </Section>
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
