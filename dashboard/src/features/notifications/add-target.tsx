import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedNotificationTarget, NotificationTarget } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { membersQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { createTarget, readNotificationsAgain } from './queries.ts';
import { TARGET_FIELDS } from './target-fields.ts';
import { texts } from './texts.ts';

const words = texts.addTarget;

type Kind = NotificationTarget['kind'];

const KIND_OPTIONS = (Object.keys(TARGET_FIELDS) as Kind[]).map((value) => ({
  value,
  label: texts.targets.kinds[value],
}));

interface Values {
  kind: Kind;
  name: string;
  config: Record<string, unknown>;
}

export function AddTarget({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<Kind>(KIND_OPTIONS[0]?.value ?? 'webhook');
  const fields = TARGET_FIELDS[kind];
  const { errors, submit, isPending, data } = useForm({
    mutationFn: createTarget,
    onSuccess: readNotificationsAgain,
    check: ({ name, config }: Values) =>
      toFieldErrors({
        name: name.trim() === '' ? words.nameMissing : undefined,
        ...Object.fromEntries(
          fields.map(({ name: field, isOptional }) => [
            `config/${field}`,
            !isOptional && config[field] === undefined ? words.missing : undefined,
          ]),
        ),
      }),
    toErrors: (error) => toFormErrors(error, ['name', ...fields.map(({ name }) => `config/${name}`)]),
  });
  if (data) return <CreatedTarget created={data} onClose={onClose} />;
  const submitForm = (form: FormData) =>
    submit({
      kind,
      name: textOf(form, 'name'),
      // An optional field that is left empty is left out.
      config: Object.fromEntries(
        fields.flatMap(({ name }) => {
          const text = textOf(form, `config/${name}`).trim();
          return text === '' ? [] : [[name, text]];
        }),
      ),
    });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form errors={errors} onSubmit={submitForm}>
        <TextField label={words.name} name="name" hint={words.nameHint} error={errors?.fields.get('name')} />
        {KIND_OPTIONS.length > 1 && (
          <SelectField label={words.kind} options={KIND_OPTIONS} value={kind} onChange={setKind} />
        )}
        {fields.map(({ name, label, hint, type, initially }) =>
          type === 'member' ? (
            <MemberField
              key={`${kind} ${name}`}
              label={label}
              name={`config/${name}`}
              hint={hint}
              error={errors?.fields.get(`config/${name}`)}
            />
          ) : (
            <TextField
              key={`${kind} ${name}`}
              label={label}
              name={`config/${name}`}
              type={type}
              defaultValue={initially}
              inputMode={type === 'url' ? 'url' : undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              hint={hint}
              error={errors?.fields.get(`config/${name}`)}
            />
          ),
        )}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            {words.add}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface MemberFieldProps {
  label: string;
  name: string;
  hint: string;
  error: string | undefined;
}

/** One member, or all of them: then it has no value. */
function MemberField({ name, ...rest }: MemberFieldProps) {
  const { data: members = [] } = useQuery(membersQuery);
  const [userId, setUserId] = useState('');
  const options = [
    { value: '', label: words.webpush.everybody },
    ...members.map(({ user }) => ({ value: user.id, label: `${user.name} (${user.email})` })),
  ];
  return (
    <>
      <SelectField options={options} value={userId} onChange={setUserId} {...rest} />
      <input type="hidden" name={name} value={userId} />
    </>
  );
}

/** What is shown once. */
function CreatedTarget({ created, onClose }: { created: CreatedNotificationTarget; onClose: () => void }) {
  const { secret } = created;
  return (
    <Dialog title={words.created} onClose={onClose}>
      {secret !== undefined && (
        <>
          <p className="mb-3 text-text-muted">{words.secretHint}</p>
          <div className="mb-4 flex flex-wrap items-end gap-2">
            <TextField
              label={words.secret}
              className="min-w-0 flex-1 basis-64"
              readOnly
              value={secret}
              onFocus={(event) => event.target.select()}
            />
            <CopyButton text={secret} label={words.copy} />
          </div>
        </>
      )}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
