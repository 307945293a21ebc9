import { useMutation, useQuery } from '@tanstack/react-query';
import { useIsOwner } from '../../lib/members/use-is-owner.ts';
import { serviceQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert, Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { AlertsPage } from '../../ui/layout/alerts/alerts-page.tsx';
import { heldQuery, processHeld, readNotificationsAgain, routesQuery, targetsQuery } from './queries.ts';
import { RouteList } from './route-list.tsx';
import { TargetList } from './target-list.tsx';
import { texts } from './texts.ts';

const words = texts.page;

/** The targets of notifications, and the routes to them. */
export function NotificationsPage() {
  const targets = useQuery(targetsQuery);
  const routes = useQuery(routesQuery);
  const { data: service } = useQuery(serviceQuery);
  const isOwner = useIsOwner();
  const failed = targets.error ?? routes.error;
  return (
    <AlertsPage title={words.title}>
      <p className="mb-4 max-w-prose text-text-muted">
        {words.intro} {isOwner === false && words.memberHint}
      </p>
      {service?.publicUrl === null && <p className="mb-4 max-w-prose text-sm">{words.noPublicUrl}</p>}
      {targets.data && routes.data ? (
        <>
          <FailingTargets names={failingNames(targets.data)} />
          <HeldMessages isOwner={isOwner === true} />
          <TargetList targets={targets.data} isOwner={isOwner === true} />
          <RouteList routes={routes.data} targets={targets.data} isOwner={isOwner === true} />
        </>
      ) : failed ? (
        <Failure
          error={failed}
          onRetry={() => {
            void targets.refetch();
            void routes.refetch();
          }}
        />
      ) : (
        <Skeleton rows={6} />
      )}
    </AlertsPage>
  );
}

function failingNames(targets: { name: string; health: { state: string; disabledReason: string | null } }[]) {
  return targets
    .filter(({ health }) => health.state === 'failing' || health.disabledReason !== null)
    .map(({ name }) => name);
}

function FailingTargets({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <Alert>
      {words.failing(names.join(', '))} {words.failingHint}
    </Alert>
  );
}

function HeldMessages({ isOwner }: { isOwner: boolean }) {
  const { data } = useQuery(heldQuery);
  const processing = useMutation({ mutationFn: processHeld, onSettled: readNotificationsAgain });
  if (!data || data.held === 0) return null;
  return (
    <div className="my-2 flex flex-wrap items-center gap-2 rounded-md border border-line-strong bg-muted px-3 py-2 text-sm">
      <p className="min-w-0 flex-1 basis-64">{words.held(data.held)}</p>
      {processing.error && <Alert>{processing.error.message}</Alert>}
      {isOwner && (
        <>
          <Button busy={processing.isPending} onClick={() => processing.mutate('release')}>
            {words.release}
          </Button>
          <Button variant="ghost" busy={processing.isPending} onClick={() => processing.mutate('drop')}>
            {words.drop}
          </Button>
        </>
      )}
    </div>
  );
}
