import { useState } from 'react';
import type { ScheduleRecord } from '../../lib/api-types.ts';
import { ConfirmDialog } from '../../ui/layout/confirm-dialog.tsx';
import { PingAddress } from './ping-address.tsx';
import { replacePingUrl } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.replace;

/** Asks before an address is replaced: the job cannot check in until it has the new one. */
export function ReplaceAddress({ schedule, onClose }: { schedule: ScheduleRecord; onClose: () => void }) {
  const [pingUrl, setPingUrl] = useState<string | null>(null);
  const { name, cron } = schedule;
  if (pingUrl !== null) return <PingAddress {...{ name, cron, pingUrl, onClose }} />;
  return (
    <ConfirmDialog
      title={words.title(name)}
      confirm={words.confirm}
      action={() => replacePingUrl(schedule)}
      onSuccess={(answer) => setPingUrl(answer.pingUrl)}
      onClose={onClose}
    >
      <p>{words.consequence}</p>
    </ConfirmDialog>
  );
}
