import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/controls/button.tsx';
import { Empty, Failure } from '../ui/feedback/states.tsx';
import { Page } from '../ui/layout/page.tsx';

/** A page that failed while it was drawn, or whose code could not be loaded. */
export function RouteFailure({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  return (
    <Page title="Something went wrong">
      <Failure error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    </Page>
  );
}

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        title="Page not found"
        action={
          <Link to="/" className={buttonClass('primary')}>
            Open overview
          </Link>
        }
      />
    </Page>
  );
}
