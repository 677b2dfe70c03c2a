/**
 * Builds the messages of one transmission that were claimed together, group by group. A group reserves memory for the
 * peak of its messages before it reads or renders anything; afterwards a message keeps only the memory of its bytes
 * until it is sent.
 */
import { LRUCache } from 'lru-cache';
import { reserveMemory } from '../../../../memory/reserve-memory.ts';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import type { Release } from '../../../../work-queue/fair-queue.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import type { RenderResult } from '../../email-templates/index.ts';
import { LANES } from '../tables.ts';
import { attachmentsOf, fetchRemoteFiles } from './attachments.ts';
import { type BuiltMessage, buildMessage, type PendingParts } from './build-message.ts';
import {
  BYTES_PER_DATA_BYTE,
  BYTES_PER_MESSAGE,
  builtMessageBytes,
  mayHaveRemoteFiles,
} from './message-bytes.ts';
import type { LoadedMessage, LoadedTransmission, MessageResult, TransmissionHead } from './queries.ts';

/** A built message, or the outcome of this attempt. */
export type BuildResult = BuiltMessage | Outcome<MessageResult>;

/** The inputs of building messages. */
export interface BuilderOptions {
  readonly platform: Platform;
  readonly head: Pick<TransmissionHead, 'tenant_id' | 'id' | 'transactional' | 'message_bytes'>;
  readonly messages: readonly LoadedMessage[];
  /** Returns the URLs of remote files. */
  readonly findFileUrls: () => Promise<readonly string[]>;
  /** Reads the transmission with its content; undefined if it was deleted. */
  readonly read: () => Promise<LoadedTransmission | undefined>;
  readonly sender: (transmission: LoadedTransmission) => PendingParts['sender'];
  /** Renders messages of about this many characters in total, at least the first one. */
  readonly render: (
    transmission: LoadedTransmission,
    messages: readonly LoadedMessage[],
    maxCharacters: number,
  ) => Promise<readonly RenderResult[]>;
}

/** The longest time from the claim of messages until those without memory are returned, in ms. */
const BUILD_TIMEOUT_MS = 20_000;
/** Size of a group, unless one message is larger. */
const GROUP_BYTES = 16 * 1024 * 1024;
const GROUP_CHARACTERS = 4 * 1024 * 1024;
/** Number of transmissions whose message size is remembered. */
const MAX_REMEMBERED = 1000;

/** The memory of a transmission's largest message so far. */
const largestMessages = oncePerPlatform(() => new LRUCache<string, number>({ max: MAX_REMEMBERED }));

/** Builds some messages, starting when the first of them is requested. */
export class MessageBuilder {
  readonly #parts: BuilderOptions;
  readonly #results: ReadonlyMap<string, PromiseWithResolvers<BuildResult>>;
  readonly #memory = new Map<string, GroupMemory>();
  readonly #endAt = performance.now() + BUILD_TIMEOUT_MS;
  #waiting: readonly LoadedMessage[];
  #isBegun = false;

  constructor(parts: BuilderOptions) {
    this.#parts = parts;
    this.#waiting = parts.messages;
    this.#results = new Map(parts.messages.map(({ id }) => [id, Promise.withResolvers<BuildResult>()]));
    // The attempt, which may begin later, handles a failure.
    for (const { promise } of this.#results.values()) promise.catch(() => {});
  }

  /** Returns one of the messages. Rejects on an internal error. */
  async build(id: string): Promise<BuildResult> {
    if (!this.#isBegun) this.#run();
    this.#isBegun = true;
    return this.#results.get(id)?.promise ?? { kind: 'drop' };
  }

  /** Releases a message's memory. */
  release(id: string): void {
    this.#memory.get(id)?.resize(id, 0);
    this.#memory.delete(id);
  }

  /** Never rejects, because nothing awaits it. */
  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && (await this.#makeNext()));
      for (const { id } of this.#waiting) this.#results.get(id)?.resolve({ kind: 'returned' });
    } catch (error) {
      for (const { reject } of this.#results.values()) reject(error);
    }
  }

  /** Builds the next group; false when there was no memory in time, or the process stops. */
  async #makeNext(): Promise<boolean> {
    const { platform, head, read, render, sender } = this.#parts;
    const known = largestMessages(platform).get(head.id);
    const bytesPerMessage = known ?? head.message_bytes;
    // The size is unknown until one message has been built.
    const candidates =
      known === undefined ? this.#waiting.slice(0, 1) : nextGroup(this.#waiting, bytesPerMessage);
    // Fetched before reserving memory, which others must not wait for while a remote server is slow.
    if (!(await this.#fetchFiles())) return false;
    if (!(await this.#takeMemory(candidates, bytesPerMessage))) return false;
    const transmission = await read();
    if (transmission === undefined) {
      for (const { id } of this.#waiting) this.#results.get(id)?.resolve({ kind: 'drop' });
      this.#waiting = [];
      return true;
    }
    const attachments = attachmentsOf(platform, transmission);
    const results = await render(transmission, candidates, GROUP_CHARACTERS);
    for (const { id } of candidates.slice(results.length)) this.release(id);
    const group = candidates.slice(0, results.length);
    this.#waiting = this.#waiting.slice(group.length);
    const builds = group.map((message, index) => {
      const rendered = results[index];
      return (
        rendered &&
        this.#build({ message, transmission, rendered, attachments, sender: sender(transmission) })
      );
    });
    if (known === undefined) await Promise.all(builds);
    return true;
  }

  /** Returns false when no download slot was free in time. */
  async #fetchFiles(): Promise<boolean> {
    const { platform, head, findFileUrls } = this.#parts;
    return !mayHaveRemoteFiles(head.message_bytes) || fetchRemoteFiles(platform, head, findFileUrls);
  }

  async #takeMemory(group: readonly LoadedMessage[], bytesPerMessage: number): Promise<boolean> {
    const { platform, head } = this.#parts;
    const bytes = new Map(group.map((message) => [message.id, bytesOf(message, bytesPerMessage)]));
    const total = bytes.values().reduce((sum, bytes) => sum + bytes, 0);
    const release = await reserveMemory(platform, 'outgoingWork', {
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
  async #build(parts: PendingParts): Promise<void> {
    const { platform, head } = this.#parts;
    const { id } = parts.message;
    const deferred = this.#results.get(id);
    try {
      const result = await buildMessage(platform, parts);
      const mimeBytes = 'mime' in result ? result.mime.length : 0;
      const bytes = Math.max(largestMessages(platform).get(head.id) ?? 0, builtMessageBytes(mimeBytes));
      largestMessages(platform).set(head.id, bytes);
      this.#memory.get(id)?.resize(id, mimeBytes + BYTES_PER_MESSAGE);
      deferred?.resolve(result);
    } catch (error) {
      deferred?.reject(error);
    }
  }
}

/** The memory for building a message: `bytesPerMessage` for any message of the transmission, and its own data. */
function bytesOf({ left_out }: LoadedMessage, bytesPerMessage: number): number {
  return bytesPerMessage + left_out * BYTES_PER_DATA_BYTE;
}

/** The messages of the next group, at least the first one. */
function nextGroup(messages: readonly LoadedMessage[], bytesPerMessage: number): readonly LoadedMessage[] {
  let bytes = 0;
  const end = messages.findIndex((message, index) => {
    bytes += bytesOf(message, bytesPerMessage);
    return index > 0 && bytes > GROUP_BYTES;
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

  /** Sets the size of a message, and releases what is no longer needed. */
  resize(id: string, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(id) ?? 0);
    this.#bytes.set(id, bytes);
    this.#release(this.#total);
  }
}
