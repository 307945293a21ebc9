import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NotifiedBrowser } from '../../lib/api-types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RowMenu } from '../../ui/controls/row-menu.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Alert, Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import {
  browsersQuery,
  isSentToBrowsersQuery,
  readBrowsersAgain,
  removeBrowser,
  testBrowser,
  thisBrowserQuery,
} from './browser-queries.ts';
import { describeDevice } from './describe-device.ts';
import { texts } from './texts.ts';
import { findObstacle, switchOn } from './this-browser.ts';

const words = texts.browsers;

/** The browsers in which the user is notified, and the button that adds this one. */
export function BrowserNotifications({ userId }: { userId: string }) {
  const browsers = useQuery(browsersQuery);
  const here = useQuery(thisBrowserQuery);
  const { data: isSent } = useQuery(isSentToBrowsersQuery(userId));
  const failed = browsers.error ?? here.error;
  return (
    <Section title={words.title}>
      <p className="mb-3 max-w-xl text-sm text-text-muted">{words.intro}</p>
      {browsers.data && !here.isPending ? (
        <>
          {browsers.data.length > 0 && (
            <BrowserList browsers={browsers.data} hereId={here.data?.id ?? null} />
          )}
          {here.error ? <Alert>{here.error.message}</Alert> : !here.data && <ThisBrowser />}
          {isSent === false && browsers.data.length > 0 && (
            <p className="mt-3 max-w-xl text-sm">
              {words.notSent}{' '}
              <Link to="/alerts/destinations" className="text-accent underline">
                {words.notSentLink}
              </Link>
            </p>
          )}
        </>
      ) : failed ? (
        <Failure error={failed} onRetry={() => void readBrowsersAgain()} />
      ) : (
        <Skeleton rows={2} />
      )}
    </Section>
  );
}

/** Turns notifications on in this browser, or says why that is impossible. */
function ThisBrowser() {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: switchOn,
    onSuccess: readBrowsersAgain,
  });
  const obstacle = findObstacle();
  if (obstacle) {
    return (
      <p role="status" className="mt-3 max-w-xl text-sm">
        {words.obstacles[obstacle]}
      </p>
    );
  }
  return (
    <>
      <Button className="mt-3" busy={isPending} onClick={() => mutate()}>
        {words.notifyMe}
      </Button>
      {error && <Alert>{error.message}</Alert>}
      {data?.kind === 'undecided' && !isPending && <Alert>{words.undecided}</Alert>}
      {data?.kind === 'no push service' && !isPending && <Alert>{words.noPushService}</Alert>}
    </>
  );
}

function BrowserList({ browsers, hereId }: { browsers: NotifiedBrowser[]; hereId: string | null }) {
  return (
    <ul aria-label={words.list} className="border-t border-line">
      {browsers.map((browser) => (
        <BrowserRow key={browser.id} browser={browser} isHere={browser.id === hereId} />
      ))}
    </ul>
  );
}

function BrowserRow({ browser, isHere }: { browser: NotifiedBrowser; isHere: boolean }) {
  const { id, userAgent, host, state, lastFailure, lastSuccessAt, createdAt } = browser;
  const test = useMutation({ mutationFn: testBrowser, onSettled: readBrowsersAgain });
  const removal = useMutation({ mutationFn: removeBrowser, onSettled: readBrowsersAgain });
  const name = describeDevice(userAgent) ?? words.unknown;
  const refusal = test.error ?? removal.error;
  return (
    <li className="border-b border-line py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="wrap-anywhere">
            <span title={userAgent ?? undefined}>{name}</span>
            {isHere && <span className="text-text-muted"> {words.here}</span>}
          </p>
          <p className="text-sm wrap-anywhere text-text-muted">
            <span className={state === 'failing' ? 'font-semibold text-critical' : ''}>
              {words.states[state]}
            </span>
            {state === 'failing' && `: ${lastFailure ?? ''}`} · {words.by(host)} · {words.added}{' '}
            <RelativeTime at={createdAt} />
            {lastSuccessAt && (
              <>
                {' '}
                · {words.lastMessage} <RelativeTime at={lastSuccessAt} />
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {state !== 'logged_out' && (
            <Button aria-label={words.testNamed(name)} busy={test.isPending} onClick={() => test.mutate(id)}>
              {words.test}
            </Button>
          )}
          <RowMenu
            of={name}
            disabled={removal.isPending}
            last={{
              label: isHere ? words.switchOff : words.remove,
              onSelect: () => removal.mutate({ id, isHere }),
            }}
          />
        </div>
      </div>
      {refusal && <Alert>{refusal.message}</Alert>}
      {test.data && !test.isPending && (
        <p role="status" className={`mt-1 text-sm ${test.data.ok ? '' : 'font-semibold text-critical'}`}>
          {test.data.ok ? words.tested : words.testFailed(test.data.reason)}
        </p>
      )}
    </li>
  );
}
