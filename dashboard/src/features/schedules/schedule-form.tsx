import { useState } from 'react';
import type { ScheduleRecord, Severity } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { schedulesQuery } from '../../lib/schedules/schedule-queries.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog } from '../../ui/layout/dialog.tsx';
import { PingAddress } from './ping-address.tsx';
import { changeSchedule, createSchedule, type ScheduleValues } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.form;
const FIELDS = ['name', 'cron', 'timeZone', 'intervalSeconds', 'graceSeconds', 'maxRuntimeSeconds', 'slug'];
const SEVERITIES: Severity[] = ['info', 'warn', 'error', 'critical'];
type Kind = keyof typeof words.kinds;

interface ScheduleFormProps {
  projectId: string;
  /** Schedule to change; null for a new one. */
  schedule: ScheduleRecord | null;
  onClose: () => void;
}

/** Creates or changes a schedule; then shows the ping address of a new one. */
export function ScheduleForm({ projectId, schedule, onClose }: ScheduleFormProps) {
  const [kind, setKind] = useState<Kind>(schedule?.cron === null ? 'interval' : 'cron');
  const { errors, submit, isPending, data } = useForm({
    mutationFn: async (values: ScheduleValues) => {
      if (!schedule) return createSchedule(projectId, values);
      await changeSchedule(schedule, values);
      return null;
    },
    onSuccess: async (_answer, { name }) => {
      await queryClient.invalidateQueries(schedulesQuery(projectId));
      if (!schedule) return;
      showToast(words.saved(name));
      onClose();
    },
    check: (values) => checkValues(values, kind),
    toErrors: (error) => toFormErrors(error, FIELDS),
  });
  if (data) return <PingAddress name={data.name} cron={data.cron} pingUrl={data.pingUrl} onClose={onClose} />;
  const errorOf = (name: string) => errors?.fields.get(name);
  return (
    <Dialog key="asked" title={schedule ? words.change(schedule.name) : words.create} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(readValues(form, kind))}>
        <TextField
          label={words.name}
          name="name"
          autoComplete="off"
          defaultValue={schedule?.name}
          error={errorOf('name') ?? errorOf('slug')}
        />
        <SelectField
          label={words.kind}
          value={kind}
          onChange={setKind}
          options={(['cron', 'interval'] as const).map((value) => ({ value, label: words.kinds[value] }))}
        />
        {kind === 'cron' ? (
          <CronFields {...{ schedule, errorOf }} />
        ) : (
          <MinutesField
            label={words.interval}
            name="intervalSeconds"
            seconds={schedule?.intervalSeconds ?? 3_600}
            error={errorOf('intervalSeconds')}
          />
        )}
        <LimitFields {...{ schedule, errorOf }} />
        <SelectField
          label={words.severity}
          name="severity"
          defaultValue={schedule?.severity ?? 'error'}
          options={SEVERITIES.map((value) => ({ value, label: value }))}
        />
        <FormActions submit={words.save} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface FieldsProps {
  schedule: ScheduleRecord | null;
  errorOf: (name: string) => string | undefined;
}

function CronFields({ schedule, errorOf }: FieldsProps) {
  return (
    <>
      <TextField
        label={words.cron}
        name="cron"
        className="[&_input]:font-mono"
        autoComplete="off"
        spellCheck="false"
        hint={words.cronHint}
        defaultValue={schedule?.cron ?? '0 3 * * *'}
        error={errorOf('cron')}
      />
      <TextField
        label={words.timeZone}
        name="timeZone"
        autoComplete="off"
        spellCheck="false"
        defaultValue={schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
        error={errorOf('timeZone')}
      />
    </>
  );
}

/** Tolerances of a check-in and of a run. */
function LimitFields({ schedule, errorOf }: FieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <MinutesField
        label={words.grace}
        name="graceSeconds"
        hint={words.graceHint}
        seconds={schedule?.graceSeconds ?? 300}
        error={errorOf('graceSeconds')}
      />
      <MinutesField
        label={words.runtime}
        name="maxRuntimeSeconds"
        hint={words.runtimeHint}
        seconds={schedule ? schedule.maxRuntimeSeconds : 3_600}
        error={errorOf('maxRuntimeSeconds')}
      />
    </div>
  );
}

interface MinutesFieldProps {
  label: string;
  name: string;
  hint?: string;
  seconds: number | null;
  error: string | undefined;
}

function MinutesField({ seconds, ...field }: MinutesFieldProps) {
  return (
    <TextField
      {...field}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={seconds === null ? '' : seconds / 60}
    />
  );
}

/** Reads the form's values. A value that is no number becomes NaN, which `checkValues` refuses. */
function readValues(form: FormData, kind: Kind): ScheduleValues {
  const seconds = (name: string) => {
    const text = textOf(form, name).trim().replace(',', '.');
    return text === '' ? Number.NaN : Math.round(Number(text) * 60);
  };
  const isCron = kind === 'cron';
  return {
    name: textOf(form, 'name').trim(),
    cron: isCron ? textOf(form, 'cron').trim() : null,
    intervalSeconds: isCron ? null : seconds('intervalSeconds'),
    timeZone: isCron ? textOf(form, 'timeZone').trim() : 'UTC',
    graceSeconds: seconds('graceSeconds'),
    maxRuntimeSeconds: textOf(form, 'maxRuntimeSeconds').trim() === '' ? null : seconds('maxRuntimeSeconds'),
    severity: textOf(form, 'severity') as Severity,
  };
}

function checkValues(values: ScheduleValues, kind: Kind): FormErrors | null {
  const minutes = (seconds: number | null) => (Number.isNaN(seconds) ? words.noMinutes : undefined);
  return toFieldErrors({
    name: values.name === '' ? words.noName : undefined,
    cron: kind === 'cron' && values.cron === '' ? words.noCron : undefined,
    intervalSeconds: minutes(values.intervalSeconds),
    graceSeconds: minutes(values.graceSeconds),
    maxRuntimeSeconds: minutes(values.maxRuntimeSeconds),
  });
}
