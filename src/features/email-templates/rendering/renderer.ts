/**
 * Rendering for the process: a few threads, which tenants share by turns. A tenant never occupies all threads, so a
 * template that runs into its deadline holds up only its own tenant's.
 */
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import { storable } from '../../../db/storable.ts';
import { AppError } from '../../../errors/app-error.ts';
import { TIMEOUT } from '../../../errors/platform-errors.ts';
import { REQUEST_MS, requireTime, tookTooLong } from '../../../http/request-deadline.ts';
import { FairQueue } from '../../../ledger/fair-queue.ts';
import { oncePerPlatform } from '../../../platform.ts';
import { GuardedThread, type ThreadOutcome } from '../../../threads/guarded-thread.ts';
import {
  PROGRESS,
  type RenderOptions,
  type RenderReply,
  type RenderRequest,
  type RenderResult,
  type RenderSource,
  STAGES,
  type TemplateError,
} from './contract.ts';
import { joinParts } from './text-parts.ts';

/** How a renderer is set up. */
export interface RendererOptions {
  /** Default: as many as the machine runs at once, 2 to 4. */
  readonly threads?: number;
  /** The heap of a thread, MB. */
  readonly heapMb?: number;
}

/** The renderer of a process. */
export const renderer = oncePerPlatform((platform): Renderer => {
  const created = new Renderer();
  platform.onClose(() => created.close());
  return created;
});

const DEFAULT_MAX_MS = 1000;
const HEAP_MB = 256;
/** Messages that one turn of a thread renders at most. */
const MAX_TURN = 500;
/** Data that one turn is handed at most, in characters, unless one message has more. */
const MAX_TURN_CHARS = 4 * 1024 * 1024;
/** How long a source that overwhelmed a thread is answered without another try, milliseconds. */
const REMEMBER_MS = 60_000;
/** How long a task waits for its turn: the longest that a timer can. Every turn has a deadline. */
const MAX_WAIT_MS = 2 ** 31 - 1;
/** Of what broke a thread, characters. */
const MAX_CAUSE = 500;
/** When whoever found no thread in time may try again. */
const RETRY_SECONDS = 10;
const UNKNOWN: TemplateError = {
  kind: 'render',
  message: 'The template could not be rendered.',
  part: 'html',
};

interface Task {
  readonly request: Omit<RenderRequest, 'data'>;
  readonly sharedJson: string;
  readonly dataList: readonly object[];
  /** Results by index into the data, as far as there are any. */
  readonly results: RenderResult[];
  /** Of the results together. */
  characters: number;
  /** Why what has no result has none. */
  error: TemplateError | null;
  /** Indexes without a result, in order; none when nothing is left to do. What comes before the first has one. */
  waiting: number[];
  /** How many of them to hand over in the next turn, and in any. */
  turnSize: number;
  maxTurn: number;
  /** Whether its source has been too much for a thread once. */
  isSecondTry: boolean;
}

interface Seat {
  readonly thread: GuardedThread<RenderRequest, RenderReply>;
  readonly progress: Int32Array;
}

type ThreadFailure = Extract<ThreadOutcome<RenderReply>, { ok: false }>;

/**
 * Renders templates; its threads start when first needed. Nothing in template or data makes a call reject: only that no
 * thread could begin with it, or that its deadline has passed, which says nothing about them.
 */
export class Renderer {
  readonly #seats: readonly Seat[];
  /** Whoever has a place takes a seat from here and puts it back. */
  readonly #freeSeats: Seat[];
  readonly #places: FairQueue;
  readonly #overwhelming = new LRUCache<string, TemplateError>({ max: 1000, ttl: REMEMBER_MS });
  #isClosed = false;

  constructor({
    threads = Math.min(4, Math.max(2, availableParallelism())),
    heapMb = HEAP_MB,
  }: RendererOptions = {}) {
    this.#seats = Array.from({ length: threads }, () => createSeat(heapMb));
    this.#freeSeats = [...this.#seats];
    // One thread is always left to the other tenants.
    this.#places = new FairQueue({ inAll: threads, perTarget: Math.max(1, threads - 1) });
  }

  /** Renders one message; call `renderBatch` for many. */
  async render(source: RenderSource, data: object, options: RenderOptions): Promise<RenderResult> {
    const [result = { ok: false, error: UNKNOWN }] = await this.renderBatch(source, [data], options);
    return result;
  }

  /**
   * Renders a message for each of the data, in their order, with few messages to and from the thread; for fewer when
   * `maxCharacters` were reached.
   */
  async renderBatch(
    source: RenderSource,
    dataList: readonly object[],
    options: RenderOptions,
  ): Promise<RenderResult[]> {
    if (dataList.length === 0) return [];
    const { error, results, waiting } = await this.#run(source, dataList, options);
    return dataList
      .slice(0, waiting[0])
      .map((_data, index) => results[index] ?? { ok: false, error: error ?? UNKNOWN });
  }

  /** Why the parts of a source cannot be read, or null; the snippets that they include are not looked at. */
  async check(source: RenderSource, options: RenderOptions): Promise<TemplateError | null> {
    return (await this.#run(source, [], options)).error;
  }

  /** Ends the threads; what waits is answered with an error. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#seats.map(({ thread }) => thread.close()));
  }

  async #run(
    source: RenderSource,
    dataList: readonly object[],
    options: RenderOptions,
  ): Promise<Pick<Task, 'error' | 'results' | 'waiting'>> {
    const known = this.#overwhelming.get(source.key);
    if (known !== undefined) return { error: known, results: [], waiting: [] };
    const { inlineCss = true, maxMs = DEFAULT_MAX_MS, tenantId, sharedData = {}, maxCharacters } = options;
    const { deadline } = options;
    const task: Task = {
      request: { source, inlineCss, maxMs },
      sharedJson: JSON.stringify(sharedData),
      dataList,
      results: [],
      characters: 0,
      error: null,
      waiting: [...dataList.keys()],
      turnSize: MAX_TURN,
      maxTurn: MAX_TURN,
      isSecondTry: false,
    };
    do {
      requireTime(deadline);
      const maxWaitMs = deadline === undefined ? MAX_WAIT_MS : REQUEST_MS;
      const leave = await this.#places.enter({ lane: 0, tenantId, targetId: tenantId, maxWaitMs });
      if (leave === null && deadline !== undefined) throw tookTooLong();
      try {
        requireTime(deadline);
        await this.#serve(task);
      } finally {
        leave?.();
      }
    } while (task.waiting.length > 0 && (maxCharacters === undefined || task.characters < maxCharacters));
    return task;
  }

  /** One turn of a task in one thread. */
  async #serve(task: Task): Promise<void> {
    const seat = this.#freeSeats.pop();
    if (seat === undefined || this.#isClosed) {
      fail(task, UNKNOWN);
      return;
    }
    Atomics.store(seat.progress, PROGRESS.index, STAGES.notBegun);
    const turn = nextTurn(task);
    const ownJson = `[${turn.join(',')}]`;
    const outcome = await seat.thread.run(
      { ...task.request, data: turn.length === 0 ? null : { sharedJson: task.sharedJson, ownJson } },
      { ms: task.request.maxMs, progress: () => Atomics.load(seat.progress, PROGRESS.steps) },
    );
    const position = Atomics.load(seat.progress, PROGRESS.index);
    this.#freeSeats.push(seat);
    if (outcome.ok) take(task, outcome.reply);
    else if (mayHaveBeenFull(outcome, position) && !task.isSecondTry) {
      // The thread may have been full of other sources: one that has none decides.
      task.isSecondTry = true;
      await this.#serve(task);
    } else this.#takeFailure(task, turn.length, outcome, position);
  }

  /**
   * The thread is gone, and with it this turn's results: the message it was at fails, the others are rendered again. A
   * thread that the data of many were too much for is handed fewer.
   */
  #takeFailure(task: Task, handedOver: number, failure: ThreadFailure, position: number): void {
    const error: TemplateError = {
      kind: 'render',
      message: messageOf(failure, task.request.maxMs),
      part: 'html',
    };
    const index = task.waiting[position === STAGES.readingData ? 0 : position];
    if (this.#isClosed) fail(task, UNKNOWN);
    else if (position === STAGES.notBegun && !isEndedByItself(failure))
      throw new AppError(TIMEOUT, {
        message: 'A rendering thread could not begin in time. Try again later.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    else if (position === STAGES.readingData && handedOver > 1) {
      task.maxTurn = Math.ceil(handedOver / 2);
      task.turnSize = task.maxTurn;
    } else if (index !== undefined) {
      task.results[index] = { ok: false, error };
      task.waiting = task.waiting.filter((each) => each !== index);
    } else {
      this.#overwhelming.set(task.request.source.key, error);
      fail(task, error);
    }
  }
}

function take(task: Task, { error, results }: RenderReply): void {
  if (error !== null) fail(task, error);
  // Data of more messages than a turn has room for are written and read in vain.
  task.turnSize = Math.min(task.maxTurn, Math.ceil(results.length * 1.25));
  for (const rendered of results) {
    const result = rendered.ok ? { ...rendered, html: joinParts(rendered.html) } : rendered;
    const index = task.waiting.shift();
    if (index !== undefined) task.results[index] = result;
    if (result.ok) task.characters += result.html.length + (result.text?.length ?? 0);
  }
}

function fail(task: Task, error: TemplateError): void {
  task.waiting = [];
  task.error = error;
}

/** Whether a thread that had nothing else in memory might have done it. */
function mayHaveBeenFull(failure: ThreadFailure, position: number): boolean {
  return isEndedByItself(failure) || position === STAGES.readingSource;
}

function isEndedByItself({ reason }: ThreadFailure): boolean {
  return reason === 'out of memory' || reason === 'ended';
}

/** What people are told: what broke the thread is no matter of memory. */
function messageOf({ reason, cause }: ThreadFailure, maxMs: number): string {
  if (reason === 'out of memory') return 'Rendering needed too much memory.';
  if (reason !== 'ended') return `Rendering took longer than ${maxMs} ms.`;
  const words = cause instanceof Error ? `: ${cause.message}`.slice(0, MAX_CAUSE) : '.';
  return storable(`Rendering broke by a fault of Tessera${words}`);
}

/** What a thread is handed next, as JSON: the data of as many waiting messages as fit into a turn. */
function nextTurn({ dataList, waiting, turnSize }: Task): readonly string[] {
  const turn: string[] = [];
  let length = 0;
  for (const index of waiting.slice(0, turnSize)) {
    const json = JSON.stringify(dataList[index]);
    length += json.length;
    if (turn.length > 0 && length > MAX_TURN_CHARS) break;
    turn.push(json);
  }
  return turn;
}

function createSeat(heapMb: number): Seat {
  const shared = new SharedArrayBuffer(PROGRESS.cells * Int32Array.BYTES_PER_ELEMENT);
  const script = new URL('./render-worker.ts', import.meta.url);
  const thread = new GuardedThread<RenderRequest, RenderReply>({ script, heapMb, data: shared });
  return { thread, progress: new Int32Array(shared) };
}
