import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { request } from '../../lib/api.ts';
import type { InvitationOfferRecord, SessionRecord } from '../../lib/api-types.ts';
import { forgetInvitation, readInvitation } from '../../lib/invitation.ts';
import { optionsQuery, queryClient, sessionQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert, Skeleton } from '../../ui/feedback/states.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { acceptInvitation, beginSession, invitationQuery } from './queries.ts';
import { SignUpForm } from './sign-up-form.tsx';
import { texts } from './texts.ts';

const words = texts.joinPage;

/** The page of an invitation link: the offer, and the ways to accept it. Opening it does not use it up. */
export function JoinPage() {
  const [invitation] = useState(readInvitation);
  const { data: offer, error } = useQuery(invitationQuery(invitation));
  // Without a session the error is the answer.
  const session = useQuery({ ...sessionQuery, retry: false });
  const isWaiting = invitation !== null && !error && (!offer || session.isPending);
  return (
    <AuthLayout title={offer ? words.join(offer.organization.name) : words.title}>
      {invitation === null && <p>{words.noInvitation}</p>}
      {error && <Alert>{error.message}</Alert>}
      {isWaiting && <Skeleton rows={4} />}
      {invitation !== null && offer && !session.isPending && (
        <>
          <p className="mb-4 wrap-anywhere">
            {words.offer(offer.invitedBy.name, offer.organization.name, offer.role)}
          </p>
          {session.data ? (
            <Accept invitation={invitation} offer={offer} session={session.data} />
          ) : (
            <NewAccount invitation={invitation} offer={offer} />
          )}
        </>
      )}
      {!session.data && !isWaiting && (
        <p className="mt-6 text-text-muted">
          {words.haveAccount}{' '}
          <Link
            to="/login"
            search={offer ? { next: '/join' } : {}}
            className="inline-block leading-6 text-accent underline"
          >
            {words.logIn}
          </Link>
        </p>
      )}
      {session.data && !offer && !isWaiting && (
        <p className="mt-6">
          <Link to="/" className="inline-block leading-6 text-accent underline">
            {words.openDashboard}
          </Link>
        </p>
      )}
    </AuthLayout>
  );
}

interface OfferProps {
  invitation: string;
  offer: InvitationOfferRecord;
}

function NewAccount({ invitation, offer }: OfferProps) {
  const navigate = useNavigate();
  const { data: options } = useQuery(optionsQuery);
  if (options?.signUp === 'closed') return <p>{words.signUpIsClosed}</p>;
  return (
    <SignUpForm
      invitation={invitation}
      email={offer.email}
      onDone={async (session) => {
        forgetInvitation();
        beginSession(session);
        await navigate({ to: '/', replace: true });
      }}
    />
  );
}

function Accept({ invitation, offer, session }: OfferProps & { session: SessionRecord }) {
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: () => acceptInvitation(invitation),
    onSuccess: async () => {
      forgetInvitation();
      // The cached data belongs to the former organization.
      queryClient.clear();
      await navigate({ to: '/', replace: true });
    },
  });
  const logOut = useMutation({
    mutationFn: () => request('POST', '/auth/logout'),
    onSuccess: () => queryClient.resetQueries(),
  });
  const error = accept.error ?? logOut.error;
  return (
    <>
      <p className="mb-4 wrap-anywhere text-text-muted">
        {words.loggedInAs(session.user.name, session.user.email, session.organization.name)}
      </p>
      {error && <Alert>{error.message}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
          <span className="max-w-72 truncate">{words.join(offer.organization.name)}</span>
        </Button>
        <Button busy={logOut.isPending} onClick={() => logOut.mutate()}>
          {words.useAnotherAccount}
        </Button>
      </div>
    </>
  );
}
