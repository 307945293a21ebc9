import { useEffect, useRef, useState } from 'react';
import {
  MAX_REASON_LENGTH,
  MAX_SILENCE_DAYS,
  MAX_UNLEARNED_DAYS,
} from '../../../../server/src/notifications/silences/limits.ts';
import type { SilenceValues } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { TIME_ZONE } from '../../lib/time-zone.ts';
import { CheckField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog } from '../../ui/layout/dialog.tsx';
import { checkEnd, endOf, LENGTHS, type Length } from './lengths.ts';
import { createSilence, readSilencesAgain } from './queries.ts';
import { mayLeaveOut, type ScopeChoice } from './scopes.ts';
import { texts } from './texts.ts';

const words = texts.dialog;

interface SilenceDialogProps {
  /** Choices of the scope, at least one. */
  scopes: readonly ScopeChoice[];
  /** Length that is chosen at first. */
  length: Length;
  onClose: () => void;
}

/** Asks for the length and the scope of a silence. The button has the focus at first: Enter confirms the first choices. */
export function SilenceDialog({ scopes: offered, length: chosenLength, onClose }: SilenceDialogProps) {
  // Keeps the first choices: none takes the place of another just before Enter confirms it.
  const [scopes] = useState(offered);
  const [length, setLength] = useState(chosenLength);
  const [what, setWhat] = useState('0');
  const scope = scopes[Number(what)]?.scope ?? {};
  const only = scopes.length === 1 ? scopes[0] : undefined;
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Without a time the button could only report that it is missing.
    if (chosenLength !== 'custom') confirm.current?.focus();
  }, [chosenLength]);
  const { errors, submit, isPending } = useForm({
    mutationFn: createSilence,
    onSuccess: async () => {
      onClose();
      await readSilencesAgain();
    },
    check: ({ until }: SilenceValues) => {
      const fault = checkEnd(Date.parse(until), Date.now());
      return toFieldErrors({
        until:
          fault === 'missing'
            ? words.untilMissing
            : fault === 'too late'
              ? words.untilTooLate(MAX_SILENCE_DAYS)
              : undefined,
      });
    },
    toErrors: (error) => toFormErrors(error, ['until', 'reason', 'learn']),
  });
  const submitForm = (form: FormData) => {
    const untilMs = endOf(length, textOf(form, 'until'), { nowMs: Date.now(), timeZone: TIME_ZONE });
    submit({
      ...scope,
      until: Number.isNaN(untilMs) ? '' : new Date(untilMs).toISOString(),
      reason: textOf(form, 'reason').trim() || null,
      ...(form.get('unlearned') !== null && { learn: false }),
    });
  };
  return (
    <Dialog title={only ? words.titleOfOne(only.label) : words.title} onClose={onClose}>
      <Form errors={errors} onSubmit={submitForm}>
        <p className="text-sm text-text-muted">{words.intro}</p>
        <SelectField
          label={words.length}
          value={length}
          onChange={setLength}
          options={LENGTHS.map((value) => ({ value, label: words.lengths[value] }))}
        />
        {length === 'custom' && (
          <TextField
            label={words.until}
            name="until"
            type="datetime-local"
            hint={words.untilHint(MAX_SILENCE_DAYS)}
            error={errors?.fields.get('until')}
          />
        )}
        {!only && (
          <SelectField
            label={words.what}
            value={what}
            onChange={setWhat}
            options={scopes.map(({ label }, index) => ({ value: String(index), label }))}
          />
        )}
        <TextField
          label={words.reason}
          name="reason"
          maxLength={MAX_REASON_LENGTH}
          autoComplete="off"
          hint={words.reasonHint}
          error={errors?.fields.get('reason')}
        />
        {mayLeaveOut(scope) && (
          <CheckField
            label={words.unlearned}
            name="unlearned"
            hint={words.unlearnedHint(MAX_UNLEARNED_DAYS)}
            error={errors?.fields.get('learn')}
          />
        )}
        <FormActions submit={words.submit} busy={isPending} submitRef={confirm} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
