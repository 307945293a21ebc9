import { SecretField, SecretFrame } from '../../ui/forms/secret-field.tsx';
import { texts } from './texts.ts';

const words = texts.newKey;

/** A new key, which is shown only once. */
export function NewKey({ rawKey }: { rawKey: string }) {
  return (
    <SecretFrame title={words.copyNow} text={words.secret}>
      <SecretField label={words.apiKey} value={rawKey} copy={words.copyKey} />
    </SecretFrame>
  );
}
