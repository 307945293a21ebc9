import { Link } from '@tanstack/react-router';
import { SeverityGlyph } from '../ui/display/glyphs.tsx';
import { RelativeTime } from '../ui/display/relative-time.tsx';
import { useHistory } from './news-history.ts';
import { texts } from './texts.ts';

const words = texts.history;

/** The last notices of incidents. @param close closes the surrounding panel */
export function NewsList({ close }: { close: () => void }) {
  const { entries } = useHistory();
  return (
    <>
      <p className="px-2 pt-1 text-xs text-text-muted">{words.title}</p>
      {entries.length === 0 ? (
        <p className="px-2 py-2 text-sm text-text-muted">{words.none}</p>
      ) : (
        <ul aria-label={words.title} className="max-h-96 overflow-y-auto">
          {entries.map(({ id, atMs, incidentId, headline, severity, title, project }) => (
            <li key={id}>
              <Link
                to="/incidents/$incidentId"
                params={{ incidentId }}
                onClick={close}
                className="block rounded px-2 py-1.5 text-sm hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className="flex items-baseline gap-2">
                  <SeverityGlyph severity={severity} />
                  <span className="font-medium">{headline}</span>
                  {project && <span className="min-w-0 truncate text-text-muted">{project}</span>}
                  <RelativeTime
                    at={new Date(atMs).toISOString()}
                    className="ml-auto text-xs text-text-muted"
                  />
                </span>
                <span className="line-clamp-2 wrap-anywhere text-text-muted">{title}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Link
        to="/incidents"
        onClick={close}
        className="rounded px-2 py-1.5 text-sm text-accent hover:bg-hover"
      >
        {words.all}
      </Link>
    </>
  );
}
