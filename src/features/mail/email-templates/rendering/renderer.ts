/**
 * Rendering for the process: a few threads, shared by tenants in turn. A tenant never occupies all threads, so a
 * template that reaches its deadline delays only its own tenant.
 */
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import { storable } from '../../../../db/storable.ts';
import { AppError } from '../../../../errors/app-error.ts';
import { TIMEOUT } from '../../../../errors/platform-errors.ts';
import { REQUEST_MS, requestTimeout, requireTime } from '../../../../http/request-deadline.ts';
import { oncePerPlatform } from '../../../../platform.ts';
import { GuardedThread, type ThreadOutcome } from '../../../../threads/guarded-thread.ts';
import { FairQueue } from '../../../../work-queue/fair-queue.ts';
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

/** Number and size of the threads. */
export interface RendererOptions {
  /** Default: the available parallelism, between 2 and 4. */
  readonly threads?: number;
  /** Heap of a thread, in MB. */
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
/** Messages rendered in one turn of a thread. */
const MAX_TURN = 500;
/** Data of one turn, in characters; a single message may have more. */
const MAX_TURN_CHARS = 4 * 1024 * 1024;
/** Time for which a source that exceeded a thread's limits fails without another try, in ms. */
const FAILURE_TTL_MS = 60_000;
/**
 * Longest wait of a task for its turn, in ms. It has no effect: every turn has a deadline, so a thread becomes free.
 */
const MAX_WAIT_MS = 2 ** 31 - 1;
/** Characters of a thread's error in the message. */
const MAX_CAUSE = 500;
/** Suggested delay before a retry when no thread was free in time. */
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
  /** Results so far, by index of the data. */
  readonly results: RenderResult[];
  /** Length of all results together. */
  characters: number;
  /** Error of the messages without a result. */
  error: TemplateError | null;
  /** Indexes without a result, in order; empty when the task is done. All indexes before the first have a result. */
  waiting: number[];
  /** Number of messages in the next turn, and the maximum of any turn. */
  turnSize: number;
  maxTurn: number;
  /** True if the source has exceeded a thread's limits once. */
  isRetried: boolean;
}

interface RenderThread {
  readonly thread: GuardedThread<RenderRequest, RenderReply>;
  readonly progress: Int32Array;
}

type ThreadFailure = Extract<ThreadOutcome<RenderReply>, { ok: false }>;

/**
 * Renders templates in threads, which start when first needed. Errors in template or data are results. A call rejects
 * only if no thread was free in time or its deadline has passed.
 */
export class Renderer {
  readonly #threads: readonly RenderThread[];
  /** Idle threads; a task takes one while it has a slot in the queue. */
  readonly #freeThreads: RenderThread[];
  readonly #slots: FairQueue;
  readonly #failedSources = new LRUCache<string, TemplateError>({ max: 1000, ttl: FAILURE_TTL_MS });
  #isClosed = false;

  constructor({
    threads = Math.min(4, Math.max(2, availableParallelism())),
    heapMb = HEAP_MB,
  }: RendererOptions = {}) {
    this.#threads = Array.from({ length: threads }, () => createRenderThread(heapMb));
    this.#freeThreads = [...this.#threads];
    // One thread always stays free for other tenants.
    this.#slots = new FairQueue({ total: threads, perTarget: Math.max(1, threads - 1) });
  }

  /** Renders one message; use `renderBatch` for several. */
  async render(source: RenderSource, data: object, options: RenderOptions): Promise<RenderResult> {
    const [result = { ok: false, error: UNKNOWN }] = await this.renderBatch(source, [data], options);
    return result;
  }

  /**
   * Renders a message for each item of the data, in order, with few transfers to and from the thread. Returns fewer
   * results if `maxCharacters` is reached.
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

  /** Checks the syntax of a source, without its snippets. Returns the first error, or null. */
  async check(source: RenderSource, options: RenderOptions): Promise<TemplateError | null> {
    return (await this.#run(source, [], options)).error;
  }

  /** Ends the threads; waiting tasks get an error. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map(({ thread }) => thread.close()));
  }

  async #run(
    source: RenderSource,
    dataList: readonly object[],
    options: RenderOptions,
  ): Promise<Pick<Task, 'error' | 'results' | 'waiting'>> {
    const error = this.#failedSources.get(source.key);
    if (error !== undefined) return { error, results: [], waiting: [] };
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
      isRetried: false,
    };
    do {
      requireTime(deadline);
      const maxWaitMs = deadline === undefined ? MAX_WAIT_MS : REQUEST_MS;
      const release = await this.#slots.enter({ lane: 0, tenantId, targetId: tenantId, maxWaitMs });
      if (release === null && deadline !== undefined) throw requestTimeout();
      try {
        requireTime(deadline);
        await this.#runTurn(task);
      } finally {
        release?.();
      }
    } while (task.waiting.length > 0 && (maxCharacters === undefined || task.characters < maxCharacters));
    return task;
  }

  /** Runs one turn of a task in one thread. */
  async #runTurn(task: Task): Promise<void> {
    const renderThread = this.#freeThreads.pop();
    if (renderThread === undefined || this.#isClosed) {
      fail(task, UNKNOWN);
      return;
    }
    Atomics.store(renderThread.progress, PROGRESS.index, STAGES.notBegun);
    const turn = nextTurn(task);
    const ownJson = `[${turn.join(',')}]`;
    const outcome = await renderThread.thread.run(
      { ...task.request, data: turn.length === 0 ? null : { sharedJson: task.sharedJson, ownJson } },
      { ms: task.request.maxMs, progress: () => Atomics.load(renderThread.progress, PROGRESS.steps) },
    );
    const position = Atomics.load(renderThread.progress, PROGRESS.index);
    this.#freeThreads.push(renderThread);
    if (outcome.ok) addResults(task, outcome.reply);
    else if (mayHaveBeenFull(outcome, position) && !task.isRetried) {
      // Other cached sources may have filled the thread: retry in an empty one.
      task.isRetried = true;
      await this.#runTurn(task);
    } else this.#handleFailure(task, turn.length, outcome, position);
  }

  /**
   * Handles a terminated thread, whose results of this turn are lost. The message in progress fails, the others are
   * rendered again. If reading the data failed, the next turns get less data.
   */
  #handleFailure(task: Task, dataCount: number, failure: ThreadFailure, position: number): void {
    const error: TemplateError = {
      kind: 'render',
      message: messageOf(failure, task.request.maxMs),
      part: 'html',
    };
    const index = task.waiting[position === STAGES.readingData ? 0 : position];
    if (this.#isClosed) fail(task, UNKNOWN);
    else if (position === STAGES.notBegun && !isEndedByItself(failure))
      throw new AppError(TIMEOUT, {
        message: 'A rendering thread did not start in time. Try again later.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    else if (position === STAGES.readingData && dataCount > 1) {
      task.maxTurn = Math.ceil(dataCount / 2);
      task.turnSize = task.maxTurn;
    } else if (index !== undefined) {
      task.results[index] = { ok: false, error };
      task.waiting = task.waiting.filter((each) => each !== index);
    } else {
      this.#failedSources.set(task.request.source.key, error);
      fail(task, error);
    }
  }
}

function addResults(task: Task, { error, results }: RenderReply): void {
  if (error !== null) fail(task, error);
  // Avoids serializing data of more messages than a turn can render.
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

/** True if an empty thread might succeed. */
function mayHaveBeenFull(failure: ThreadFailure, position: number): boolean {
  return isEndedByItself(failure) || position === STAGES.readingSource;
}

function isEndedByItself({ reason }: ThreadFailure): boolean {
  return reason === 'out of memory' || reason === 'ended';
}

/** Returns the error message for callers. */
function messageOf({ reason, cause }: ThreadFailure, maxMs: number): string {
  if (reason === 'out of memory') return 'Rendering needed too much memory.';
  if (reason !== 'ended') return `Rendering took longer than ${maxMs} ms.`;
  const words = cause instanceof Error ? `: ${cause.message}`.slice(0, MAX_CAUSE) : '.';
  return storable(`Rendering failed because of an internal error${words}`);
}

/** Returns the data of the next turn as JSON: of as many waiting messages as fit. */
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

function createRenderThread(heapMb: number): RenderThread {
  const shared = new SharedArrayBuffer(PROGRESS.cells * Int32Array.BYTES_PER_ELEMENT);
  const script = new URL('./render-worker.ts', import.meta.url);
  const thread = new GuardedThread<RenderRequest, RenderReply>({ script, heapMb, data: shared });
  return { thread, progress: new Int32Array(shared) };
}
