import { describe } from './clean/describe.ts';
import { MAX_ANSWER_CHARACTERS } from './clean/limits.ts';
import { read } from './clean/read.ts';
import type { Runtime } from './runtime.ts';

export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}

export type HttpAnswer =
  | { kind: 'answer'; status: number; retryAfter: string | null; text: string }
  | { kind: 'timeout' }
  | { kind: 'network'; detail: string };

/**
 * Sends one POST, which is answered or abandoned within `timeoutMs` even if fetch ignores its signal. Never rejects.
 * The body of the answer is always read or cancelled, so that the connection can be used again.
 */
export async function post(request: HttpRequest, timeoutMs: number, runtime: Runtime): Promise<HttpAnswer> {
  const controller = new AbortController();
  let cancelTimer = (): void => {};
  const timeout = new Promise<HttpAnswer>((resolve) => {
    cancelTimer = runtime.startTimer(timeoutMs, () => {
      resolve({ kind: 'timeout' });
      controller.abort();
    });
  });
  try {
    return await Promise.race([exchange(request, controller.signal, runtime), timeout]);
  } finally {
    cancelTimer();
  }
}

async function exchange(request: HttpRequest, signal: AbortSignal, runtime: Runtime): Promise<HttpAnswer> {
  try {
    const { url, headers, body } = request;
    // A redirect is not followed: it would send the key to another address.
    const response = await runtime.fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    const { status } = response;
    return {
      kind: 'answer',
      status,
      retryAfter: response.headers.get('retry-after'),
      text: await readText(response),
    };
  } catch (error) {
    return { kind: 'network', detail: networkDetail(error) };
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_ANSWER_CHARACTERS) {
      await reader.cancel();
      return '';
    }
  }
}

const MAX_DETAIL_LENGTH = 300;

/** Describes a network error by the code of its cause, such as `ECONNREFUSED`: Node itself only says "fetch failed". */
function networkDetail(error: unknown): string {
  const cause = read(error, 'cause');
  return describe(read(cause, 'code') ?? read(cause, 'message') ?? error, MAX_DETAIL_LENGTH);
}
