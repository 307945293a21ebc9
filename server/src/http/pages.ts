import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../platform/errors.ts';
import { decodeUuid } from '../platform/ids.ts';

/**
 * Reads a cursor. Lists are read from the newest on. A cursor is the last id of a page, opaque to clients; the next
 * page begins strictly after it, so that pages neither overlap nor skip while new rows arrive.
 */
export function readCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const uuid = decodeUuid(cursor);
  if (uuid) return uuid;
  throw new ApiError('validation_failed', 'query/cursor does not come from a list.', {
    fields: [{ pointer: '/cursor', message: 'does not come from a list' }],
  });
}

/**
 * Cuts rows that were read with one more than the page holds, and names the next page in a `Link` header.
 * @param page `publicUrl` as the `baseUrl` of `linkNextPage`
 */
export function pageOf<T extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  rows: T[],
  { limit, publicUrl }: { limit: number; publicUrl: URL | null },
): T[] {
  if (rows.length <= limit) return rows;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (last) linkNextPage(request, reply, last.id, publicUrl);
  return page;
}

/**
 * Names the page after the row with this id in a `Link` header.
 * @param baseUrl public address of the service; null: the address of the request, or none if that is not an address
 */
export function linkNextPage(
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  baseUrl: URL | null,
): void {
  const base = baseUrl?.href ?? `${request.protocol}://${request.host}`;
  const known = URL.canParse(request.url, base);
  const url = new URL(request.url, known ? base : 'http://localhost');
  url.searchParams.set('cursor', id.slice(id.indexOf('_') + 1));
  reply.header('link', `<${known ? url.href : `${url.pathname}${url.search}`}>; rel="next"`);
}

/** Bounds of a list: its size without a `limit`, and its maximum. */
interface PageBounds {
  usual?: number;
  maximum?: number;
}

/** The part of a list that a query asks for. */
export function readPage(
  { limit, cursor }: { limit?: number; cursor?: string },
  { usual = 50, maximum }: PageBounds = {},
): { limit: number; cursor: string | null } {
  return { limit: pageSize(limit ?? usual, maximum), cursor: readCursor(cursor) };
}

/** A list's `limit`: a larger one is cut to the maximum, as the contract says. */
export function pageSize(limit: number, maximum = 500): number {
  return Math.min(limit, maximum);
}
