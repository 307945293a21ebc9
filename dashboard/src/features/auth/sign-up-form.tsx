import { MAX_NAME_LENGTH } from '../../../../server/src/http/limits.ts';
import { ApiError } from '../../lib/api.ts';
import type { SessionRecord } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { optionsQuery, queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { checkSignUp } from './check-values.ts';
import { signUp, signUpWithOrganization } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.signUpForm;

interface SignUpFormProps {
  /** Token of an invitation. */
  invitation?: string;
  /** Address that the invitation is bound to. */
  email?: string | null;
  onDone: (session: SessionRecord) => Promise<void>;
}

/** Name, email and password of a new account, and the name of its organization, unless it joins one. */
export function SignUpForm({ invitation, email, onDone }: SignUpFormProps) {
  const { errors, submit, isPending } = useForm({
    mutationFn: invitation ? signUp : signUpWithOrganization,
    onSuccess: onDone,
    // Another user may have signed up first: the page then leads to the login.
    onSettled: () => void queryClient.invalidateQueries(optionsQuery),
    check: checkSignUp,
    toErrors: toSignUpErrors,
  });
  return (
    <Form
      errors={errors}
      onSubmit={(form) =>
        submit({
          name: textOf(form, 'name'),
          email: textOf(form, 'email'),
          password: textOf(form, 'password'),
          ...(invitation ? { invitation } : { organization: textOf(form, 'organization').trim() }),
        })
      }
    >
      <TextField
        label={words.name}
        name="name"
        autoComplete="name"
        required
        error={errors?.fields.get('name')}
      />
      <TextField
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        required
        {...(email && { defaultValue: email, readOnly: true, hint: words.emailIsBound })}
        error={errors?.fields.get('email')}
      />
      <TextField
        label={words.password}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        required
        hint={errors?.fields.has('password') ? undefined : words.passwordHint}
        error={errors?.fields.get('password')}
      />
      {!invitation && (
        <TextField
          label={words.organization}
          name="organization"
          autoComplete="organization"
          maxLength={MAX_NAME_LENGTH}
          hint={words.organizationHint}
        />
      )}
      <Button type="submit" variant="primary" className="w-full" busy={isPending}>
        {words.signUp}
      </Button>
    </Form>
  );
}

function toSignUpErrors(error: Error): FormErrors {
  const taken =
    error instanceof ApiError && error.code === 'email_taken' ? toFieldErrors({ email: words.taken }) : null;
  return taken ?? toFormErrors(error, ['name', 'email', 'password']);
}
