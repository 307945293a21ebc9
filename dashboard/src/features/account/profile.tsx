import { useState } from 'react';
import { request } from '../../lib/api.ts';
import type { SessionRecord } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { membersQuery, queryClient, sessionQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Section } from '../../ui/layout/page.tsx';
import { ChangeEmail } from './change-email.tsx';
import { texts } from './texts.ts';

const words = texts.profile;

/** The user: the name and the address, which can be changed, the organization, and the id. */
export function Profile({ session: { user, organization } }: { session: SessionRecord }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <Section title={words.you}>
      <NameForm name={user.name} />
      <dl className="grid items-baseline gap-x-6 max-sm:[&>dd]:mb-2 sm:grid-cols-[auto_1fr] sm:gap-y-2">
        <dt className="text-text-muted">{words.email}</dt>
        <dd className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{user.email}</span>
          <Button onClick={() => setChanging(true)}>{words.changeEmail}</Button>
        </dd>
        <dt className="text-text-muted">{words.organization}</dt>
        <dd className="wrap-anywhere">{organization.name}</dd>
        <dt className="text-text-muted">{words.userId}</dt>
        <dd className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <code className="font-mono text-sm wrap-anywhere">{user.id}</code>
          <CopyButton text={user.id} label={words.copyId} />
        </dd>
      </dl>
      <p className="mt-2 max-w-xl text-sm text-text-muted">{words.idHint}</p>
      {isChanging && <ChangeEmail email={user.email} onClose={() => setChanging(false)} />}
    </Section>
  );
}

function NameForm({ name }: { name: string }) {
  // Unsaved draft; null while the field follows the name, which the service may store in another form.
  const [draft, setDraft] = useState<string | null>(null);
  const { errors, submit, isPending } = useForm({
    mutationFn: (typed: string) => request<SessionRecord>('PATCH', '/auth/me', { body: { name: typed } }),
    onSuccess: (session, sent) => {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      // Keeps text that was typed meanwhile.
      setDraft((typed) => (typed === sent ? null : typed));
      void queryClient.invalidateQueries(membersQuery);
      showToast(words.saved);
    },
    check: (typed) => toFieldErrors({ name: typed.trim() === '' ? words.noName : undefined }),
    toErrors: (error) => toFormErrors(error, ['name']),
  });
  return (
    <Form errors={errors} onSubmit={(form) => submit(textOf(form, 'name'))} className="mb-4 max-w-md">
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label={words.name}
          name="name"
          className="min-w-0 flex-1 basis-56"
          autoComplete="name"
          value={draft ?? name}
          onChange={(event) => setDraft(event.target.value)}
          required
          error={errors?.fields.get('name')}
        />
        <Button type="submit" busy={isPending}>
          {words.save}
        </Button>
      </div>
    </Form>
  );
}
