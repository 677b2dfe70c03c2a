/** Answers that go on: server-sent events (HTML standard, 9.2), written as fast as the client reads them. */
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { oncePerPlatform, type Platform } from '../platform.ts';

/** One event; `data` travels as JSON. */
export interface ServerEvent {
  readonly event?: string;
  readonly data: unknown;
}

/**
 * The events of an answer. `signal` ends when nobody reads any more: the client has gone, or the process drains. Whoever
 * waits for something else than a read meanwhile passes it on.
 */
export type EventSource = AsyncIterable<ServerEvent>;

/** A comment so often keeps proxies from taking a silent stream for a dead one, milliseconds. */
const HEARTBEAT_MS = 15_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Of nginx: pass each event on at once.
  'x-accel-buffering': 'no',
} as const;

const openStreams = oncePerPlatform((platform) => {
  const open = new Set<Readable>();
  platform.metrics.gauge('tessera_event_streams', 'Event streams open.', async () => open.size);
  return open;
});

/** What an answer of events is made of. */
export interface EventAnswer {
  readonly open: (signal: AbortSignal) => Promise<EventSource> | EventSource;
  /** The last event of what fails on the way: by then the status has been sent. */
  readonly describe: (error: unknown) => object;
  /** Whether the events come to an end by themselves: then a drain waits for it, as for any answer. */
  readonly endsByItself: boolean;
}

/** Answers with events until they end, the client goes away or the process drains. */
export async function sendEvents(
  platform: Platform,
  reply: FastifyReply,
  { open, describe, endsByItself }: EventAnswer,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  // That is told once, and may have been before this.
  if (reply.raw.destroyed) gone.abort();
  const signal = endsByItself ? gone.signal : AbortSignal.any([gone.signal, platform.drain.signal]);
  const events = await open(signal);
  const out = new PassThrough();
  const streams = openStreams(platform);
  streams.add(out);
  out.once('close', () => streams.delete(out));
  void pump(events, out, signal, describe);
  return reply.headers(HEADERS).send(out);
}

/** Never rejects. */
async function pump(
  events: EventSource,
  out: PassThrough,
  signal: AbortSignal,
  describe: (error: unknown) => object,
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (!out.writableNeedDrain) out.write(': \n\n');
  }, HEARTBEAT_MS);
  const end = () => {
    clearInterval(heartbeat);
    if (!out.writableEnded) out.end();
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  // Shows the client that it is connected.
  else out.write(': \n\n');
  try {
    for await (const event of events) {
      if (signal.aborted) break;
      if (!out.write(frame(event))) await once(out, 'drain', { signal });
    }
  } catch (error) {
    if (!signal.aborted) out.write(frame({ event: 'error', data: describe(error) }));
  }
  end();
}

function frame({ event, data }: ServerEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}
