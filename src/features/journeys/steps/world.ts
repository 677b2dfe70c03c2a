/**
 * What steps have to do with: in a run the database and the outside, in a simulation a virtual clock, invented people and
 * events. The steps themselves cannot tell the two apart.
 */
import type { Values } from '../../../flows/expressions.ts';
import type { SecretHeader } from '../../../flows/secret-headers.ts';
import type { SplitFacts } from '../definition/split.ts';
import type { Step, StepOf } from '../schema.ts';

/** What came of a mail. */
export type Sending =
  | { readonly outcome: 'sent' | 'skipped' }
  /** It cannot be made. */
  | { readonly outcome: 'failed'; readonly error: string };

/** What came of a call; `isFinal`: it is not tried again. */
export type Calling =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: string; readonly isFinal: boolean };

/** What came of an update. */
export type Updating = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** A call with its expressions filled in. */
export interface FilledCall {
  readonly method: StepOf<'http_request'>['method'];
  readonly url: string;
  /** Texts, and secret headers, which the call opens. */
  readonly headers: Readonly<Record<string, string | SecretHeader>>;
  readonly body: unknown;
}

/** Values of additional fields with their expressions filled in. */
export type FilledFields = Readonly<Record<string, string | number | boolean>>;

/** What the steps of one person's journey act on. */
export interface World {
  readonly facts: SplitFacts;
  now(): Date;
  /** A step is about to be visited. False: what was done must be noted before. */
  begins(step: Step): boolean;
  /** When the person arrived at the step that is being visited. */
  arrivedAt(): Date;
  /** What expressions read. */
  values(): Values;
  send(step: StepOf<'send_email'>): Promise<Sending>;
  meets(step: StepOf<'branch'>): Promise<boolean>;
  update(step: StepOf<'update_subscriber'>, fields: FilledFields): Promise<Updating>;
  call(step: StepOf<'http_request'>, call: FilledCall): Promise<Calling>;
  /** Whether the event has happened since it counts. */
  hasHeard(step: StepOf<'wait_for'>): boolean;
}
