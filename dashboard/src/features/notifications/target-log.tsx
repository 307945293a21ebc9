import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery, NotificationTarget } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DeliveryList } from '../../ui/delivery/delivery-list.tsx';
import { LoadMore } from '../../ui/feedback/load-more.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { targetLogQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.log;

interface TargetLogProps {
  target: NotificationTarget;
  onClose: () => void;
}

/** The messages sent to a target, with its answers. */
export function TargetLog({ target: { id, name }, onClose }: TargetLogProps) {
  const log = useInfiniteQuery(targetLogQuery(id));
  const deliveries = log.data?.pages.flatMap(({ items }) => items);
  return (
    <Dialog title={words.title(name)} onClose={onClose}>
      {!deliveries && <QueryState query={log} rows={4} />}
      {deliveries?.length === 0 && <p className="text-text-muted">{words.none}</p>}
      {deliveries && deliveries.length > 0 && (
        <>
          <DeliveryList
            label={words.title(name)}
            deliveries={deliveries}
            lead={(each) => <Subject {...each} />}
          />
          <LoadMore list={log} end={words.end} />
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Subject({ subject: { kind, id } }: Delivery) {
  const name = words.open(kind);
  if (kind === 'digest') return <>{name}</>;
  if (kind === 'group') {
    return (
      <Link to="/groups/$groupId" params={{ groupId: id }} className="underline">
        {name}
      </Link>
    );
  }
  return (
    <Link to="/incidents/$incidentId" params={{ incidentId: id }} className="underline">
      {name}
    </Link>
  );
}
