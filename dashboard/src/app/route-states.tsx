import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/controls/button.tsx';
import { Empty, Failure } from '../ui/feedback/states.tsx';
import { Page } from '../ui/layout/page.tsx';
import { texts as shared } from '../ui/texts.ts';
import { texts } from './texts.ts';

const words = texts.states;

/** A page that failed while it was drawn, or whose code could not be loaded. */
export function RouteFailure({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  return (
    <Page title={shared.failed}>
      <Failure error={error} onRetry={reset} />
    </Page>
  );
}

export function NotFound() {
  return (
    <Page title={words.notFound}>
      <Empty
        sign="lost"
        title={words.pageNotFound}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {words.openOverview}
          </Link>
        }
      />
    </Page>
  );
}
