import type { FormErrors } from '../../lib/form-errors.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { texts } from './texts.ts';

const words = texts.confirmation;

/** The current password, which a change of the account requires. */
export function PasswordField({ errors }: { errors: FormErrors | null }) {
  return (
    <TextField
      label={words.password}
      name="password"
      type="password"
      autoComplete="current-password"
      required
      error={errors?.fields.get('password')}
    />
  );
}

interface OneTimeCodeFieldProps {
  label: string;
  hint?: string;
  errors: FormErrors | null;
}

/** A field for a one-time code, which phones and password managers fill in. */
export function OneTimeCodeField({ label, hint, errors }: OneTimeCodeFieldProps) {
  const error = errors?.fields.get('code');
  return (
    <TextField
      label={label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck="false"
      required
      hint={error ? undefined : hint}
      error={error}
    />
  );
}
