import { useState } from 'react';
import { MAX_MUTE_COUNT, MAX_MUTE_PERIOD_SECONDS } from '../../../../../server/src/groups/limits.ts';
import type { GroupPatch } from '../../../lib/api-types.ts';
import { type FormErrors, toFieldErrors } from '../../../lib/form-errors.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../../ui/forms/form.tsx';
import { Dialog } from '../../../ui/layout/dialog.tsx';
import { texts } from '../texts.ts';

const MAX_MINUTES = MAX_MUTE_PERIOD_SECONDS / 60;

/** Mutes until a number of further events has arrived, in all or within some minutes. */
export function MuteDialog({
  onMute,
  onClose,
}: {
  onMute: (patch: GroupPatch) => void;
  onClose: () => void;
}) {
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const submit = (values: FormData) => {
    const count = textOf(values, 'count').trim();
    const minutes = textOf(values, 'minutes').trim();
    const check = (text: string, most: number) =>
      /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most ? undefined : texts.mute.notWhole(most);
    const invalid = toFieldErrors({
      count: check(count, MAX_MUTE_COUNT),
      minutes: minutes === '' ? undefined : check(minutes, MAX_MINUTES),
    });
    setErrors(invalid);
    if (invalid) return;
    onMute({
      state: 'muted',
      muteForCount: Number(count),
      ...(minutes !== '' && { mutePeriodSeconds: Number(minutes) * 60 }),
    });
    onClose();
  };
  return (
    <Dialog title={texts.mute.dialog} onClose={onClose}>
      <Form errors={errors} onSubmit={submit}>
        <TextField
          label={texts.mute.count}
          name="count"
          inputMode="numeric"
          defaultValue="100"
          autoComplete="off"
          error={errors?.fields.get('count')}
        />
        <TextField
          label={texts.mute.minutes}
          name="minutes"
          inputMode="numeric"
          hint={texts.mute.minutesHint}
          autoComplete="off"
          error={errors?.fields.get('minutes')}
        />
        <FormActions submit={texts.change.mute} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
