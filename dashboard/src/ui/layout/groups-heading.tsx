import { Link } from '@tanstack/react-router';
import { texts } from '../texts.ts';

type Place = 'groups' | 'releases';

/** The heading of the groups and the releases, each before a link to the other. */
export function GroupsHeading({ page }: { page: Place }) {
  const other: Place = page === 'groups' ? 'releases' : 'groups';
  return (
    <div className="mr-1 flex items-baseline gap-3">
      <h1>{texts.headings[page]}</h1>
      <Link to={`/${other}`} className="text-lg font-semibold text-text-muted hover:text-text">
        {texts.headings[other]}
      </Link>
    </div>
  );
}
