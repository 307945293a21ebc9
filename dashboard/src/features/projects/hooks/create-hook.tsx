import { useState } from 'react';
import type { HookRecord, ProjectRecord } from '../../../lib/api-types.ts';
import { toFormErrors } from '../../../lib/form-errors.ts';
import { queryClient } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../../ui/forms/form.tsx';
import { SecretField, SecretFrame } from '../../../ui/forms/secret-field.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../../ui/layout/dialog.tsx';
import { createHook, hooksQuery, type NewHookValues } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.create;
const KINDS = ['stripe', 'github', 'standard'] as const;

/** Asks for the sender, then shows the address. */
export function CreateHook({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const [kind, setKind] = useState<HookRecord['kind']>('stripe');
  const { errors, submit, isPending, data } = useForm({
    mutationFn: (values: NewHookValues) => createHook(project.id, values),
    onSuccess: () => queryClient.invalidateQueries(hooksQuery(project.id)),
    check: () => null,
    toErrors: (error) => toFormErrors(error, ['name']),
  });
  if (data) {
    return (
      <Dialog key="shown" title={words.created(data.name)} onClose={onClose}>
        <SecretFrame title={words.copyNow} text={words.next[data.kind]}>
          <SecretField label={words.url} value={data.url} copy={words.copyUrl} />
          {data.secret !== null && (
            <SecretField label={words.secret} value={data.secret} copy={words.copySecret} />
          )}
        </SecretFrame>
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            {words.done}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const read = (form: FormData): NewHookValues => {
    const name = textOf(form, 'name').trim();
    return { kind, ...(name !== '' && { name }) };
  };
  return (
    <Dialog key="asked" title={words.title(project.name)} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(read(form))}>
        <SelectField
          label={words.kind}
          value={kind}
          onChange={setKind}
          options={KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
        />
        <TextField
          label={texts.name}
          name="name"
          autoComplete="off"
          hint={words.nameHint}
          error={errors?.fields.get('name')}
        />
        <FormActions submit={texts.add} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
