import { measureConstants } from '../sizing/constants.ts';
import { measureWorkers } from '../sizing/workers.ts';
import { measureBefore } from './before.ts';
import { measureBulk } from './bulk.ts';
import { measureDelays } from './delays.ts';
import { measureDeletion } from './delete-project.ts';
import { measureEnvelopes } from './envelopes.ts';
import { measureErasure, measureLargeErasures } from './erase-user.ts';
import { measureExpiry } from './expire.ts';
import { measureFanOut } from './fan-out.ts';
import { measureFootprint } from './footprint.ts';
import { measureGrowth } from './growth.ts';
import type { Part } from './options.ts';
import { measureOtlp } from './otlp.ts';
import { measureOverload } from './overload.ts';
import { measureProcesses } from './processes.ts';
import { measureQuietProject } from './quiet-project.ts';
import { measureReady } from './ready.ts';
import type { Measure } from './row.ts';
import { measureScrubShare } from './scrub-share.ts';
import { measureScrubbing } from './scrubbing.ts';
import { measureSdk } from './sdk.ts';
import { measureSingleEvents } from './single-events.ts';
import { measureSourceMaps } from './source-maps.ts';

/** The parts of the table, in its order. */
export const PARTS: Record<string, Part<Measure>> = {
  single: {
    about: 'single events, accepted and stored, beside a bare server and Fastify on BullMQ',
    measure: measureSingleEvents,
  },
  bulk: { about: 'NDJSON of 500 events, stored and indexed, beside PostgreSQL alone', measure: measureBulk },
  otlp: { about: 'OTLP logs in batches of 512, stored and indexed', measure: measureOtlp },
  envelopes: {
    about: 'envelopes of one event of a Sentry client, accepted and stored',
    measure: measureEnvelopes,
  },
  scrubbing: {
    about: 'secrets are looked for and replaced, by the function alone',
    measure: measureScrubbing,
  },
  'scrub-share': {
    about: 'accepting single events, with scrubbing and in turn without',
    measure: measureScrubShare,
  },
  sdk: { about: 'the client library: a loop, and callers that await', measure: measureSdk },
  delays: { about: 'accepted → readable, threshold → frame at the client', measure: measureDelays },
  footprint: { about: 'disk and log an event, idle memory and CPU', measure: measureFootprint },
  overload: { about: '12,000 connections of three projects', measure: measureOverload },
  'fan-out': { about: '1,000 WebSockets of 50 organizations', measure: measureFanOut },
  delete: { about: 'a project of a million events is deleted', measure: measureDeletion },
  erase: {
    about: 'a user of 100,000 of a million events is erased',
    measure: measureErasure,
    isLong: true,
  },
  'erase-large': {
    about: 'users of 10,000 to 1,000,000 of ten million events are erased',
    measure: measureLargeErasures,
    isLong: true,
  },
  expire: {
    about: 'a project of a hundred keeps its events for a day',
    measure: measureExpiry,
    isLong: true,
  },
  ready: { about: 'npm start, until the service is ready', measure: measureReady },
  before: {
    about: 'accepting and storing, in turn with an earlier version',
    measure: measureBefore,
    isLong: true,
    needs: 'commit',
  },
  growth: {
    about: 'storing and reading beside few and many stored events',
    measure: measureGrowth,
    isLong: true,
    needs: 'data',
  },
  processes: {
    about: '1, 2 and 4 ingestion processes on one PostgreSQL',
    measure: measureProcesses,
    isLong: true,
  },
  constants: {
    about: 'the costs from which docs/sizing.md computes machines',
    measure: measureConstants,
    isLong: true,
  },
  workers: { about: 'two workers against one, on one queue', measure: measureWorkers, isLong: true },
  quiet: { about: 'a quiet project beside a noisy one', measure: measureQuietProject },
  maps: {
    about: 'single events while source maps are uploaded',
    measure: measureSourceMaps,
    isLong: true,
  },
};
