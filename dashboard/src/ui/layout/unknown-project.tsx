import { Link } from '@tanstack/react-router';
import { buttonClass } from '../controls/button.tsx';
import { Empty } from '../feedback/states.tsx';
import { Page } from './page.tsx';

/** In the place of a project's page where there is no such project. */
export function UnknownProject() {
  return (
    <Page title="Project not found">
      <Empty
        title="No project here"
        action={
          <Link to="/projects" className={buttonClass('primary')}>
            All projects
          </Link>
        }
      >
        It may have been deleted, or it belongs to another organization.
      </Empty>
    </Page>
  );
}
