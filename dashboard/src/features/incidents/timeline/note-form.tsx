import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef } from 'react';
import { MAX_NOTE_LENGTH } from '../../../../../server/src/incidents/limits.ts';
import { ApiError } from '../../../lib/api.ts';
import { useDraft } from '../../../lib/draft.ts';
import { queryClient } from '../../../lib/queries.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Alert } from '../../../ui/feedback/states.tsx';
import { addNote, incidentQuery } from '../queries.ts';
import { texts } from '../texts.ts';

/** The form that adds a note to the timeline. */
export function NoteForm({ incidentId }: { incidentId: string }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useShortcuts([{ keys: 'n', label: texts.keys.note, run: () => field.current?.focus() }]);
  const [note, changeNote] = useDraft(`note ${incidentId}`);
  const adding = useMutation({
    networkMode: 'always',
    mutationFn: (text: string) => addNote(incidentId, text),
    onSuccess: (incident, text) => {
      queryClient.setQueryData(incidentQuery(incidentId).queryKey, incident);
      // Keeps text that was typed meanwhile.
      changeNote((typed) => (typed === text ? '' : typed));
    },
  });
  const add = () => {
    if (note.trim() !== '' && !adding.isPending) adding.mutate(note);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Escape leaves the field and keeps the note.
      event.preventDefault();
      field.current?.blur();
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    add();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {texts.timeline.note}
      </label>
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          id={id}
          aria-keyshortcuts="n"
          rows={2}
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          placeholder={texts.timeline.noteHint}
          onChange={(event) => changeNote(() => event.target.value)}
          onKeyDown={onKeyDown}
          className="max-h-60 min-h-13 w-full min-w-0 resize-y rounded-md border border-line-strong bg-raised px-2 py-1 text-base text-text"
        />
        <Button
          type="submit"
          busy={adding.isPending}
          disabled={note.trim() === ''}
          title={texts.timeline.addKeys}
        >
          {texts.timeline.addNote}
        </Button>
      </div>
      {adding.error && (
        <Alert>{adding.error instanceof ApiError ? adding.error.message : texts.timeline.noteFailed}</Alert>
      )}
    </form>
  );
}
