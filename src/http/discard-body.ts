import type { IncomingMessage } from 'node:http';

/** A client that goes on sending for longer, or more, is cut off without reading its answer. */
const LONGEST_MS = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads and forgets the rest of a body that was refused for its size. Most clients read no answer before they have
 * sent everything: a connection closed earlier would show them a broken pipe instead of the 413.
 */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    let seen = 0;
    const timer = setTimeout(resolve, LONGEST_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      if (seen > MOST_BYTES) done();
    });
    request.once('end', done).once('close', done).once('error', done);
    request.resume();
  });
}
