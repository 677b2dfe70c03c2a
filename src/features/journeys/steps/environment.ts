/**
 * The environment of steps. A run has the database and HTTP calls; a simulation has a virtual clock, virtual events and
 * perhaps a virtual subscriber. Steps run the same code in both.
 */
import type { Values } from '../../../flows/expressions.ts';
import type { SecretHeader } from '../../../flows/secret-headers.ts';
import type { SplitDetails } from '../definition/split.ts';
import type { Step, StepOf } from '../schema.ts';

/** Result of a mail. */
export type MailResult =
  | { readonly outcome: 'sent' | 'skipped' }
  /** The mail cannot be rendered or its content is missing. */
  | { readonly outcome: 'failed'; readonly error: string };

/** Result of a call. An `isFinal` failure is not retried. */
export type CallResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: string; readonly isFinal: boolean };

/** Result of an update. */
export type UpdateResult = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** A call with resolved expressions. */
export interface ResolvedCall {
  readonly method: StepOf<'http_request'>['method'];
  readonly url: string;
  /** Plain values, and encrypted ones, which the call decrypts. */
  readonly headers: Readonly<Record<string, string | SecretHeader>>;
  readonly body: unknown;
}

/** Values of additional fields with resolved expressions. */
export type ResolvedFields = Readonly<Record<string, string | number | boolean>>;

/** The environment in which the steps of one enrollment run. */
export interface StepEnvironment {
  readonly splitDetails: SplitDetails;
  now(): Date;
  /** Begins the visit of a step. Returns false if earlier effects must be written first. */
  begin(step: Step): boolean;
  /** Time of arrival at the current step. */
  arrivedAt(): Date;
  /** Values that expressions read. */
  values(): Values;
  send(step: StepOf<'send_email'>): Promise<MailResult>;
  meetsFilters(step: StepOf<'branch'>): Promise<boolean>;
  update(step: StepOf<'update_subscriber'>, fields: ResolvedFields): Promise<UpdateResult>;
  call(step: StepOf<'http_request'>, call: ResolvedCall): Promise<CallResult>;
  /** True if the awaited event has occurred. */
  hasOccurred(step: StepOf<'wait_for'>): boolean;
}
