import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';

/** Limits after which a client that is still sending is disconnected without a response. */
const MAX_MS = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of a body that was refused for its size. Most clients read no response before they have
 * sent everything: closing the connection earlier would show them a broken pipe instead of the 413.
 */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const tooMuch = new AbortController();
  let seen = 0;
  request.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen > MAX_BYTES) tooMuch.abort();
  });
  const signal = AbortSignal.any([tooMuch.signal, AbortSignal.timeout(MAX_MS)]);
  await finished(request, { signal }).catch(() => {});
}
