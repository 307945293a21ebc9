import { useQuery } from '@tanstack/react-query';
import type { DeadLetterRecord } from '../../../lib/api-types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../../ui/layout/dialog.tsx';
import { deadLetterQuery } from './queries.ts';
import { texts as words } from './texts.ts';

/** Maximum characters that are drawn of an event, which may have a megabyte. */
const MAX_SHOWN_LENGTH = 50_000;

interface DeadLetterProps {
  projectId: string;
  letter: DeadLetterRecord;
  onClose: () => void;
}

/** Shows what was sent. */
export function DeadLetter({ projectId, letter, onClose }: DeadLetterProps) {
  const { data, error, refetch } = useQuery(deadLetterQuery(projectId, letter.id));
  return (
    <Dialog title={words.event} onClose={onClose}>
      {!data && <QueryState query={{ error, refetch }} rows={4} />}
      {data && (data.event ? <Json value={data.event} /> : <p>{words.unreadable}</p>)}
      <DialogActions>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Json({ value }: { value: object }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <>
      <pre className="max-h-96 overflow-auto font-mono text-xs whitespace-pre-wrap">
        {text.slice(0, MAX_SHOWN_LENGTH)}
      </pre>
      {text.length > MAX_SHOWN_LENGTH && <p className="text-sm text-text-muted">{words.cut}</p>}
    </>
  );
}
