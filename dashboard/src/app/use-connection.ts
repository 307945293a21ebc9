import { onlineManager, type Query } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient, sessionQuery } from '../lib/queries.ts';
import { realtime } from '../lib/realtime.ts';

/** Returns false for what only users repeat: the library itself spares such queries only once they have an answer. */
const isRenewed = ({ observers }: Query) => observers.every(({ options }) => options.staleTime !== 'static');

realtime.onLive((again) => {
  // The system may report that it is offline although the service runs on the same computer.
  onlineManager.setOnline(true);
  // On the first connection only data read while it was being opened can be out of date.
  void queryClient.invalidateQueries(again ? { predicate: isRenewed } : { queryKey: ['incidents'] });
});
// Without a session the answer leads to the login; any other answer changes nothing.
realtime.onPossibleSessionEnd(() => {
  queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false }).catch(() => {});
});

/** Connects a page before it is drawn: data that it reads afterwards need not be read again. */
export const connect = (): void => realtime.start();

/** Keeps the page connected, and its data current across interruptions. */
export function useConnection(): void {
  useEffect(() => {
    connect();
    return () => realtime.stop();
  }, []);
}
