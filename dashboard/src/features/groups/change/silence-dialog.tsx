import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Group } from '../../../lib/api-types.ts';
import { queryClient } from '../../../lib/queries.ts';
import { TIME_ZONE } from '../../../lib/time-zone.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Form, FormActions } from '../../../ui/forms/form.tsx';
import { Dialog } from '../../../ui/layout/dialog.tsx';
import { endSilence, silenceGroup } from '../queries.ts';
import { texts } from '../texts.ts';
import { doEach } from './do-each.ts';
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
  const [stop] = useState(() => new AbortController());
  const { mutate, isPending } = useMutation({
    mutationFn: () => silenceEach(groups, until, stop.signal),
    // After a cancel another dialog may be open, which stays.
    onSettled: () => {
      if (!stop.signal.aborted) onClose();
    },
  });
  const cancel = () => {
    stop.abort();
    onClose();
  };
  return (
    <Dialog title={words.dialog(groups.length)} onClose={cancel}>
      <Form errors={null} onSubmit={() => mutate()}>
        <p className="text-sm text-text-muted">{words.intro}</p>
        <SelectField label={words.length} value={until} onChange={setUntil} options={choices} />
        <FormActions submit={words.submit} busy={isPending} onCancel={cancel} />
      </Form>
    </Dialog>
  );
}

/** A silence, with the key of its group. */
interface GroupSilence {
  key: string;
  id: string;
}

/** Silences groups one after the other, as many as can be selected. Says which, and how to undo it, and names those that failed. */
async function silenceEach(groups: readonly Group[], until: string, signal: AbortSignal): Promise<void> {
  const silence = async (group: Group) => ({ key: group.key, id: (await silenceGroup(group, until)).id });
  const { done, failed, reason } = await doEach(groups, silence, signal);
  if (done.length > 0) {
    const dismiss = showToast(
      <span className="flex items-center gap-3">
        {words.done(done.length)}
        <Button
          onClick={() => {
            dismiss();
            void endEach(done);
          }}
        >
          {texts.change.undo}
        </Button>
      </span>,
    );
  }
  if (failed.length > 0) showToast(words.failed(failed.join(', '), reason));
  await queryClient.invalidateQueries({ queryKey: ['silences'] });
}

async function endEach(silences: readonly GroupSilence[]): Promise<void> {
  const { done, failed, reason } = await doEach(silences, ({ id }) => endSilence(id));
  if (done.length > 0) showToast(words.ended(done.length));
  if (failed.length > 0) showToast(words.notEnded(failed.join(', '), reason));
  await queryClient.invalidateQueries({ queryKey: ['silences'] });
}
