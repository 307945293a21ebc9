import { encode } from 'uqr';
import type { TotpSecretRecord } from '../../lib/api-types.ts';
import { toFieldErrors } from '../../lib/form-errors.ts';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { SecretField } from '../../ui/forms/secret-field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog } from '../../ui/layout/dialog.tsx';
import { toConfirmationErrors } from './confirmation-errors.ts';
import { OneTimeCodeField, PasswordField } from './confirmation-fields.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { texts } from './texts.ts';
import { activateTotp, enrolTotp, readTotpAgain } from './totp-queries.ts';

const words = texts.setUpTotp;

/** Asks for the password, shows the secret for the app, asks for its first code, and shows the recovery codes. */
export function SetUpTotp({ onClose }: { onClose: () => void }) {
  const { errors, submit, isPending, data } = useForm({
    mutationFn: enrolTotp,
    check: (password) =>
      toFieldErrors({ password: password === '' ? texts.confirmation.noPassword : undefined }),
    toErrors: toConfirmationErrors,
  });
  if (data) return <EnterFirstCode secret={data} onClose={onClose} />;
  return (
    <Dialog key="password" title={words.title} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(textOf(form, 'password'))}>
        <p className="text-text-muted">{words.needed}</p>
        <PasswordField errors={errors} />
        <FormActions submit={words.next} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function EnterFirstCode({ secret, onClose }: { secret: TotpSecretRecord; onClose: () => void }) {
  const { errors, submit, isPending, data } = useForm({
    mutationFn: activateTotp,
    onSuccess: readTotpAgain,
    check: (code) => toFieldErrors({ code: code.trim() === '' ? texts.confirmation.noCode : undefined }),
    toErrors: toConfirmationErrors,
  });
  if (data) {
    return (
      <Dialog key="codes" title={words.done} onClose={onClose}>
        <RecoveryCodes codes={data.recoveryCodes} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog key="code" title={words.title} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(textOf(form, 'code'))}>
        <p>{words.scan}</p>
        <QrCode text={secret.uri} />
        <SecretField
          label={words.secret}
          hint={words.secretHint}
          value={secret.secret}
          copy={words.copySecret}
        />
        <OneTimeCodeField label={words.firstCode} errors={errors} />
        <p className="text-sm text-text-muted">{words.consequence}</p>
        <FormActions submit={words.turnOn} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Dark on light in both themes, with the quiet zone of 4 modules that ISO/IEC 18004 asks for: readers need both. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      role="img"
      aria-label={words.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  );
}
