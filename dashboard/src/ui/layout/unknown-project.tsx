import { Link } from '@tanstack/react-router';
import { buttonClass } from '../controls/button.tsx';
import { Empty } from '../feedback/states.tsx';
import { Page } from './page.tsx';

/** In the place of a project's page where there is no such project. */
export function UnknownProject() {
  return (
    <Page title="Project not found">
      <Empty
        title="There is no such project"
        action={
          <Link to="/projects" className={buttonClass('primary')}>
            Go to the projects
          </Link>
        }
      >
        It may have been deleted, or belong to another organization.
      </Empty>
    </Page>
  );
}
