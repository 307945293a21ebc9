import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TotpStatusRecord } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { LazyPart, lazyPart } from '../../ui/layout/lazy-part.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { ConfirmTotpChange } from './confirm-totp-change.tsx';
import { texts } from './texts.ts';
import { totpQuery } from './totp-queries.ts';

const words = texts.twoFactor;

/** Loaded on demand: only this dialog needs the code that draws QR codes. */
const SetUpTotp = lazyPart(() => import('./set-up-totp.tsx'), 'SetUpTotp');

/** The state of two-factor authentication, and the buttons that change it. */
export function TwoFactor() {
  const { data: status, error, refetch } = useQuery(totpQuery);
  const [asked, setAsked] = useState<'set up' | 'disable' | 'recovery-codes' | null>(null);
  const close = () => setAsked(null);
  return (
    <Section title={words.title}>
      {!status && <QueryState query={{ error, refetch }} rows={2} />}
      {status && <Status status={status} />}
      {status && !status.active && <Button onClick={() => setAsked('set up')}>{words.setUp}</Button>}
      {status?.active && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAsked('recovery-codes')}>{words.newCodes}</Button>
          <Button variant="ghost" onClick={() => setAsked('disable')}>
            {words.turnOff}
          </Button>
        </div>
      )}
      {asked === 'set up' && (
        <LazyPart onClose={close}>
          <SetUpTotp onClose={close} />
        </LazyPart>
      )}
      {(asked === 'disable' || asked === 'recovery-codes') && (
        <ConfirmTotpChange change={asked} onClose={close} />
      )}
    </Section>
  );
}

const FEW_CODES = 3;

function Status({ status: { activatedAt, recoveryCodesLeft } }: { status: TotpStatusRecord }) {
  if (activatedAt === null) return <p className="mb-3 max-w-xl text-sm text-text-muted">{words.off}</p>;
  return (
    <p className="mb-3 max-w-xl">
      {words.on} <RelativeTime at={activatedAt} />.{' '}
      <span className={recoveryCodesLeft <= FEW_CODES ? 'font-semibold' : ''}>
        {words.codesLeft(recoveryCodesLeft)}
      </span>
    </p>
  );
}
