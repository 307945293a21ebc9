import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConfirmationOfferRecord } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert, Skeleton } from '../../ui/feedback/states.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { confirmAddress, confirmationQuery } from './queries.ts';
import { readToken } from './read-token.ts';
import { texts } from './texts.ts';

const words = texts.confirmPage;

/** The page of a link that was mailed to an address to confirm it. Opening it changes nothing. */
export function ConfirmPage() {
  const [emailToken] = useState(() => readToken('eml'));
  return emailToken === null ? <ConfirmRecipient /> : <ConfirmEmail token={emailToken} />;
}

/** Asks an address whether it wants notifications. */
function ConfirmRecipient() {
  const [token] = useState(() => readToken('adr'));
  const { data: offer, error } = useQuery(confirmationQuery(token));
  return (
    <AuthLayout title={words.title}>
      {token === null && <p>{words.noLink}</p>}
      {error && <Alert>{error.message}</Alert>}
      {token !== null && !offer && !error && <Skeleton rows={3} />}
      {token !== null && offer && <Confirm token={token} offer={offer} />}
      <p className="mt-6">
        <Link to="/login" className="inline-block leading-6 text-accent underline">
          {words.logIn}
        </Link>
      </p>
    </AuthLayout>
  );
}

function Confirm({ token, offer }: { token: string; offer: ConfirmationOfferRecord }) {
  const { organization, address, isConfirmed } = offer;
  const confirm = useMutation({ mutationFn: () => confirmAddress(token) });
  if (isConfirmed || confirm.isSuccess)
    return (
      <p role="status" className="wrap-anywhere">
        {words.done(organization.name, address)}
      </p>
    );
  return (
    <>
      <p className="mb-2 wrap-anywhere">{words.offer(organization.name, address)}</p>
      <p className="mb-4 text-text-muted">{words.hint}</p>
      {confirm.error && <Alert>{confirm.error.message}</Alert>}
      <Button variant="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {words.confirm}
      </Button>
    </>
  );
}
