import { useState } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CheckField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { NewKey } from './new-key.tsx';
import { createKey, keysQuery, type NewKeyValues } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.createKey;

/** Asks for a name, then shows the key. */
export function CreateKey({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const [isForBrowsers, setIsForBrowsers] = useState(false);
  const { errors, submit, isPending, data } = useForm({
    mutationFn: (key: NewKeyValues) => createKey(project.id, key),
    onSuccess: () => queryClient.invalidateQueries(keysQuery(project.id)),
    check: ({ name }) =>
      toFieldErrors({ name: name.trim() === '' ? 'Name the key so you can recognise it later.' : undefined }),
    toErrors: (error) => toFormErrors(error, ['name', 'origins']),
  });
  if (data) {
    return (
      <Dialog key="shown" title={words.created(data.name)} onClose={onClose}>
        <NewKey rawKey={data.rawKey} dsn={data.dsn} />
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
      <Form errors={errors} onSubmit={(form) => submit(readKeyValues(form))}>
        <TextField
          label={words.name}
          name="name"
          autoComplete="off"
          required
          hint={words.nameHint}
          error={errors?.fields.get('name')}
        />
        <CheckField
          className="mt-4"
          name="browser"
          label={words.browser}
          hint={words.browserHint}
          checked={isForBrowsers}
          onChange={(event) => setIsForBrowsers(event.target.checked)}
        />
        {isForBrowsers && (
          <TextField
            className="mt-4"
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

function readKeyValues(form: FormData): NewKeyValues {
  const name = textOf(form, 'name');
  if (!form.has('browser')) return { name };
  return {
    name,
    use: 'browser',
    origins: textOf(form, 'origins')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}
