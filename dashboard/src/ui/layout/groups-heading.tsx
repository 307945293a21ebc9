import { Link } from '@tanstack/react-router';
import { texts } from '../texts.ts';

const PLACES = ['groups', 'releases'] as const;

/** The heading of the groups and the releases, which stand side by side: each leads to the other. */
export function GroupsHeading({ page }: { page: (typeof PLACES)[number] }) {
  return (
    <div className="mr-1 flex gap-3">
      {PLACES.map((place) =>
        place === page ? (
          <h1 key={place}>{texts.headings[place]}</h1>
        ) : (
          <Link
            key={place}
            to={`/${place}`}
            className="text-lg font-semibold text-text-muted hover:text-text"
          >
            {texts.headings[place]}
          </Link>
        ),
      )}
    </div>
  );
}
