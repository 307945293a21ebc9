import { useState } from 'react';
import type { KeyRecord, ProjectRecord } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { NewKey } from './new-key.tsx';
import { createKey, keysQuery, type NewKeyValues } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.createKey;
const USES = ['server', 'browser', 'ping'] as const;
type KeyUse = KeyRecord['use'];

/** Asks for a name and a use, then shows the key. */
export function CreateKey({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const [use, setUse] = useState<KeyUse>('server');
  const { errors, submit, isPending, data } = useForm({
    mutationFn: (key: NewKeyValues) => createKey(project.id, key),
    onSuccess: () => queryClient.invalidateQueries(keysQuery(project.id)),
    check: ({ name }) => toFieldErrors({ name: name.trim() === '' ? 'Enter a name.' : undefined }),
    toErrors: (error) => toFormErrors(error, ['name', 'origins']),
  });
  if (data) {
    return (
      <Dialog key="shown" title={words.created(data.name)} onClose={onClose}>
        <NewKey {...data} />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            {words.done}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog key="asked" title={words.title(project.name)} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(readKeyValues(form, use))}>
        <TextField
          label={words.name}
          name="name"
          autoComplete="off"
          required
          hint={words.nameHint}
          error={errors?.fields.get('name')}
        />
        <SelectField
          label={words.use}
          hint={words.useHints[use]}
          value={use}
          onChange={setUse}
          options={USES.map((value) => ({ value, label: words.uses[value] }))}
        />
        {use === 'browser' && (
          <TextField
            label={words.origins}
            name="origins"
            autoComplete="off"
            hint={words.originsHint}
            error={errors?.fields.get('origins')}
          />
        )}
        <FormActions submit={words.createKey} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function readKeyValues(form: FormData, use: KeyUse): NewKeyValues {
  const name = textOf(form, 'name');
  if (use !== 'browser') return { name, use };
  return {
    name,
    use,
    origins: textOf(form, 'origins')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}
