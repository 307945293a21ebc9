import type { RouteOptions } from 'fastify';
import { ApiError } from '../platform/errors.ts';

/** Knows which methods each path takes, so that a wrong method is a 405 with `Allow` and not a 404. */
export class RouteMethods {
  readonly #patterns = new Map<string, { expression: RegExp; methods: Set<string> }>();

  add(route: RouteOptions): void {
    const known = this.#patterns.get(route.url);
    const methods = known?.methods ?? new Set<string>();
    for (const method of [route.method].flat()) methods.add(method.toUpperCase());
    if (!known) this.#patterns.set(route.url, { expression: toExpression(route.url), methods });
  }

  /** The error for a request that no route takes. */
  refusal(method: string, url: string): ApiError {
    const path = url.split('?', 1)[0] ?? '';
    const methods = new Set<string>();
    for (const pattern of this.#patterns.values()) {
      if (pattern.expression.test(path)) for (const allowed of pattern.methods) methods.add(allowed);
    }
    if (methods.size === 0) return new ApiError('not_found', 'There is nothing at this address.');
    const allow = [...methods].toSorted().join(', ');
    return new ApiError('method_not_allowed', `${method} is not allowed here; ${allow} is.`, {
      headers: { allow },
    });
  }
}

/** `/projects/:id` and `/app/*` as an expression over a whole path. */
function toExpression(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source}$`);
}
