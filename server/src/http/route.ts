import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { type Static, type TNull, type TSchema, Type } from 'typebox';
import type { HttpApp } from './http-app.ts';

/** An endpoint as its resource declares it: its schemas validate, type and document it. */
interface Endpoint<
  Dependencies,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends TSchema,
> extends Pick<FastifySchema, 'security'> {
  summary: string;
  description: string;
  params?: Params;
  querystring?: Query;
  body?: Body;
  /** Schema of the answer; without it the answer is empty, with the status 204. */
  answer?: Answer;
  /** Status of the answer; 200 by default. */
  status?: 201 | 202;
  config?: FastifyContextConfig;
  /** True: the reference does not list it. */
  hide?: boolean;
  handle: (
    request: FastifyRequest<{ Params: Static<Params>; Querystring: Static<Query>; Body: Static<Body> }>,
    dependencies: Dependencies,
    reply: FastifyReply,
  ) => Result<Answer> | Promise<Result<Answer>>;
}

type Result<Answer extends TSchema> = Answer extends TNull ? void : Static<Answer>;

/** Registers one endpoint; its handler gets the dependencies. */
export type Route<Dependencies> = (app: HttpApp, dependencies: Dependencies) => void;

/**
 * Declares endpoints, by method.
 * @param tag the name of their group in the reference
 */
export function routesOf<Dependencies>(tag: string) {
  return {
    get: declare<Dependencies>('GET', tag),
    post: declare<Dependencies>('POST', tag),
    put: declare<Dependencies>('PUT', tag),
    patch: declare<Dependencies>('PATCH', tag),
    delete: declare<Dependencies>('DELETE', tag),
  };
}

const Nothing = Type.Null();

function declare<Dependencies>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', tag: string) {
  return <
    Params extends TSchema = TSchema,
    Query extends TSchema = TSchema,
    Body extends TSchema = TSchema,
    Answer extends TSchema = TNull,
  >(
    url: string,
    endpoint: Endpoint<Dependencies, Params, Query, Body, Answer>,
  ): Route<Dependencies> =>
    (app, dependencies) => {
      const { answer = Nothing, config = {}, handle, ...described } = endpoint;
      const { status = endpoint.answer ? 200 : 204, ...schemas } = described;
      const schema: FastifySchema = { ...schemas, tags: [tag], response: { [status]: answer } };
      app.route({
        method,
        url,
        config,
        schema,
        handler: async (request, reply) => {
          reply.code(status);
          // The schemas have validated what the type says.
          const answered = await handle(request as Parameters<typeof handle>[0], dependencies, reply);
          return answered ?? null;
        },
      });
    };
}

export function registerRoutes<Dependencies>(
  app: HttpApp,
  routes: readonly Route<NoInfer<Dependencies>>[],
  dependencies: Dependencies,
): void {
  for (const register of routes) register(app, dependencies);
}
