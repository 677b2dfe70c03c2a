/** Server-sent events (HTML standard, 9.2), written as fast as the client reads them. */
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { oncePerPlatform, type Platform } from '../platform.ts';

/** One event; `data` is sent as JSON. */
export interface ServerEvent {
  readonly event?: string;
  readonly data: unknown;
}

/**
 * The events of an answer. `signal` aborts when the client no longer reads: it has disconnected, or the process
 * drains. A source that waits for anything but a read must pass it on.
 */
export type EventSource = AsyncIterable<ServerEvent>;

/** Interval of comments, in ms. They keep proxies from closing a silent stream. */
const HEARTBEAT_MS = 15_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Tells nginx to pass on each event at once.
  'x-accel-buffering': 'no',
} as const;

const openStreams = oncePerPlatform((platform) => {
  const open = new Set<Readable>();
  platform.metrics.gauge('tessera_event_streams', 'Event streams open.', async () => open.size);
  return open;
});

/** The content of an answer of events. */
export interface EventAnswer {
  readonly open: (signal: AbortSignal) => Promise<EventSource> | EventSource;
  /** Makes the last event after a failure: by then the status has been sent. */
  readonly describe: (error: unknown) => object;
  /** True if the events end by themselves: then a drain waits for the end, as for any answer. */
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
  // The `close` event is emitted once, possibly before this line.
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
