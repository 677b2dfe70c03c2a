/**
 * Makes the messages of one transmission that were claimed together, group by group. A group takes memory for what its
 * messages are at their greatest before anything of it is read or rendered; of that a message keeps what its bytes need
 * until they are handed over.
 */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import type { Leave } from '../../../../work-queue/fair-queue.ts';
import { takeMemory } from '../../../../work-queue/memory-budget.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import type { RenderResult } from '../../email-templates/index.ts';
import { LANES } from '../tables.ts';
import { attachmentsOf, fetchFarFiles } from './attachments.ts';
import { type ComingParts, type MadeMessage, makeMessage } from './make-message.ts';
import { BYTES_PER_MESSAGE, madeBytes, mayHaveFarFiles, PER_DATA_OCTET } from './message-bytes.ts';
import type { LoadedMessage, LoadedTransmission, MessageNote, TransmissionHead } from './queries.ts';

/** A message as it goes out, or the end of this attempt. */
export type Made = MadeMessage | Outcome<MessageNote>;

/** What is made of what. */
export interface MakingParts {
  readonly platform: Platform;
  readonly head: Pick<TransmissionHead, 'tenant_id' | 'id' | 'transactional' | 'message_bytes'>;
  readonly messages: readonly LoadedMessage[];
  /** The URLs of files that are fetched from elsewhere. */
  readonly findFileUrls: () => Promise<readonly string[]>;
  /** Reads what is sent; undefined when it is gone. */
  readonly read: () => Promise<LoadedTransmission | undefined>;
  readonly sender: (transmission: LoadedTransmission) => ComingParts['sender'];
  /** Renders as many of the messages as have about so many characters together: the first of them at least. */
  readonly render: (
    transmission: LoadedTransmission,
    messages: readonly LoadedMessage[],
    maxCharacters: number,
  ) => Promise<readonly RenderResult[]>;
}

/** From the claim of messages until those that there was no memory for are returned, milliseconds. */
const MAKE_WITHIN_MS = 20_000;
/** What is made together, unless one message has more. */
const GROUP_BYTES = 16 * 1024 * 1024;
const GROUP_CHARACTERS = 4 * 1024 * 1024;
/** Transmissions of which it is remembered how large their messages are. */
const REMEMBERED = 1000;

/** What the largest message of a transmission took so far. */
const largest = oncePerPlatform(() => new LRUCache<string, number>({ max: REMEMBERED }));

/** The making of some messages; it begins when the first of them is asked for. */
export class Making {
  readonly #parts: MakingParts;
  readonly #made: ReadonlyMap<string, PromiseWithResolvers<Made>>;
  readonly #memory = new Map<string, GroupMemory>();
  readonly #endAt = performance.now() + MAKE_WITHIN_MS;
  #waiting: readonly LoadedMessage[];
  #isBegun = false;

  constructor(parts: MakingParts) {
    this.#parts = parts;
    this.#waiting = parts.messages;
    this.#made = new Map(parts.messages.map(({ id }) => [id, Promise.withResolvers<Made>()]));
    // Its attempt, which may begin later, deals with a failure.
    for (const { promise } of this.#made.values()) promise.catch(() => {});
  }

  /** One of the messages. Rejects when it could not be made by a fault of ours. */
  async made(id: string): Promise<Made> {
    if (!this.#isBegun) this.#run();
    this.#isBegun = true;
    return this.#made.get(id)?.promise ?? { kind: 'drop' };
  }

  /** Lets go of a message's memory. */
  release(id: string): void {
    this.#memory.get(id)?.keep(id, 0);
    this.#memory.delete(id);
  }

  /** Never rejects: nobody waits for it. */
  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && (await this.#makeNext()));
      for (const { id } of this.#waiting) this.#made.get(id)?.resolve({ kind: 'returned' });
    } catch (error) {
      for (const { reject } of this.#made.values()) reject(error);
    }
  }

  /** Makes the next group; false when there was no memory for it in time, or the process stops. */
  async #makeNext(): Promise<boolean> {
    const { platform, head, read, render, sender } = this.#parts;
    const known = largest(platform).get(head.id);
    const each = known ?? head.message_bytes;
    // How large they become is not known before one was made.
    const wanted = known === undefined ? this.#waiting.slice(0, 1) : firstOf(this.#waiting, each);
    // Before there is memory: others must not wait for it while a foreign server is slow.
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

  /** False when no place for a download was free in time. */
  async #fetchFiles(): Promise<boolean> {
    const { platform, head, findFileUrls } = this.#parts;
    return !mayHaveFarFiles(head.message_bytes) || fetchFarFiles(platform, head, findFileUrls);
  }

  async #takeMemory(group: readonly LoadedMessage[], each: number): Promise<boolean> {
    const { platform, head } = this.#parts;
    const bytes = new Map(group.map((message) => [message.id, bytesOf(message, each)]));
    const total = bytes.values().reduce((sum, taken) => sum + taken, 0);
    const leave = await takeMemory(platform, {
      tenantId: head.tenant_id,
      lane: head.transactional ? LANES.transactional : LANES.bulk,
      bytes: total,
      maxWaitMs: this.#endAt - performance.now(),
    });
    if (leave === null) return false;
    const memory = new GroupMemory(leave, bytes, total);
    for (const { id } of group) this.#memory.set(id, memory);
    // What a process that stops has not begun is another's.
    return !platform.drain.started;
  }

  /** Never rejects. */
  async #make(parts: ComingParts): Promise<void> {
    const { platform, head } = this.#parts;
    const { id } = parts.message;
    const ready = this.#made.get(id);
    try {
      const made = await makeMessage(platform, parts);
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

/** What a message takes while it is made of what `each` of its transmission takes and its own data. */
function bytesOf({ left_out }: LoadedMessage, each: number): number {
  return each + left_out * PER_DATA_OCTET;
}

/** As many of the messages as are made together: the first of them at least. */
function firstOf(messages: readonly LoadedMessage[], each: number): readonly LoadedMessage[] {
  let bytes = 0;
  const end = messages.findIndex((message, place) => {
    bytes += bytesOf(message, each);
    return place > 0 && bytes > GROUP_BYTES;
  });
  return end === -1 ? messages : messages.slice(0, end);
}

/** What a group took, shared out among its messages. */
class GroupMemory {
  readonly #leave: Leave;
  readonly #bytes: Map<string, number>;
  #total: number;

  constructor(leave: Leave, bytes: Map<string, number>, total: number) {
    this.#leave = leave;
    this.#bytes = bytes;
    this.#total = total;
  }

  keep(id: string, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(id) ?? 0);
    this.#bytes.set(id, bytes);
    this.#leave(this.#total);
  }
}
