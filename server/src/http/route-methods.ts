import type { RouteOptions } from 'fastify';
import Router, { type HTTPMethod } from 'find-my-way';
import { ApiError } from '../platform/errors.ts';

/**
 * Knows the methods of each path, so that a wrong method is a 405 with `Allow` and not a 404. It is the router of the
 * framework over the same routes: a path is parsed the same whether its method is right or wrong. An id of any length
 * fits, as an id that no client has.
 */
export class RouteMethods {
  readonly #router = Router({ maxParamLength: Number.POSITIVE_INFINITY });
  readonly #methods = new Set<HTTPMethod>();

  add(route: RouteOptions): void {
    for (const name of [route.method].flat()) {
      // The framework has refused every other name.
      const method = name.toUpperCase() as HTTPMethod;
      this.#router.on(method, route.url, () => undefined);
      this.#methods.add(method);
    }
  }

  /** The error for a request that no route accepts. */
  refusal(method: string, url: string): ApiError {
    const methods = [...this.#methods].filter((known) => this.#takes(known, url));
    if (methods.length === 0) return new ApiError('not_found', 'There is nothing at this address.');
    const allow = methods.toSorted().join(', ');
    return new ApiError('method_not_allowed', `${method} is not allowed here; ${allow} is.`, {
      headers: { allow },
    });
  }

  /**
   * True if a route accepts the method. An id that is missing (`/projects/`) matches in the router, but is no
   * address; behind `/app/` nothing need follow.
   */
  #takes(method: HTTPMethod, url: string): boolean {
    const route = this.#router.find(method, url);
    if (route === null) return false;
    return Object.entries(route.params).every(([name, value]) => name === '*' || value !== '');
  }
}
