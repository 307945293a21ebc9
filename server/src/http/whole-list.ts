import { Type } from 'typebox';
import { Cursor } from './schemas.ts';

/** As many as a page can hold, and as an organization can have: such a list comes whole unless a page is asked for. */
export const WHOLE_LIST = 500;

/** The query of a list that is short by the limits of what it lists. */
export const WholeListQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: WHOLE_LIST,
      description: `Rows on a page. Above ${WHOLE_LIST} it is cut to ${WHOLE_LIST}.`,
    }),
  ),
  cursor: Type.Optional(Cursor),
});
