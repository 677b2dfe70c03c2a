/**
 * The environment of real runs: steps read the database and make calls, and `acknowledgement.ts` writes their changes.
 */

import { v5 as uuidv5 } from 'uuid';
import { chainHeaders, linkedCause } from '../../../flows/chain.ts';
import { makeHttpCall } from '../../../flows/http-call.ts';
import { retryAfterSeconds } from '../../../outbound/header-rules.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { additionalFields, type SubscriberMerge } from '../../contacts/api.ts';
import { getSubscriberSettings } from '../../email-settings/api.ts';
import { type MailSubscriber, subscriberTemplateData } from '../../marketing/api.ts';
import type { SplitDetails } from '../definition/split.ts';
import type { Mails } from '../resource.ts';
import type { Step, StepOf } from '../schema.ts';
import { type AwaitedEvent, awaitedEvent, hasOccurred } from '../states/awaited-events.ts';
import type {
  CallResult,
  MailResult,
  ResolvedCall,
  ResolvedFields,
  StepEnvironment,
  UpdateResult,
} from '../steps/environment.ts';
import { meetsFilters } from './branch-evaluation.ts';
import { type PlannedMessage, prepareMail } from './mail-preparation.ts';
import { planKey } from './plans.ts';
import { type LoadedJourney, type LoadedState, versionOf } from './state-loader.ts';

/** An enrollment with its journey and subscriber. */
export interface Enrollment {
  readonly tenantId: string;
  readonly state: LoadedState;
  readonly journey: LoadedJourney;
  readonly subscriber: MailSubscriber;
}

/** Steps that read fields of the subscriber, which an update may have changed. */
const READING_STEPS: readonly Step['type'][] = ['send_email', 'branch', 'update_subscriber', 'http_request'];

/** Environment of one walk of one enrollment. */
export class RunEnvironment implements StepEnvironment {
  readonly splitDetails: SplitDetails;
  readonly #platform: Platform;
  readonly #enrollment: Enrollment;
  readonly #mayCall: boolean;
  readonly #messages: PlannedMessage[] = [];
  #update: SubscriberMerge | null = null;
  #retryAfterSeconds: number | null = null;
  #visits = 0;
  #arrivedAt: Date;
  #mails: Mails;

  /** `mayCall` is true if the first step may make an HTTP call; later steps never may. */
  constructor(platform: Platform, enrollment: Enrollment, mayCall: boolean) {
    const { state } = enrollment;
    this.#platform = platform;
    this.#enrollment = enrollment;
    this.#mayCall = mayCall;
    this.#arrivedAt = new Date(state.arrived_at);
    this.#mails = state.mails;
    this.splitDetails = { ...versionOf(state), subscriberId: state.subscriber_id };
  }

  /** Messages to write after the walk. */
  get messages(): readonly PlannedMessage[] {
    return this.#messages;
  }

  /** Changes of the subscriber to write after the walk. */
  get merge(): SubscriberMerge | null {
    return this.#update;
  }

  /** `Retry-After` of the failed call in seconds; null if there is none. */
  get retryAfterSeconds(): number | null {
    return this.#retryAfterSeconds;
  }

  now(): Date {
    return this.#platform.clock();
  }

  begin(step: Step): boolean {
    const isFirst = this.#visits === 0;
    if (step.type === 'http_request' && !(isFirst && this.#mayCall)) return false;
    if (this.#update !== null && READING_STEPS.includes(step.type)) return false;
    // The arrival time of the first step is stored in the enrollment.
    if (!isFirst) this.#arrivedAt = this.now();
    this.#visits += 1;
    return true;
  }

  arrivedAt(): Date {
    return this.#arrivedAt;
  }

  values() {
    const { subscriber, state, journey } = this.#enrollment;
    const { id, name } = journey;
    return {
      subscriber: subscriberTemplateData(subscriber),
      trigger: state.trigger ?? {},
      journey: { id, name },
    };
  }

  async send(step: StepOf<'send_email'>): Promise<MailResult> {
    const { tenantId, journey, state } = this.#enrollment;
    const ref = { tenantId, journey, planKey: planKey(versionOf(state)), step };
    const mail = await prepareMail(this.#platform, ref, {
      subscriberId: state.subscriber_id,
      trigger: state.trigger,
    });
    if (mail.outcome !== 'sent') return mail;
    this.#messages.push(mail.message);
    const sent = { id: mail.message.id, at: this.now().toISOString() };
    this.#mails = { ...this.#mails, [step.key]: sent };
    return { outcome: 'sent' };
  }

  meetsFilters(step: StepOf<'branch'>): Promise<boolean> {
    const { tenantId, state } = this.#enrollment;
    const ref = { tenantId, planKey: planKey(versionOf(state)), step };
    return meetsFilters(this.#platform, ref, state.subscriber_id);
  }

  async update(step: StepOf<'update_subscriber'>, fields: ResolvedFields): Promise<UpdateResult> {
    const { tenantId, state, subscriber } = this.#enrollment;
    if (Object.keys(fields).length > 0) {
      const db = this.#platform.scoped(wholeTenant(tenantId));
      const { subscriber_additional_fields: definitions } = await getSubscriberSettings(db);
      const issue =
        additionalFields.findValueIssues(fields, definitions)[0] ??
        additionalFields.findMergeIssue(subscriber.additional_fields_data ?? {}, fields);
      if (issue !== null) return { ok: false, error: `${issue.field} ${issue.message}` };
    }
    this.#update = {
      subscriberId: state.subscriber_id,
      additionalFields: fields,
      addLists: step.add_lists ?? [],
      removeLists: step.remove_lists ?? [],
      subscriptionUpdates: step.subscription_updates ?? [],
    };
    return { ok: true };
  }

  async call(_step: StepOf<'http_request'>, call: ResolvedCall): Promise<CallResult> {
    const { tenantId, state } = this.#enrollment;
    const link = { id: state.id, link: `journey ${state.target_id}` };
    const result = await makeHttpCall(this.#platform.outbound, call, {
      // The same in all attempts of this visit.
      idempotencyKey: uuidv5(`${state.steps_taken}`, state.id),
      timeoutMs: this.#platform.config.webhookTimeoutSeconds * 1000,
      chain: chainHeaders(this.#platform, linkedCause(tenantId, state.cause, link)),
      openSecret: (sealed) => this.#platform.secrets.open(sealed, state.target_id),
    });
    if (result.ok) return { ok: true };
    this.#retryAfterSeconds = retryAfterSeconds(result.answer?.headers ?? {}, this.now());
    return { ok: false, error: result.error, isFinal: result.isFinal };
  }

  hasOccurred(step: StepOf<'wait_for'>): boolean {
    return hasOccurred(this.#enrollment.state.heard, this.awaited(step));
  }

  /** Returns the event that the current step waits for. */
  awaited(step: StepOf<'wait_for'>): AwaitedEvent | null {
    return awaitedEvent(step, this.#arrivedAt, this.#mails);
  }

  /** Returns the last message that this walk sent for each step, by step key. */
  sentMails(): Mails {
    const sent = new Set(this.#messages.map(({ step }) => step));
    return Object.fromEntries(Object.entries(this.#mails).filter(([step]) => sent.has(step)));
  }
}
