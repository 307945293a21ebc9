import { useState } from 'react';
import { DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS } from '../../../../server/src/tenancy/tokens/limits.ts';
import type { NewTokenRecord, TokenScope, TokenValues } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { SecretField, SecretFrame } from '../../ui/forms/secret-field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { texts } from './texts.ts';
import { createToken, tokensQuery } from './token-queries.ts';

const words = texts.createToken;

const SCOPES: readonly TokenScope[] = ['read', 'write', 'admin', 'releases', 'silences'];
const NO_EXPIRY = 'never';
const DAYS = [7, 30, DEFAULT_TOKEN_DAYS, 180, MAX_TOKEN_DAYS].map(String);

/** Asks for the name and the permissions of a token, creates it and shows it. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const [days, setDays] = useState(String(DEFAULT_TOKEN_DAYS));
  const { errors, submit, isPending, data } = useForm({
    mutationFn: createToken,
    onSuccess: () => queryClient.invalidateQueries(tokensQuery),
    check: ({ name, scopes }: TokenValues) =>
      toFieldErrors({
        name: name.trim() === '' ? words.nameMissing : undefined,
        scopes: scopes.length === 0 ? words.scopesMissing : undefined,
      }),
    toErrors: (error) => toFormErrors(error, ['name', 'scopes', 'expiresInDays']),
  });
  if (data) return <ShownToken created={data} onClose={onClose} />;
  const submitForm = (form: FormData) =>
    submit({
      name: textOf(form, 'name'),
      scopes: SCOPES.filter((scope) => form.get(scope) !== null),
      expiresInDays: days === NO_EXPIRY ? null : Number(days),
    });
  const scopesError = errors?.fields.get('scopes');
  return (
    <Dialog key="asked" title={words.title} onClose={onClose}>
      <Form errors={errors} onSubmit={submitForm}>
        <TextField
          label={words.name}
          name="name"
          autoComplete="off"
          required
          hint={words.nameHint}
          error={errors?.fields.get('name')}
        />
        <fieldset className="min-w-0 space-y-2">
          <legend className="mb-1 text-sm font-medium">{words.scopes}</legend>
          {SCOPES.map((scope, index) => (
            <CheckField
              key={scope}
              label={words.scope[scope]}
              hint={words.scopeHint[scope]}
              name={scope}
              defaultChecked={scope === 'read'}
              error={index === 0 ? scopesError : undefined}
            />
          ))}
        </fieldset>
        <SelectField
          label={words.expires}
          value={days}
          onChange={setDays}
          options={[
            ...DAYS.map((value) => ({ value, label: words.inDays(Number(value)) })),
            { value: NO_EXPIRY, label: words.never },
          ]}
          hint={days === NO_EXPIRY ? words.neverHint : undefined}
          error={errors?.fields.get('expiresInDays')}
        />
        <FormActions submit={words.create} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** The new token, which is shown only once. */
function ShownToken({ created, onClose }: { created: NewTokenRecord; onClose: () => void }) {
  return (
    <Dialog key="shown" title={words.created(created.name)} onClose={onClose}>
      <SecretFrame title={words.copyNow} text={words.secret}>
        <SecretField label={words.token} value={created.token} copy={words.copyToken} />
      </SecretFrame>
      <p className="mt-3 text-sm text-text-muted">{words.use}</p>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
