import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { SecretField, SecretFrame } from '../../ui/forms/secret-field.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { texts } from './texts.ts';

const words = texts.created;

interface PingAddressProps {
  name: string;
  cron: string | null;
  pingUrl: string;
  onClose: () => void;
}

/** The address at which a job checks in, which is shown only once, and how to use it. */
export function PingAddress({ name, cron, pingUrl, onClose }: PingAddressProps) {
  const line = words.line(cron ?? '0 * * * *', pingUrl);
  return (
    <Dialog key="shown" title={words.title(name)} onClose={onClose}>
      <SecretFrame title={words.copyNow} text={words.secret}>
        <SecretField label={words.address} value={pingUrl} copy={words.copyAddress} />
      </SecretFrame>
      <div className="mt-4 flex items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{words.crontab}</h3>
        <CopyButton text={line} label={words.copyLine} />
      </div>
      <pre
        tabIndex={0}
        className="mt-2 overflow-x-auto rounded-md border border-line bg-muted p-3 font-mono text-sm"
      >
        <code>{line}</code>
      </pre>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
