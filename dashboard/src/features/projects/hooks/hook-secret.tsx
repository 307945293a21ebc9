import type { HookRecord } from '../../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { queryClient } from '../../../lib/queries.ts';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../../ui/forms/form.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { Dialog } from '../../../ui/layout/dialog.tsx';
import { hooksQuery, setSecrets } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.secret;

interface HookSecretProps {
  hook: HookRecord;
  onClose: () => void;
}

/** Asks for the secret of a hook, and while the sender replaces it for the former one. */
export function HookSecret({ hook, onClose }: HookSecretProps) {
  const { errors, submit, isPending } = useForm({
    mutationFn: (secrets: string[]) => setSecrets(hook, secrets.filter(Boolean)),
    onSuccess: async () => {
      await queryClient.invalidateQueries(hooksQuery(hook.projectId));
      showToast(words.saved);
      onClose();
    },
    check: ([secret]) => toFieldErrors({ 'secrets/0': secret === '' ? words.missing : undefined }),
    toErrors: (error) => toFormErrors(error, ['secrets/0', 'secrets/1']),
  });
  const read = (form: FormData) => ['secrets/0', 'secrets/1'].map((name) => textOf(form, name).trim());
  return (
    <Dialog title={words.title(hook.name)} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(read(form))}>
        <TextField
          label={words.secret}
          name="secrets/0"
          autoComplete="off"
          spellCheck="false"
          required
          hint={words.secretHint}
          error={errors?.fields.get('secrets/0')}
        />
        {hook.secretCount > 0 && (
          <TextField
            label={words.former}
            name="secrets/1"
            autoComplete="off"
            spellCheck="false"
            hint={words.formerHint}
            error={errors?.fields.get('secrets/1')}
          />
        )}
        <FormActions submit={words.save} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
