import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import type { Role } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { addMember, readAgain } from './queries.ts';
import { ROLE_OPTIONS } from './roles.ts';
import { texts } from './texts.ts';

const words = texts.addMember;

/** Adds a user with an account, by the id shown on their account page. */
export function AddMember({ organizationId }: { organizationId: string }) {
  const [userId, setUserId] = useState('');
  const { errors, submit, isPending } = useForm({
    mutationFn: addMember,
    onSuccess: async ({ user }, sent) => {
      // Keeps an id that was typed meanwhile.
      setUserId((typed) => (typed.trim() === sent.userId ? '' : typed));
      await readAgain();
      showToast(`${user.name} added`);
    },
    check: (member) => toFieldErrors({ userId: member.userId === '' ? 'Enter a user id.' : undefined }),
    toErrors: toMemberErrors,
  });
  return (
    <>
      <h3 className="mb-2 font-semibold">{words.addAMember}</h3>
      <Form
        errors={errors}
        onSubmit={(form) =>
          submit({ organizationId, userId: userId.trim(), role: textOf(form, 'role') as Role })
        }
        className="max-w-xl"
      >
        <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
          <TextField
            label={words.userId}
            className="flex-1 basis-64"
            value={userId}
            placeholder={words.placeholder}
            required
            autoComplete="off"
            spellCheck="false"
            hint={words.hint}
            error={errors?.fields.get('userId')}
            onChange={(event) => setUserId(event.target.value)}
          />
          <SelectField
            label={words.role}
            name="role"
            className="w-28"
            defaultValue="MEMBER"
            options={ROLE_OPTIONS}
          />
          {/* Aligned with the fields, below their labels. */}
          <Button type="submit" className="sm:mt-[calc(1.45*13px+4px)]" busy={isPending}>
            {words.addMember}
          </Button>
        </div>
      </Form>
    </>
  );
}

/** Errors about the entered user id. */
const ABOUT_THE_USER = new Set(['not_found', 'already_member']);

function toMemberErrors(error: Error): FormErrors {
  const isAboutUser = error instanceof ApiError && ABOUT_THE_USER.has(error.code);
  return isAboutUser
    ? { fields: new Map([['userId', error.message]]), message: null }
    : toFormErrors(error, ['userId']);
}
