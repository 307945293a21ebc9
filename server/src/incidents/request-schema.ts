import { type Static, Type } from 'typebox';
import { MAX_SEARCH_LENGTH } from '../events/limits.ts';
import { Severity } from '../events/severity.ts';
import { Cursor, IdText, Limit, Name } from '../http/schemas.ts';
import { MAX_NOTE_LENGTH } from './limits.ts';
import { Status } from './schema.ts';

const IncidentSort = Type.Enum(['newest', 'severity'], {
  default: 'newest',
  description: '`severity`: the worst first, and of equal ones the newest.',
});
export type IncidentSort = Static<typeof IncidentSort>;

export const IncidentQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
  status: Type.Optional(Status),
  sort: Type.Optional(IncidentSort),
  q: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_LENGTH,
      description:
        'A text in the title, in the sentence that says why it opened, or in the name of the project, in any case.',
    }),
  ),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export const TimelineQuery = Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) });

export const PreviousQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, default: 5, description: 'Above 20 it is cut to 20.' })),
});

export const IncidentCountsQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
});

export const IncidentId = Type.Object({ id: IdText });

export const NewIncident = Type.Object({
  title: Name('Short description'),
  severity: Severity,
  projectId: Type.String({ maxLength: 256 }),
  status: Type.Optional(Type.Enum(['open', 'investigating'], { default: 'open' })),
});

export const IncidentPatch = Type.Object({
  status: Type.Optional(Status),
  title: Type.Optional(Name('Short description')),
  severity: Type.Optional(Severity),
});

export const NewNote = Type.Object({
  note: Type.String({ minLength: 1, maxLength: MAX_NOTE_LENGTH, pattern: '\\S', description: 'Plain text.' }),
});
