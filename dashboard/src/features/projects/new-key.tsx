import { SecretField, SecretFrame } from '../../ui/forms/secret-field.tsx';
import { texts } from './texts.ts';

const words = texts.newKey;

/** A new key, which is shown only once. */
export function NewKey({ rawKey, dsn }: { rawKey: string; dsn: string }) {
  return (
    <SecretFrame title={words.copyNow} text={words.secret}>
      <SecretField label={words.apiKey} value={rawKey} copy={words.copyKey} />
      <SecretField label={words.dsn} value={dsn} copy={words.copyDsn} hint={words.dsnHint} />
    </SecretFrame>
  );
}
