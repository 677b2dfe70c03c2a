/**
 * Answers of many items that may be megabytes each. They are read portion by portion, each when there is memory for it and
 * the client has taken the one before, as text that goes out as it is: nobody parses it here. The answers of a process
 * share one budget of bytes, tenants in turn, apart from that of outside work: who reads slowly holds up no mail.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { FairQueue, type Leave } from '../work-queue/fair-queue.ts';

const BUDGET_BYTES = 64 * 1024 * 1024;
/** Of a portion: as the database sends it, as text of at most two bytes a character, and as it goes out. */
const COPIES = 4;
/** How long a portion may wait for memory, and its client take to read it, milliseconds. */
const WITHIN_MS = 120_000;
/** What is handed to the connection at once, bytes: so much of a portion may be unsent when the next is read. */
const SLICE_BYTES = 64 * 1024;

const budget = oncePerPlatform(() => new FairQueue({ inAll: BUDGET_BYTES, perTarget: BUDGET_BYTES / 2 }));

/** Some items; reading them takes memory for so many bytes, none for what was read before. */
export interface Portion {
  readonly octets: number;
  /** The items as JSON texts. */
  readonly read: () => Promise<readonly string[]>;
}

/** All portions of an answer, or each when the one before has been read: of more items than a list of them should be kept. */
type Portions = readonly Portion[] | AsyncIterable<Portion>;

/** What is read at once unless one item has more, bytes. */
const PORTION_OCTETS = 1024 * 1024;

/** Portions of items in their order: those of 0 bytes are at hand, and `read` is never given both kinds. */
export function toPortions<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  read: (items: readonly Item[]) => Promise<readonly string[]>,
): Portion[] {
  const groups: { octets: number; readonly items: Item[] }[] = [];
  for (const item of items) {
    const octets = bytesOf(item);
    const last = groups.at(-1);
    const isAlike = last !== undefined && last.octets > 0 === octets > 0;
    if (!isAlike || last.octets + octets > PORTION_OCTETS) groups.push({ octets, items: [item] });
    else {
      last.octets += octets;
      last.items.push(item);
    }
  }
  return groups.map(({ octets, items: group }) => ({ octets, read: () => read(group) }));
}

/** Takes memory for so many bytes of an answer, of which several copies are made. @throws Error when there is none in time. */
export async function takeAnswerMemory(platform: Platform, tenantId: string, octets: number): Promise<Leave> {
  const size = octets * COPIES;
  const entry = { tenantId, targetId: tenantId, size, lane: 0, maxWaitMs: WITHIN_MS };
  const leave = await budget(platform).enter(entry);
  if (leave === null) throw new Error('There was no memory for the next items in time.');
  return leave;
}

/** What a handler gives instead of its answer when that is large: an array, or an object with the array as a member. */
export class LargeAnswer {
  readonly #tenantId: string;
  readonly #portions: Portions;
  readonly #envelope: object | null;
  readonly #member: string;

  /** `envelope`: what the object has beside its items, which are its `member`. */
  constructor(tenantId: string, portions: Portions, envelope: object | null = null, member = 'results') {
    this.#tenantId = tenantId;
    this.#portions = portions;
    this.#envelope = envelope;
    this.#member = member;
  }

  /** Sends it. What fails on the way ends the connection, as the status is told by then. */
  send(platform: Platform, reply: FastifyReply): FastifyReply {
    const out = new PassThrough();
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    this.#write(platform, out, gone.signal).catch((error: unknown) => {
      if (!gone.signal.aborted)
        platform.observe({ event: 'background.failed', task: 'send a large answer', error });
      reply.raw.destroy();
      out.destroy();
    });
    return reply.header('content-type', 'application/json; charset=utf-8').send(out);
  }

  async #write(platform: Platform, out: PassThrough, gone: AbortSignal): Promise<void> {
    const begin = this.#envelope === null ? '[' : `{${JSON.stringify(this.#member)}:[`;
    let before = begin;
    for await (const { octets, read } of this.#portions) {
      gone.throwIfAborted();
      const leave = await this.#takeMemory(platform, octets);
      try {
        const texts = await read();
        if (texts.length === 0) continue;
        const bytes = Buffer.from(before + texts.join(','));
        before = ',';
        // The other copies are gone.
        leave(Math.min(octets, bytes.length));
        await writeSlowly(out, bytes, AbortSignal.any([gone, AbortSignal.timeout(WITHIN_MS)]));
      } finally {
        leave();
      }
    }
    out.end(`${before === ',' ? '' : begin}${endOf(this.#envelope)}`);
  }

  async #takeMemory(platform: Platform, octets: number): Promise<Leave> {
    return octets === 0 ? () => {} : takeAnswerMemory(platform, this.#tenantId, octets);
  }
}

/** As fast as `out` is read. Rejects when `signal` ends. */
async function writeSlowly(out: PassThrough, bytes: Buffer, signal: AbortSignal): Promise<void> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES)
    if (!out.write(bytes.subarray(start, start + SLICE_BYTES))) await once(out, 'drain', { signal });
}

/** What stands behind the items. */
function endOf(envelope: object | null): string {
  if (envelope === null) return ']';
  const members = JSON.stringify(envelope).slice(1, -1);
  return members === '' ? ']}' : `],${members}}`;
}
