import { SecretField, SecretFrame } from '../../ui/forms/secret-field.tsx';
import { texts } from './texts.ts';

const words = texts.newKey;

interface NewKeyProps {
  rawKey: string;
  /** Null for a ping key. */
  dsn: string | null;
  /** Null or absent for any other key. */
  pingUrl?: string | null;
}

/** A new key, which is shown only once. */
export function NewKey({ rawKey, dsn, pingUrl }: NewKeyProps) {
  if (pingUrl)
    return (
      <SecretFrame title={words.copyNow} text={words.pingSecret}>
        <SecretField label={words.ping} value={pingUrl} copy={words.copyPing} hint={words.pingHint} />
      </SecretFrame>
    );
  return (
    <SecretFrame title={words.copyNow} text={words.secret}>
      <SecretField label={words.apiKey} value={rawKey} copy={words.copyKey} />
      {dsn !== null && <SecretField label={words.dsn} value={dsn} copy={words.copyDsn} className="mt-3" />}
    </SecretFrame>
  );
}
