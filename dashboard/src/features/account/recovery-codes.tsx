import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { DialogActions } from '../../ui/layout/dialog.tsx';
import { texts } from './texts.ts';

const words = texts.recoveryCodes;

/** The recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n');
  return (
    <>
      <div className="rounded-md border border-line-strong bg-warn-soft p-4">
        <p className="mb-3">
          <strong className="font-semibold">{words.saveNow}</strong> {words.what}
        </p>
        <ul
          aria-label={words.name}
          className="mb-3 grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-4 gap-y-1 font-mono text-sm"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <CopyButton text={text} label={words.copy} />
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download={words.fileName}
            className="text-accent underline"
          >
            {words.download}
          </a>
        </div>
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </>
  );
}
