import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { texts } from './texts.ts';

const words = texts.signUpWarning;
const STORAGE_KEY = 'tocsin.sign-up-warning';

/** Tells owners that anyone on the internet can sign up, until dismissed in this browser. */
export function SignUpWarning() {
  const { data: service } = useQuery(serviceQuery);
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(STORAGE_KEY) === 'dismissed');
  if (isDismissed || !service?.warnings.includes('open_signup')) return null;
  return (
    <section
      aria-label={words.name}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-warn-soft px-4 py-2"
    >
      <p className="min-w-0 flex-1 basis-64 text-sm">{words.text}</p>
      <Button
        aria-label={words.dismissNamed}
        onClick={() => {
          localStorage.setItem(STORAGE_KEY, 'dismissed');
          setDismissed(true);
        }}
      >
        {words.dismiss}
      </Button>
    </section>
  );
}
