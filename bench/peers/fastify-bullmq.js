import { Queue } from 'bullmq';
import fastify from 'fastify';
import { Redis } from 'ioredis';

/*
 * A service as people would build it: a Fastify route that checks a key and puts the body into a BullMQ queue on Redis, and answers 202
 * once Redis has it. It stores nothing in a database. Schemas of Fastify, which favour it, are there; automatic
 * pipelining of ioredis is not, since it made this slower (11,200 in place of 15,400 a second, 64 connections, 5 rounds).
 * Usage: node fastify-bullmq.js REDIS_PORT API_KEY
 */
const [redisPort, apiKey] = [Number(process.argv[2]), process.argv[3]];
const connection = new Redis({ host: '127.0.0.1', port: redisPort, maxRetriesPerRequest: null });
const queue = new Queue('events', { connection, defaultJobOptions: { removeOnComplete: true } });

const app = fastify();
app.post(
  '/ingest/events',
  {
    schema: {
      response: {
        202: { type: 'object', properties: { jobId: { type: 'string' }, status: { type: 'string' } } },
      },
      body: {
        type: 'object',
        required: ['type', 'severity', 'message', 'source'],
        properties: {
          type: { type: 'string', maxLength: 200 },
          severity: { enum: ['INFO', 'WARN', 'ERROR', 'CRITICAL'] },
          message: { type: 'string', maxLength: 4000 },
          source: { type: 'string', maxLength: 200 },
          correlation: { type: 'object', additionalProperties: { type: 'string' } },
          payload: { type: 'object' },
        },
      },
    },
  },
  async (request, reply) => {
    if (request.headers['x-api-key'] !== apiKey) return reply.code(401).send({ code: 'unauthenticated' });
    const job = await queue.add('event', request.body);
    return reply.code(202).send({ jobId: job.id, status: 'queued' });
  },
);
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`listening ${app.server.address().port}\n`);
