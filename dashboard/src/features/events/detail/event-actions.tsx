import { useQuery } from '@tanstack/react-query';
import type { Event } from '../../../lib/api-types.ts';
import { serviceQuery } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Icon, type IconName } from '../../../ui/display/icons.tsx';
import type { ChangeSearch } from '../filters/use-event-search.ts';
import { isFindable } from '../filters/value-name.ts';
import { texts } from '../texts.ts';
import { curlCommand } from './curl-command.ts';

/** The icons in the head of the panel: links to related events, and copies. */
export function EventActions({ event, onFilter }: { event: Event; onFilter: ChangeSearch }) {
  const { data: service } = useQuery(serviceQuery);
  const { correlationId, fingerprint } = event;
  const name = isFindable(event) ? 'correlation' : 'correlation_id';
  return (
    <>
      {correlationId !== fingerprint && (
        <Action
          icon="link"
          label={texts.event.sameCorrelation}
          onClick={() => onFilter({ [name]: correlationId }, { alone: true })}
        />
      )}
      <Action
        icon="stack"
        label={texts.event.sameFingerprint}
        onClick={() => onFilter({ fingerprint }, { alone: true })}
      />
      <CopyButton
        variant="ghost"
        icon="copy"
        label={texts.event.copyJson}
        text={() => JSON.stringify(event, null, 2)}
      />
      {service && (
        <CopyButton
          variant="ghost"
          icon="terminal"
          label={texts.event.copyCurl}
          text={() => curlCommand(event, service.ingestUrl)}
        />
      )}
    </>
  );
}

function Action({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <Button variant="ghost" className="px-2!" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </Button>
  );
}
