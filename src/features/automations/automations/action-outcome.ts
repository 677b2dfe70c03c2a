/** Runs the work of one action and limits its result. */
import { storable } from '../../../db/storable.ts';
import { carryWritten, parseWritten } from '../../../db/written-json.ts';
import { AppError } from '../../../errors/app-error.ts';
import { ActionFailure } from '../../../flows/action-type.ts';
import type { Json } from '../../../flows/expressions.ts';
import type { ActionOutcome } from './visitor.ts';

/** Longest result of one action, in characters of JSON. */
export const MAX_RESULT_CHARS = 256 * 1024;
/** Maximum total length of a run's results. Limited because each completed action rewrites all of them. */
export const MAX_RESULTS_CHARS = 1024 * 1024;
/** The same depth as accepted request bodies. */
const MAX_RESULT_DEPTH = 100;
const MAX_ERROR_CHARS = 2000;
const MAX_ISSUES = 5;

/** A result within the limits, with its length in characters of JSON. */
export interface LimitedResult {
  readonly result: Json;
  readonly chars: number;
}

/** Runs an action's work. Returns its result or why it failed. @throws errors that are faults of Tessera. */
export async function captureOutcome(work: () => Promise<Json>): Promise<ActionOutcome> {
  try {
    return { kind: 'done', result: await work() };
  } catch (error) {
    if (error instanceof ActionFailure) {
      const { isFinal, message, result, fields } = error;
      return { kind: 'failed', error: toErrorText(message), isFinal, result: limitedOrNull(result), fields };
    }
    if (error instanceof AppError) {
      const fields = error.issues?.flatMap(({ field = [] }) => field) ?? [];
      return { kind: 'failed', error: toErrorText(messageOf(error)), isFinal: false, result: null, fields };
    }
    throw error;
  }
}

/**
 * Checks a result against the limits, given the length of earlier results. @throws ActionFailure if it is too large.
 */
export function limitResult(result: Json, earlierChars: number): LimitedResult {
  const text = textOf(result);
  const chars = text.length;
  if (chars > MAX_RESULT_CHARS)
    throw new ActionFailure(`The result has more than ${MAX_RESULT_CHARS} characters of JSON.`, {
      isFinal: true,
    });
  if (earlierChars + chars > MAX_RESULTS_CHARS)
    throw new ActionFailure(
      `The results of the run have more than ${MAX_RESULTS_CHARS} characters of JSON.`,
      { isFinal: true },
    );
  return { result: UNSTORABLE_ESCAPE.test(text) ? storableJson(parseWritten(text)) : result, chars };
}

/** Escapes in JSON for characters that PostgreSQL text cannot store. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** @throws ActionFailure if the result is nested too deeply. */
function textOf(result: Json): string {
  if (isDeeper(result, MAX_RESULT_DEPTH))
    throw new ActionFailure(`The result is nested deeper than ${MAX_RESULT_DEPTH} levels.`, {
      isFinal: true,
    });
  return JSON.stringify(result) ?? 'null';
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** Makes the texts and the member names of a value storable. */
function storableJson(value: Json): Json {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return carryWritten(value, value.map(storableJson));
  const members = Object.entries(value).map(
    ([name, member]) => [storable(name), storableJson(member)] as const,
  );
  return carryWritten(value, Object.fromEntries(members));
}

function limitedOrNull(result: Json): Json {
  try {
    return limitResult(result, 0).result;
  } catch {
    return null;
  }
}

/** The run has reached its time limit. */
export class RunTimeout extends ActionFailure {
  constructor(timeoutMs: number) {
    super(`The run timed out: it has taken longer than ${timeoutMs} ms.`, { isFinal: true });
  }
}

/** A call with the same deadline may time out slightly earlier than the run. It still counts as the run's timeout. */
const GRACE_MS = 50;

/** The time until which a run may continue. */
export class Deadline {
  readonly #timeoutMs: number;
  readonly #until: number;

  /** The deadline is `timeoutMs` from now. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#until = performance.now() + timeoutMs;
  }

  /** Remaining time in ms. @throws RunTimeout if there is none. */
  leftMs(): number {
    const left = Math.floor(this.#until - performance.now());
    if (left <= 0) throw new RunTimeout(this.#timeoutMs);
    return left;
  }

  /** Reports a timeout for an action that failed after the deadline. */
  orTimeout(outcome: ActionOutcome): ActionOutcome {
    if (outcome.kind === 'done' || performance.now() < this.#until - GRACE_MS) return outcome;
    const { message, isFinal } = new RunTimeout(this.#timeoutMs);
    return { ...outcome, error: message, isFinal };
  }

  /** Waits for work. @throws RunTimeout if it does not end in time; the work itself continues. */
  async within<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {});
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new RunTimeout(this.#timeoutMs)), this.leftMs());
    return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
  }
}

function messageOf({ message, issues = [] }: AppError): string {
  const faults = issues
    .slice(0, MAX_ISSUES)
    .map(({ field, message: fault }) => (field === undefined ? fault : `${field} ${fault}`));
  return [message, ...(faults.length > 0 ? [`${faults.join('; ')}.`] : [])].join(' ');
}

function toErrorText(error: string): string {
  return storable(error.slice(0, MAX_ERROR_CHARS));
}
