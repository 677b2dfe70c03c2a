/** What an action's work comes to: its result within bounds, or why it has failed. */
import { storable } from '../../../db/storable.ts';
import { AppError } from '../../../errors/app-error.ts';
import { ActionFailure } from '../../../flows/action-type.ts';
import type { Json } from '../../../flows/expressions.ts';
import type { Acted } from './visitor.ts';

/** What one action may have as its result, in characters of JSON. */
export const MAX_RESULT_CHARS = 256 * 1024;
/** What all actions of a run may have as their results: each note of one writes all of them. */
export const MAX_RESULTS_CHARS = 1024 * 1024;
/** As deep as bodies that are accepted. */
const MAX_RESULT_DEPTH = 100;
const MAX_ERROR = 2000;
const MAX_ISSUES_TOLD = 5;

/** A result within bounds, and how many characters of JSON it has. */
export interface Kept {
  readonly result: Json;
  readonly chars: number;
}

/** Does an action's work. @throws what is a fault of ours. */
export async function actedBy(work: () => Promise<Json>): Promise<Acted> {
  try {
    return { kind: 'done', result: await work() };
  } catch (error) {
    if (error instanceof ActionFailure) {
      const { isFinal, message, result, fields } = error;
      return { kind: 'failed', error: told(message), isFinal, result: keptOrNull(result), fields };
    }
    if (error instanceof AppError) {
      const fields = error.issues?.flatMap(({ field = [] }) => field) ?? [];
      return { kind: 'failed', error: told(messageOf(error)), isFinal: false, result: null, fields };
    }
    throw error;
  }
}

/** A result as it is kept, beside others of so many characters. @throws ActionFailure when it is too large. */
export function keep(result: Json, charsBefore: number): Kept {
  const text = textOf(result);
  const chars = text.length;
  if (chars > MAX_RESULT_CHARS)
    throw new ActionFailure(`The result has more than ${MAX_RESULT_CHARS} characters of JSON.`, {
      isFinal: true,
    });
  if (charsBefore + chars > MAX_RESULTS_CHARS)
    throw new ActionFailure(
      `The results of the run have more than ${MAX_RESULTS_CHARS} characters of JSON.`,
      { isFinal: true },
    );
  return { result: MAY_BE_REFUSED.test(text) ? JSON.parse(text, storableValue) : result, chars };
}

/** What PostgreSQL cannot hold in a text, as JSON has it. */
const MAY_BE_REFUSED = /\\u(?:0000|d[89a-f])/i;

/** @throws ActionFailure for what is nested deeper than PostgreSQL and we can go. */
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

/** With the names of its members, which a reviver sees only as the members of what it is given. */
function storableValue(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), member]));
}

function keptOrNull(result: Json): Json {
  try {
    return keep(result, 0).result;
  } catch {
    return null;
  }
}

/** A run that has taken as long as it may. */
export class RunTimeout extends ActionFailure {
  constructor(timeoutMs: number) {
    super(`The run timed out: it has taken longer than ${timeoutMs} ms.`, { isFinal: true });
  }
}

/** What ends by itself at the end of a run's time has ended for want of time, also when it does so a moment early. */
const GRACE_MS = 50;

/** Until when a run may go on. */
export class Deadline {
  readonly #timeoutMs: number;
  readonly #until: number;

  /** `timeoutMs` from now. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#until = performance.now() + timeoutMs;
  }

  /** What is left, milliseconds. @throws RunTimeout when that is nothing. */
  leftMs(): number {
    const left = Math.floor(this.#until - performance.now());
    if (left <= 0) throw new RunTimeout(this.#timeoutMs);
    return left;
  }

  /** An action that has failed as its time was over: that is then what it has failed by. */
  toldOf(acted: Acted): Acted {
    if (acted.kind === 'done' || performance.now() < this.#until - GRACE_MS) return acted;
    const { message, isFinal } = new RunTimeout(this.#timeoutMs);
    return { ...acted, error: message, isFinal };
  }

  /** Waits for work. @throws RunTimeout when it has not ended in time; it goes on by itself then. */
  async within<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {});
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new RunTimeout(this.#timeoutMs)), this.leftMs());
    return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
  }
}

function messageOf({ message, issues = [] }: AppError): string {
  const faults = issues
    .slice(0, MAX_ISSUES_TOLD)
    .map(({ field, message: fault }) => (field === undefined ? fault : `${field} ${fault}`));
  return [message, ...(faults.length > 0 ? [`${faults.join('; ')}.`] : [])].join(' ');
}

function told(error: string): string {
  return storable(error.slice(0, MAX_ERROR));
}
