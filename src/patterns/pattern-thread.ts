/**
 * Worker thread that compiles and runs patterns of tenants, one request at a time; tenants take turns. Work of more
 * than a few milliseconds runs here under a deadline, because all requests share the event loop.
 */
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { SharedThread, ThreadBusyError } from '../threads/shared-thread.ts';

/** A pattern and the texts to match; no texts: only the size is computed. */
export interface PatternTask {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly texts: readonly string[];
}

/** A request to the thread. */
export interface PatternRequest {
  readonly tasks: readonly PatternTask[];
  /** Processor time after which the thread stops between two matches, in ms. */
  readonly deadlineMs: number;
}

/** The result of a task. */
export interface PatternResult {
  /** Size of the compiled program; null when the pattern cannot be compiled. */
  readonly size: number | null;
  /** Results of the texts matched before the deadline, in order. */
  readonly matches: readonly boolean[];
}

/** Results of the tasks run before the deadline; the last one may be incomplete. */
export interface PatternReply {
  readonly results: readonly PatternResult[];
  /** True if all texts of all tasks were matched before the deadline. */
  readonly isComplete: boolean;
  /** Processor time that was used, in ms. */
  readonly usedMs: number;
}

/** Processor time that all patterns of one request may take, in ms. */
export const PATTERN_DEADLINE_MS = 1000;
/**
 * Wall time after which the thread is ended, because a single match cannot be interrupted; no allowed match takes as
 * long.
 */
const HARD_DEADLINE_MS = 8000;
const MAX_WAIT_MS = 10_000;
/** Each waiting request keeps its texts in memory. */
const MAX_WAITING = 100;
const RETRY_SECONDS = 5;

const thread = oncePerPlatform((platform: Platform) => {
  const shared = new SharedThread<PatternRequest, PatternReply>({
    script: new URL('./pattern-worker.ts', import.meta.url),
    heapMb: 192,
    deadlineMs: HARD_DEADLINE_MS,
    maxWaitMs: MAX_WAIT_MS,
    maxWaiting: MAX_WAITING,
  });
  platform.onClose(() => shared.close());
  return shared;
});

const NOTHING: PatternReply = { results: [], isComplete: false, usedMs: HARD_DEADLINE_MS };

/**
 * Runs tasks in the thread until they are done or `PATTERN_DEADLINE_MS` of processor time is used.
 * @throws AppError RATE_LIMITED when too many requests wait for the thread.
 */
export async function matchInThread(
  platform: Platform,
  tenantId: string,
  tasks: readonly PatternTask[],
): Promise<PatternReply> {
  const request = { tasks, deadlineMs: PATTERN_DEADLINE_MS };
  try {
    const reply = await thread(platform).run(tenantId, request);
    return typeof reply === 'string' ? NOTHING : reply;
  } catch (error) {
    if (!(error instanceof ThreadBusyError)) throw error;
    throw new AppError(RATE_LIMITED, {
      message: 'Too many requests are waiting for pattern matching. Try again later.',
      retryAfterSeconds: RETRY_SECONDS,
      cause: error,
    });
  }
}
