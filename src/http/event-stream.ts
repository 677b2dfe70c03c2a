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
 * The events of a response. `open` gets a signal that aborts when the client disconnects or the process drains. Pass it
 * to everything that an event waits for.
 */
export type ServerEvents = AsyncIterable<ServerEvent>;

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

/** A response that consists of events. */
export interface EventResponse {
  readonly open: (signal: AbortSignal) => Promise<ServerEvents> | ServerEvents;
  /** Creates the final event after a failure: the status has been sent by then. */
  readonly describe: (error: unknown) => object;
  /** True if the events end by themselves: a draining process then waits for their end. */
  readonly endsByItself: boolean;
}

/** Sends events until they end, the client disconnects or the process drains. */
export async function sendEvents(
  platform: Platform,
  reply: FastifyReply,
  { open, describe, endsByItself }: EventResponse,
): Promise<FastifyReply> {
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort());
  // The `close` event is emitted once, possibly before this line.
  if (reply.raw.destroyed) disconnected.abort();
  const signal = endsByItself
    ? disconnected.signal
    : AbortSignal.any([disconnected.signal, platform.drain.signal]);
  const events = await open(signal);
  const out = new PassThrough();
  const streams = openStreams(platform);
  streams.add(out);
  out.once('close', () => streams.delete(out));
  void pump(events, out, signal, describe);
  return reply.headers(HEADERS).send(out);
}

/** Writes events to the response as fast as the client reads. Never rejects. */
async function pump(
  events: ServerEvents,
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
