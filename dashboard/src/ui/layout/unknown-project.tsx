import { Link } from '@tanstack/react-router';
import { buttonClass } from '../controls/button.tsx';
import { Empty } from '../feedback/states.tsx';
import { texts } from '../texts.ts';
import { Page } from './page.tsx';

const words = texts.unknownProject;

/** Shown in place of a project's page if there is no such project. */
export function UnknownProject() {
  return (
    <Page title={words.title}>
      <NoSuchProject />
    </Page>
  );
}

/** Says that there is no such project, and leads to those that there are. */
export function NoSuchProject() {
  return (
    <Empty
      sign="lost"
      title={words.none}
      action={
        <Link to="/projects" className={buttonClass('primary')}>
          {words.all}
        </Link>
      }
    >
      {words.why}
    </Empty>
  );
}
