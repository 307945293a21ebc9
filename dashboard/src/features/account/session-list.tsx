import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { request } from '../../lib/api.ts';
import type { OwnSession } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Alert, QueryState } from '../../ui/feedback/states.tsx';
import { describeDevice } from './describe-device.ts';
import { texts } from './texts.ts';

const words = texts.sessionList;

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request<OwnSession[]>('GET', '/auth/sessions', { signal }),
});

/** The sessions of the user; all but the current one can be ended. */
export function SessionList() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (id: string) => request('DELETE', `/auth/sessions/${id}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const endOthers = useMutation({
    mutationFn: () => request('DELETE', '/auth/sessions'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const refusal = end.error ?? endOthers.error;
  if (!sessions) {
    return <QueryState query={{ error, refetch }} rows={2} />;
  }
  return (
    <>
      {refusal && <Alert>{refusal.message}</Alert>}
      <ul aria-label={words.sessions} className="border-t border-line">
        {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt, current }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
            <div className="min-w-0 flex-1 basis-56">
              <p className="wrap-anywhere">
                <span title={userAgent ?? undefined}>
                  {describeDevice(userAgent) ?? words.unknownBrowser}
                </span>
                {current && <span className="text-text-muted"> {words.thisSession}</span>}
              </p>
              <p className="text-sm wrap-anywhere text-text-muted">
                {address ?? words.unknownAddress} {words.loggedIn} <RelativeTime at={createdAt} />{' '}
                {words.lastSeen} <RelativeTime at={lastSeenAt} />
              </p>
            </div>
            {!current && (
              <Button busy={end.isPending && end.variables === id} onClick={() => end.mutate(id)}>
                {words.endSession}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button className="mt-3" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {words.endOthers}
        </Button>
      )}
    </>
  );
}
