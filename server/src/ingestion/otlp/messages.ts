import type { MessageTable } from './wire.ts';

/*
 * The messages of OTLP 1.x by their numbers in opentelemetry-proto, as far as they are read. Numbers of a released
 * message never change.
 */

const ANY_VALUE: MessageTable = {
  1: { name: 'stringValue', form: 'text' },
  2: { name: 'boolValue', form: 'bool' },
  3: { name: 'intValue', form: 'int' },
  4: { name: 'doubleValue', form: 'double' },
  7: { name: 'bytesValue', form: 'base64' },
};
const KEY_VALUE: MessageTable = {
  1: { name: 'key', form: 'text' },
  2: { name: 'value', form: ANY_VALUE },
};
// A value may hold values.
ANY_VALUE[5] = { name: 'arrayValue', form: { 1: { name: 'values', form: ANY_VALUE, repeated: true } } };
ANY_VALUE[6] = { name: 'kvlistValue', form: { 1: { name: 'values', form: KEY_VALUE, repeated: true } } };

const RESOURCE: MessageTable = { 1: { name: 'attributes', form: KEY_VALUE, repeated: true } };

const SCOPE: MessageTable = {
  1: { name: 'name', form: 'text' },
  2: { name: 'version', form: 'text' },
  3: { name: 'attributes', form: KEY_VALUE, repeated: true },
};

const LOG_RECORD: MessageTable = {
  1: { name: 'timeUnixNano', form: 'time' },
  2: { name: 'severityNumber', form: 'int' },
  3: { name: 'severityText', form: 'text' },
  5: { name: 'body', form: ANY_VALUE },
  6: { name: 'attributes', form: KEY_VALUE, repeated: true },
  9: { name: 'traceId', form: 'hex' },
  10: { name: 'spanId', form: 'hex' },
  11: { name: 'observedTimeUnixNano', form: 'time' },
  12: { name: 'eventName', form: 'text' },
};

const SPAN_EVENT: MessageTable = {
  1: { name: 'timeUnixNano', form: 'time' },
  2: { name: 'name', form: 'text' },
  3: { name: 'attributes', form: KEY_VALUE, repeated: true },
};

const SPAN: MessageTable = {
  1: { name: 'traceId', form: 'hex' },
  2: { name: 'spanId', form: 'hex' },
  5: { name: 'name', form: 'text' },
  6: { name: 'kind', form: 'int' },
  9: { name: 'attributes', form: KEY_VALUE, repeated: true },
  11: { name: 'events', form: SPAN_EVENT, repeated: true },
};

/** Request of an export whose items are decoded one by one. */
function exportRequest(resources: string, scopes: string, items: string): MessageTable {
  const scope: MessageTable = {
    1: { name: 'scope', form: SCOPE },
    2: { name: items, form: 'raw', repeated: true },
  };
  const resource: MessageTable = {
    1: { name: 'resource', form: RESOURCE },
    2: { name: scopes, form: scope, repeated: true },
  };
  return { 1: { name: resources, form: resource, repeated: true } };
}

/** Kind of an export: names of its lists, and messages of Protocol Buffers. */
export interface Signal {
  path: string;
  /** Name of one item. */
  kind: string;
  /** Kind of an item without an event in the ledger, as Sentry names it. */
  category: string;
  resources: string;
  scopes: string;
  items: string;
  request: MessageTable;
  item: MessageTable;
  /** Name of the number of rejected items in an answer. */
  rejected: string;
}

export const LOGS: Signal = {
  path: '/v1/logs',
  kind: 'log record',
  category: 'log_item',
  resources: 'resourceLogs',
  scopes: 'scopeLogs',
  items: 'logRecords',
  request: exportRequest('resourceLogs', 'scopeLogs', 'logRecords'),
  item: LOG_RECORD,
  rejected: 'rejectedLogRecords',
};

export const TRACES: Signal = {
  path: '/v1/traces',
  kind: 'span',
  category: 'span',
  resources: 'resourceSpans',
  scopes: 'scopeSpans',
  items: 'spans',
  request: exportRequest('resourceSpans', 'scopeSpans', 'spans'),
  item: SPAN,
  rejected: 'rejectedSpans',
};
