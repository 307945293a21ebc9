import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import type { Role } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { addMember, readAgain } from './queries.ts';
import { RoleOptions } from './roles.tsx';

/** Adds somebody who has an account, by the id that they read on their account page. */
export function AddMember({ organizationId }: { organizationId: string }) {
  const [userId, setUserId] = useState('');
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const add = useMutation({
    mutationFn: addMember,
    onSuccess: async ({ user }) => {
      setUserId('');
      await readAgain();
      showToast(`${user.name} added`);
    },
    onError: (error) => setErrors(toMemberErrors(error)),
  });
  const submit = (values: FormData) => {
    const wrong = toFieldErrors({ userId: userId.trim() === '' ? 'Enter a user id.' : undefined });
    setErrors(wrong);
    const role = textOf(values, 'role') as Role;
    if (!wrong) add.mutate({ organizationId, userId: userId.trim(), role });
  };
  return (
    <>
      <h3 className="mb-2 font-semibold">Add a member</h3>
      <Form errors={errors} onSubmit={submit} className="max-w-xl">
        <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
          <TextField
            label="User id"
            className="flex-1 basis-64"
            value={userId}
            placeholder="usr_…"
            required
            autoComplete="off"
            spellCheck={false}
            hint="Ask them to copy it from Settings → Account. They’ll leave their current organization, which must have no projects or other members."
            error={errors?.fields.get('userId')}
            onChange={(event) => setUserId(event.target.value)}
          />
          <SelectField label="Role" name="role" className="w-28" defaultValue="MEMBER">
            <RoleOptions />
          </SelectField>
          {/* Beside the fields, below their labels. */}
          <Button
            type="submit"
            variant="primary"
            className="sm:mt-[calc(1.45*13px+4px)]"
            busy={add.isPending}
          >
            Add member
          </Button>
        </div>
      </Form>
    </>
  );
}

/** What is wrong with the user that was named. */
const ABOUT_THE_USER = new Set(['not_found', 'already_member']);

function toMemberErrors(error: Error): FormErrors {
  const isAboutUser = error instanceof ApiError && ABOUT_THE_USER.has(error.code);
  return isAboutUser
    ? { fields: new Map([['userId', error.message]]), message: null }
    : toFormErrors(error, ['userId']);
}
