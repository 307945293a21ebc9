import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Group, SilenceRecord } from '../../../lib/api-types.ts';
import { queryClient } from '../../../lib/queries.ts';
import { TIME_ZONE } from '../../../lib/time-zone.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Form, FormActions } from '../../../ui/forms/form.tsx';
import { Dialog } from '../../../ui/layout/dialog.tsx';
import { endSilence, silenceGroup } from '../queries.ts';
import { texts } from '../texts.ts';
import { muteChoices } from './mute-choices.ts';

const words = texts.silence;

/** Stops the messages of the selected groups for a time: a silence has one group, so that each gets its own. */
export function SilenceDialog({ groups, onClose }: { groups: readonly Group[]; onClose: () => void }) {
  const [choices] = useState(() =>
    muteChoices(Date.now(), TIME_ZONE).flatMap(({ label, patch: { muteUntil } }) =>
      muteUntil ? [{ label, value: muteUntil }] : [],
    ),
  );
  const [until, setUntil] = useState(choices[0]?.value ?? '');
  const { mutate, isPending } = useMutation({
    mutationFn: () => silenceEach(groups, until),
    onSettled: onClose,
  });
  return (
    <Dialog title={words.dialog(groups.length)} onClose={onClose}>
      <Form errors={null} onSubmit={() => mutate()}>
        <p className="text-sm text-text-muted">{words.intro}</p>
        <SelectField label={words.length} value={until} onChange={setUntil} options={choices} />
        <FormActions submit={words.submit} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Silences groups one after the other, as many as can be selected. Says which, and how to undo it, and names those that failed. */
async function silenceEach(groups: readonly Group[], until: string): Promise<void> {
  const done: SilenceRecord[] = [];
  const failed: string[] = [];
  let reason = '';
  for (const group of groups) {
    try {
      done.push(await silenceGroup(group, until));
    } catch (error) {
      failed.push(group.key);
      reason ||= error instanceof Error ? error.message : '';
    }
  }
  if (done.length > 0)
    showToast(
      <span className="flex items-center gap-3">
        {words.done(done.length)}
        <Button onClick={() => void endAll(done)}>{texts.change.undo}</Button>
      </span>,
    );
  if (failed.length > 0) showToast(words.failed(failed.join(', '), reason));
  await queryClient.invalidateQueries({ queryKey: ['silences'] });
}

async function endAll(silences: readonly SilenceRecord[]): Promise<void> {
  try {
    for (const { id } of silences) await endSilence(id);
  } catch (error) {
    if (error instanceof Error) showToast(error.message);
  }
  await queryClient.invalidateQueries({ queryKey: ['silences'] });
}
