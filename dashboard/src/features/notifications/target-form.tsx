import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedNotificationTarget, NewQuietHours, NotificationTarget } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { membersQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { SecretField } from '../../ui/forms/secret-field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { changeTarget, createTarget, readNotificationsAgain } from './queries.ts';
import {
  checkQuietHours,
  QUIET_HOURS_FIELDS,
  QuietHoursFields,
  readQuietHours,
} from './quiet-hours-fields.tsx';
import { TARGET_FIELDS } from './target-fields.ts';
import { texts } from './texts.ts';

const words = texts.targetForm;

type Kind = NotificationTarget['kind'];

const KIND_OPTIONS = (Object.keys(TARGET_FIELDS) as Kind[]).map((value) => ({
  value,
  label: texts.targets.kinds[value],
}));

interface Values {
  kind: Kind;
  name: string;
  config: Record<string, unknown>;
  quietHours: NewQuietHours | null;
}

interface TargetFormProps {
  /** Target to change; null for a new one. */
  target: NotificationTarget | null;
  onClose: () => void;
}

/** Adds or changes a target; then shows the secret of a new one once. */
export function TargetForm({ target, onClose }: TargetFormProps) {
  const [kind, setKind] = useState<Kind>(target?.kind ?? KIND_OPTIONS[0]?.value ?? 'webhook');
  // The member of a stored target is fixed: all members and one member are different targets.
  const fields = TARGET_FIELDS[kind].filter(({ type }) => target === null || type !== 'member');
  const { errors, submit, isPending, data } = useForm({
    mutationFn: async ({ kind: ofKind, config, ...values }: Values) => {
      if (!target) return createTarget({ kind: ofKind, config, ...values });
      const isChanged = Object.keys(config).length > 0;
      await changeTarget({ id: target.id, ...values, ...(isChanged && { config }) });
      return null;
    },
    onSuccess: async () => {
      if (target) onClose();
      await readNotificationsAgain();
    },
    check: ({ name, config, quietHours }: Values) =>
      toFieldErrors({
        name: name.trim() === '' ? words.nameMissing : undefined,
        ...Object.fromEntries(
          fields.map(({ name: field, isOptional }) => [
            `config/${field}`,
            !target && !isOptional && config[field] === undefined ? words.missing : undefined,
          ]),
        ),
        ...checkQuietHours(quietHours),
      }),
    toErrors: (error) =>
      toFormErrors(error, ['name', ...fields.map(({ name }) => `config/${name}`), ...QUIET_HOURS_FIELDS]),
  });
  if (data) return <CreatedTarget created={data} onClose={onClose} />;
  const errorOf = (name: string) => errors?.fields.get(name);
  const storedOf = (name: string) => {
    const value = target?.config[name];
    return typeof value === 'string' ? value : undefined;
  };
  const submitForm = (form: FormData) =>
    submit({
      kind,
      name: textOf(form, 'name'),
      // Leaves out empty optional fields, and stored values that are kept.
      config: Object.fromEntries(
        fields.flatMap(({ name }) => {
          const text = textOf(form, `config/${name}`).trim();
          return text === '' || text === storedOf(name) ? [] : [[name, text]];
        }),
      ),
      quietHours: readQuietHours(form),
    });
  return (
    <Dialog key="asked" title={target ? words.change(target.name) : words.title} onClose={onClose}>
      <Form errors={errors} onSubmit={submitForm}>
        <TextField label={words.name} name="name" defaultValue={target?.name} error={errorOf('name')} />
        {!target && KIND_OPTIONS.length > 1 && (
          <SelectField label={words.kind} options={KIND_OPTIONS} value={kind} onChange={setKind} />
        )}
        {fields.map(({ name, label, hint, type, initially }) =>
          type === 'member' ? (
            <MemberField
              key={`${kind} ${name}`}
              label={label}
              name={`config/${name}`}
              hint={hint}
              error={errorOf(`config/${name}`)}
            />
          ) : (
            <TextField
              key={`${kind} ${name}`}
              label={label}
              name={`config/${name}`}
              type={type}
              defaultValue={target ? (storedOf(name) ?? '') : initially}
              inputMode={type === 'url' ? 'url' : undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck="false"
              hint={target && storedOf(name) === undefined ? words.keptHint : hint}
              error={errorOf(`config/${name}`)}
            />
          ),
        )}
        <QuietHoursFields quietHours={target?.quietHours ?? null} errorOf={errorOf} />
        <FormActions submit={target ? words.save : words.add} busy={isPending} onCancel={onClose} />
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

/** A choice of one member, or of all, which has no value. */
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

/** The secret of a new target, which is shown only once. */
function CreatedTarget({ created, onClose }: { created: CreatedNotificationTarget; onClose: () => void }) {
  const { secret } = created;
  return (
    <Dialog title={words.created} onClose={onClose}>
      {secret !== undefined && (
        <>
          <p className="mb-3 text-text-muted">{words.secretHint}</p>
          <SecretField className="mb-4" label={words.secret} value={secret} copy={words.copy} />
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
