/**
 * Responses with many items that may be megabytes each. Chunks are read one by one, when there is memory and the
 * client has read the one before, as JSON text that is sent without parsing. All responses of a process share one part
 * of its memory, and tenants take turns.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { reserveMemory } from '../memory/reserve-memory.ts';
import type { Platform } from '../platform.ts';
import type { Release } from '../work-queue/fair-queue.ts';

/** Copies of a chunk: as the database sends it, as text of up to two bytes per character, and as it is sent. */
const COPIES = 4;
/** How long a chunk may wait for memory, and how long its client may take to read it, in ms. */
const MAX_WAIT_MS = 120_000;
/** Size of a write to the connection, bytes: this much of a chunk may be unsent when the next chunk is read. */
const SLICE_BYTES = 64 * 1024;

/** Some items and the memory that reading them needs, 0 bytes if they are in memory already. */
export interface Chunk {
  readonly size: number;
  /** Returns the items as JSON texts. */
  readonly read: () => Promise<readonly string[]>;
}

/** The chunks of a response, as a list or one by one if a list would be too long. */
type Chunks = readonly Chunk[] | AsyncIterable<Chunk>;

/** Size of a chunk unless a single item is larger, bytes. */
const CHUNK_BYTES = 1024 * 1024;

/** Groups items into chunks in order. Items of 0 bytes are in memory; `read` is never given both kinds. */
export function toChunks<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  read: (items: readonly Item[]) => Promise<readonly string[]>,
): Chunk[] {
  const groups: { size: number; readonly items: Item[] }[] = [];
  for (const item of items) {
    const size = bytesOf(item);
    const last = groups.at(-1);
    const isAlike = last !== undefined && last.size > 0 === size > 0;
    if (!isAlike || last.size + size > CHUNK_BYTES) groups.push({ size, items: [item] });
    else {
      last.size += size;
      last.items.push(item);
    }
  }
  return groups.map(({ size, items: group }) => ({ size, read: () => read(group) }));
}

/**
 * Waits for memory for this many bytes of a response, of which several copies are made. @throws Error after a timeout.
 */
export async function reserveResponseMemory(
  platform: Platform,
  tenantId: string,
  size: number,
): Promise<Release> {
  const release = await reserveMemory(platform, 'largeRecords', {
    tenantId,
    bytes: size * COPIES,
    maxWaitMs: MAX_WAIT_MS,
  });
  if (release === null) throw new Error('There was not enough memory for the next items in time.');
  return release;
}

/** A large response, returned by a handler: an array, or an object with the array as a member. */
export class LargeResponse {
  readonly #tenantId: string;
  readonly #chunks: Chunks;
  readonly #envelope: object | null;
  readonly #member: string;

  /** `envelope` has the object's other members; the items are its `member`. */
  constructor(tenantId: string, chunks: Chunks, envelope: object | null = null, member = 'results') {
    this.#tenantId = tenantId;
    this.#chunks = chunks;
    this.#envelope = envelope;
    this.#member = member;
  }

  /** Sends the response. A failure on the way ends the connection, as the status has been sent. */
  send(platform: Platform, reply: FastifyReply): FastifyReply {
    const out = new PassThrough();
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    this.#write(platform, out, gone.signal).catch((error: unknown) => {
      if (!gone.signal.aborted)
        platform.observe({ event: 'background.failed', task: 'send a large response', error });
      reply.raw.destroy();
      out.destroy();
    });
    return reply.header('content-type', 'application/json; charset=utf-8').send(out);
  }

  async #write(platform: Platform, out: PassThrough, gone: AbortSignal): Promise<void> {
    const begin = this.#envelope === null ? '[' : `{${JSON.stringify(this.#member)}:[`;
    let before = begin;
    for await (const { size, read } of this.#chunks) {
      gone.throwIfAborted();
      const release = await this.#reserveMemory(platform, size);
      try {
        const texts = await read();
        if (texts.length === 0) continue;
        const bytes = Buffer.from(before + texts.join(','));
        before = ',';
        // The other copies are no longer in memory.
        release(Math.min(size, bytes.length));
        await writeSlowly(out, bytes, AbortSignal.any([gone, AbortSignal.timeout(MAX_WAIT_MS)]));
      } finally {
        release();
      }
    }
    out.end(`${before === ',' ? '' : begin}${endOf(this.#envelope)}`);
  }

  async #reserveMemory(platform: Platform, size: number): Promise<Release> {
    return size === 0 ? () => {} : reserveResponseMemory(platform, this.#tenantId, size);
  }
}

/** Writes as fast as `out` is read. Rejects when `signal` aborts. */
async function writeSlowly(out: PassThrough, bytes: Buffer, signal: AbortSignal): Promise<void> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES)
    if (!out.write(bytes.subarray(start, start + SLICE_BYTES))) await once(out, 'drain', { signal });
}

/** The text after the items. */
function endOf(envelope: object | null): string {
  if (envelope === null) return ']';
  const members = JSON.stringify(envelope).slice(1, -1);
  return members === '' ? ']}' : `],${members}}`;
}
