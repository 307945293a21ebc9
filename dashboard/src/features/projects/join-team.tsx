import { useNavigate } from '@tanstack/react-router';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { findInvitationToken, keepInvitation } from '../../lib/invitation.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { texts } from './texts.ts';

const words = texts.joinTeam;

/** Lets users who signed up without an invitation join their team. */
export function JoinTeam() {
  const navigate = useNavigate();
  const { errors, submit } = useForm({
    mutationFn: async (token: string | null) => {
      if (token !== null) keepInvitation(token);
      await navigate({ to: '/join' });
    },
    check: (token) => toFieldErrors({ link: token === null ? words.noLink : undefined }),
    toErrors: (error) => toFormErrors(error, []),
  });
  return (
    <section aria-label={words.title} className="max-w-xl border-t border-line pt-4">
      <h2 className="mb-1">{words.title}</h2>
      <p className="mb-3 text-sm text-text-muted">{words.hint}</p>
      <Form errors={errors} onSubmit={(form) => submit(findInvitationToken(textOf(form, 'link')))}>
        <TextField
          label={words.link}
          name="link"
          autoComplete="off"
          spellCheck="false"
          error={errors?.fields.get('link')}
        />
        <Button type="submit">{words.join}</Button>
      </Form>
    </section>
  );
}
