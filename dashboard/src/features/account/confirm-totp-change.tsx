import { toFieldErrors } from '../../lib/form-errors.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog } from '../../ui/layout/dialog.tsx';
import { toConfirmationErrors } from './confirmation-errors.ts';
import { OneTimeCodeField, PasswordField } from './confirmation-fields.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { texts } from './texts.ts';
import { type Confirmation, disableTotp, readTotpAgain, replaceRecoveryCodes } from './totp-queries.ts';

interface ConfirmTotpChangeProps {
  change: 'disable' | 'recovery-codes';
  onClose: () => void;
}

/** Asks for password and code, then turns the second factor off or shows new recovery codes. */
export function ConfirmTotpChange({ change, onClose }: ConfirmTotpChangeProps) {
  const words = { disable: texts.disableTotp, 'recovery-codes': texts.replaceCodes }[change];
  const { errors, submit, isPending, data } = useForm({
    mutationFn: async (values: Confirmation) => {
      if (change === 'recovery-codes') return (await replaceRecoveryCodes(values)).recoveryCodes;
      await disableTotp(values);
      return null;
    },
    onSuccess: async (codes) => {
      await readTotpAgain();
      if (codes !== null) return;
      showToast(texts.disableTotp.done);
      onClose();
    },
    check: ({ password, code }) =>
      toFieldErrors({
        password: password === '' ? texts.confirmation.noPassword : undefined,
        code: code.trim() === '' ? texts.confirmation.noCode : undefined,
      }),
    toErrors: toConfirmationErrors,
  });
  if (data) {
    return (
      <Dialog key="codes" title={texts.replaceCodes.done} onClose={onClose}>
        <RecoveryCodes codes={data} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog key="asked" title={words.title} onClose={onClose}>
      <Form
        errors={errors}
        onSubmit={(form) => submit({ password: textOf(form, 'password'), code: textOf(form, 'code') })}
      >
        <p>{words.consequence}</p>
        <PasswordField errors={errors} />
        <OneTimeCodeField
          label={texts.confirmation.code}
          hint={texts.confirmation.codeHint}
          errors={errors}
        />
        <FormActions
          submit={words.confirm}
          busy={isPending}
          variant={change === 'disable' ? 'danger' : 'primary'}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
