import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/** Compiles with the first answer: the schemas of all routes would take a third of the time that the roles need to start. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let compiled: ((answer: unknown) => string) | null = null;
  return (answer) => {
    compiled ??= fastJsonStringify(schema);
    return compiled(answer);
  };
};
