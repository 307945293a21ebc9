import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectRecord } from '../../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { formatCount } from '../../../lib/format.ts';
import { useIsOwner } from '../../../lib/members/use-is-owner.ts';
import { queryClient, serviceQuery } from '../../../lib/queries.ts';
import { SEVERITIES } from '../../../lib/severity.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form, textOf } from '../../../ui/forms/form.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { ConfirmDialog } from '../../../ui/layout/confirm-dialog.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { changeProject, keptEventsQuery, projectQuery } from '../queries.ts';
import { countKept, countRemoved } from './kept-events.ts';
import { texts } from './texts.ts';

const words = texts.retention;

type Choice = ProjectRecord['retention'];

/** The form for how long events of each severity are kept. */
export function Retention({ project: { id, retention, sampleAbove } }: { project: ProjectRecord }) {
  const { data: service } = useQuery(serviceQuery);
  const isSampled = sampleAbove !== null;
  return service && <RetentionForm {...{ id, retention, isSampled }} retentionDays={service.retentionDays} />;
}

interface RetentionFormProps {
  id: string;
  retention: Choice;
  /** True if storms are kept as samples. */
  isSampled: boolean;
  /** Days for which the installation keeps events. */
  retentionDays: number;
}

function RetentionForm({ id, retention, isSampled, retentionDays }: RetentionFormProps) {
  const isOwner = useIsOwner() === true;
  const { data: buckets = [], isSuccess } = useQuery(keptEventsQuery(id, retentionDays));
  const [losses, setLosses] = useState<{ chosen: Choice; count: number } | null>(null);
  const kept = (choice: Choice, counted = buckets) =>
    countKept(counted, choice, { nowMs: Date.now(), retentionDays });
  const now = kept(retention);
  const save = (chosen: Choice) => changeProject(id, { retention: chosen });
  const onSaved = (changed: ProjectRecord) => {
    queryClient.setQueryData(projectQuery(id).queryKey, changed);
    setLosses(null);
    showToast(words.saved);
  };
  const { errors, submit, isPending } = useForm({
    mutationFn: async (chosen: Choice) => {
      // As long as they are not read, it is unknown what a choice removes.
      const counted = await queryClient.ensureQueryData(keptEventsQuery(id, retentionDays));
      const count = countRemoved(kept(retention, counted), kept(chosen, counted));
      if (count === 0) return save(chosen);
      setLosses({ chosen, count });
      return null;
    },
    onSuccess: (changed) => changed && onSaved(changed),
    check: (chosen) => checkDays(chosen, retentionDays),
    toErrors: (error) => toFormErrors(error, []),
  });
  return (
    <Section title={words.title}>
      <p className="mb-2 max-w-prose text-text-muted">{words.hint(retentionDays)}</p>
      <Form errors={errors} onSubmit={(form) => submit(readDays(form))} className="max-w-xl space-y-4">
        <div className="grid gap-4 sm:grid-cols-4">
          {SEVERITIES.map((severity) => (
            <TextField
              key={severity}
              label={words.days(severity)}
              hint={isSuccess && words.kept(now[severity], !isSampled && retention[severity] === undefined)}
              error={errors?.fields.get(severity)}
              name={severity}
              readOnly={!isOwner}
              inputMode="numeric"
              autoComplete="off"
              placeholder={String(retentionDays)}
              defaultValue={retention[severity] ?? ''}
            />
          ))}
        </div>
        {isOwner && (
          <Button type="submit" busy={isPending}>
            {words.save}
          </Button>
        )}
      </Form>
      {losses && (
        <ConfirmDialog
          title={words.confirmTitle}
          confirm={words.confirm}
          action={() => save(losses.chosen)}
          onSuccess={onSaved}
          onClose={() => setLosses(null)}
        >
          <p>{words.losses(formatCount(losses.count))}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Reads the form's values. A value that is no number becomes NaN, which `checkDays` refuses. */
function readDays(form: FormData): Choice {
  const days = SEVERITIES.map((severity) => [severity, textOf(form, severity).trim()] as const);
  return Object.fromEntries(days.flatMap(([severity, text]) => (text ? [[severity, Number(text)]] : [])));
}

function checkDays(chosen: Choice, retentionDays: number): FormErrors | null {
  const isFit = (days: number) => Number.isInteger(days) && days >= 1 && days <= retentionDays;
  return toFieldErrors(
    Object.fromEntries(
      Object.entries(chosen).map(([name, days]) => [
        name,
        isFit(days) ? undefined : words.noDays(retentionDays),
      ]),
    ),
  );
}
