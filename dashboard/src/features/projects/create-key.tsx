import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { NewKey } from './new-key.tsx';
import { createKey, keysQuery } from './queries.ts';

/** Asks for a name, then shows the key. */
export function CreateKey({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const creation = useMutation({
    mutationFn: (name: string) => createKey(project.id, name),
    onSuccess: () => queryClient.invalidateQueries(keysQuery(project.id)),
    onError: (error) => setErrors(toFormErrors(error, ['name'])),
  });
  const submit = (values: FormData) => {
    const name = textOf(values, 'name');
    const wrong = toFieldErrors({
      name: name.trim() === '' ? 'Name the key so you can recognise it later.' : undefined,
    });
    setErrors(wrong);
    if (!wrong) creation.mutate(name);
  };
  if (creation.data) {
    return (
      <Dialog key="shown" title={`Key “${creation.data.name}”`} onClose={onClose}>
        <NewKey rawKey={creation.data.rawKey} />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog key="asked" title={`Create a key for ${project.name}`} onClose={onClose}>
      <Form errors={errors} onSubmit={submit}>
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          required
          hint="Where you’ll use it, such as “web server” or “nightly jobs”."
          error={errors?.fields.get('name')}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={creation.isPending}>
            Create key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
