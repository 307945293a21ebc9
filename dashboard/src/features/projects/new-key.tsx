import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { texts } from './texts.ts';

const words = texts.newKey;

/** A new key, which is shown only once. */
export function NewKey({ rawKey }: { rawKey: string }) {
  return (
    <div className="rounded-md border border-line-strong bg-warn-soft p-4">
      <p className="mb-3">
        <strong className="font-semibold">{words.copyNow}</strong> {words.secret}
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label={words.apiKey}
          className="min-w-0 flex-1 basis-64 [&_input]:font-mono"
          value={rawKey}
          readOnly
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={rawKey} label={words.copyKey} />
      </div>
    </div>
  );
}
