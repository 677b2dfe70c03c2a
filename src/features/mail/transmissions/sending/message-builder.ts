/**
 * Builds the messages of one transmission that were claimed together, group by group. A group reserves memory for the
 * peak of its messages before it reads or renders anything; afterwards a message keeps only the memory of its bytes
 * until it is sent.
 */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import type { Release } from '../../../../work-queue/fair-queue.ts';
import { reserveMemory } from '../../../../work-queue/memory-budget.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import type { RenderResult } from '../../email-templates/index.ts';
import { LANES } from '../tables.ts';
import { attachmentsOf, fetchRemoteFiles } from './attachments.ts';
import { type BuiltMessage, buildMessage, type ComingParts } from './build-message.ts';
import { BYTES_PER_DATA_BYTE, BYTES_PER_MESSAGE, madeBytes, mayHaveRemoteFiles } from './message-bytes.ts';
import type { LoadedMessage, LoadedTransmission, MessageNote, TransmissionHead } from './queries.ts';

/** A built message, or the outcome of this attempt. */
export type Made = BuiltMessage | Outcome<MessageNote>;

/** The inputs of building messages. */
export interface BuilderOptions {
  readonly platform: Platform;
  readonly head: Pick<TransmissionHead, 'tenant_id' | 'id' | 'transactional' | 'message_bytes'>;
  readonly messages: readonly LoadedMessage[];
  /** Returns the URLs of remote files. */
  readonly findFileUrls: () => Promise<readonly string[]>;
  /** Reads the transmission with its content; undefined if it was deleted. */
  readonly read: () => Promise<LoadedTransmission | undefined>;
  readonly sender: (transmission: LoadedTransmission) => ComingParts['sender'];
  /** Renders messages of about this many characters in total, at least the first one. */
  readonly render: (
    transmission: LoadedTransmission,
    messages: readonly LoadedMessage[],
    maxCharacters: number,
  ) => Promise<readonly RenderResult[]>;
}

/** The longest time from the claim of messages until those without memory are returned, in ms. */
const MAKE_WITHIN_MS = 20_000;
/** Size of a group, unless one message is larger. */
const GROUP_BYTES = 16 * 1024 * 1024;
const GROUP_CHARACTERS = 4 * 1024 * 1024;
/** Number of transmissions whose message size is remembered. */
const REMEMBERED = 1000;

/** The memory of a transmission's largest message so far. */
const largest = oncePerPlatform(() => new LRUCache<string, number>({ max: REMEMBERED }));

/** Builds some messages, starting when the first of them is requested. */
export class Making {
  readonly #parts: BuilderOptions;
  readonly #made: ReadonlyMap<string, PromiseWithResolvers<Made>>;
  readonly #memory = new Map<string, GroupMemory>();
  readonly #endAt = performance.now() + MAKE_WITHIN_MS;
  #waiting: readonly LoadedMessage[];
  #isBegun = false;

  constructor(parts: BuilderOptions) {
    this.#parts = parts;
    this.#waiting = parts.messages;
    this.#made = new Map(parts.messages.map(({ id }) => [id, Promise.withResolvers<Made>()]));
    // The attempt, which may begin later, handles a failure.
    for (const { promise } of this.#made.values()) promise.catch(() => {});
  }

  /** Returns one of the messages. Rejects on an internal error. */
  async made(id: string): Promise<Made> {
    if (!this.#isBegun) this.#run();
    this.#isBegun = true;
    return this.#made.get(id)?.promise ?? { kind: 'drop' };
  }

  /** Releases a message's memory. */
  release(id: string): void {
    this.#memory.get(id)?.keep(id, 0);
    this.#memory.delete(id);
  }

  /** Never rejects, because nothing awaits it. */
  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && (await this.#makeNext()));
      for (const { id } of this.#waiting) this.#made.get(id)?.resolve({ kind: 'returned' });
    } catch (error) {
      for (const { reject } of this.#made.values()) reject(error);
    }
  }

  /** Builds the next group; false when there was no memory in time, or the process stops. */
  async #makeNext(): Promise<boolean> {
    const { platform, head, read, render, sender } = this.#parts;
    const known = largest(platform).get(head.id);
    const each = known ?? head.message_bytes;
    // The size is unknown until one message has been built.
    const wanted = known === undefined ? this.#waiting.slice(0, 1) : firstOf(this.#waiting, each);
    // Fetched before reserving memory, which others must not wait for while a remote server is slow.
    if (!(await this.#fetchFiles())) return false;
    if (!(await this.#takeMemory(wanted, each))) return false;
    const transmission = await read();
    if (transmission === undefined) {
      for (const { id } of this.#waiting) this.#made.get(id)?.resolve({ kind: 'drop' });
      this.#waiting = [];
      return true;
    }
    const attachments = attachmentsOf(platform, transmission);
    const results = await render(transmission, wanted, GROUP_CHARACTERS);
    for (const { id } of wanted.slice(results.length)) this.release(id);
    const group = wanted.slice(0, results.length);
    this.#waiting = this.#waiting.slice(group.length);
    const making = group.map((message, index) => {
      const rendered = results[index];
      return (
        rendered && this.#make({ message, transmission, rendered, attachments, sender: sender(transmission) })
      );
    });
    if (known === undefined) await Promise.all(making);
    return true;
  }

  /** Returns false when no download slot was free in time. */
  async #fetchFiles(): Promise<boolean> {
    const { platform, head, findFileUrls } = this.#parts;
    return !mayHaveRemoteFiles(head.message_bytes) || fetchRemoteFiles(platform, head, findFileUrls);
  }

  async #takeMemory(group: readonly LoadedMessage[], each: number): Promise<boolean> {
    const { platform, head } = this.#parts;
    const bytes = new Map(group.map((message) => [message.id, bytesOf(message, each)]));
    const total = bytes.values().reduce((sum, taken) => sum + taken, 0);
    const release = await reserveMemory(platform, {
      tenantId: head.tenant_id,
      lane: head.transactional ? LANES.transactional : LANES.bulk,
      bytes: total,
      maxWaitMs: this.#endAt - performance.now(),
    });
    if (release === null) return false;
    const memory = new GroupMemory(release, bytes, total);
    for (const { id } of group) this.#memory.set(id, memory);
    // Messages that a stopping process has not begun are left to other processes.
    return !platform.drain.started;
  }

  /** Never rejects. */
  async #make(parts: ComingParts): Promise<void> {
    const { platform, head } = this.#parts;
    const { id } = parts.message;
    const ready = this.#made.get(id);
    try {
      const made = await buildMessage(platform, parts);
      const mimeBytes = 'mime' in made ? made.mime.length : 0;
      const taken = Math.max(largest(platform).get(head.id) ?? 0, madeBytes(mimeBytes));
      largest(platform).set(head.id, taken);
      this.#memory.get(id)?.keep(id, mimeBytes + BYTES_PER_MESSAGE);
      ready?.resolve(made);
    } catch (error) {
      ready?.reject(error);
    }
  }
}

/** The memory for building a message: `each` for any message of the transmission, and its own data. */
function bytesOf({ left_out }: LoadedMessage, each: number): number {
  return each + left_out * BYTES_PER_DATA_BYTE;
}

/** The messages of the next group, at least the first one. */
function firstOf(messages: readonly LoadedMessage[], each: number): readonly LoadedMessage[] {
  let bytes = 0;
  const end = messages.findIndex((message, place) => {
    bytes += bytesOf(message, each);
    return place > 0 && bytes > GROUP_BYTES;
  });
  return end === -1 ? messages : messages.slice(0, end);
}

/** The memory of a group, shared by its messages. */
class GroupMemory {
  readonly #release: Release;
  readonly #bytes: Map<string, number>;
  #total: number;

  constructor(release: Release, bytes: Map<string, number>, total: number) {
    this.#release = release;
    this.#bytes = bytes;
    this.#total = total;
  }

  keep(id: string, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(id) ?? 0);
    this.#bytes.set(id, bytes);
    this.#release(this.#total);
  }
}
