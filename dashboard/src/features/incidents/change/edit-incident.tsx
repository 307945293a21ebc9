import { useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../../server/src/http/limits.ts';
import type { Incident, Severity } from '../../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../../ui/forms/form.tsx';
import { Dialog } from '../../../ui/layout/dialog.tsx';
import { texts } from '../texts.ts';
import { SeverityField } from './severity-field.tsx';
import { useIncidentChange } from './use-incident-change.ts';

/** Edits the title and the severity of an incident. */
export function EditIncident({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const change = useIncidentChange(incident.id);
  const submit = (values: FormData) => {
    const title = textOf(values, 'title').trim();
    const severity = textOf(values, 'severity') as Severity;
    const invalid = toFieldErrors({ title: title === '' ? texts.change.titleMissing : undefined });
    setErrors(invalid);
    if (invalid) return;
    // Unchanged fields are not sent: another user may have changed them meanwhile.
    const changes = {
      ...(title !== incident.title && { title }),
      ...(severity !== incident.severity && { severity }),
    };
    if (Object.keys(changes).length === 0) return onClose();
    change.mutate(changes, {
      onSuccess: onClose,
      onError: (error) => setErrors(toFormErrors(error, ['title', 'severity'])),
    });
  };
  return (
    <Dialog title={texts.change.edit} onClose={onClose}>
      <Form errors={errors} onSubmit={submit}>
        <TextField
          label={texts.change.title}
          name="title"
          defaultValue={incident.title}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          error={errors?.fields.get('title')}
        />
        <SeverityField initial={incident.severity} error={errors?.fields.get('severity')} />
        <FormActions submit={texts.change.save} busy={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
