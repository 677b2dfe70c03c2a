/** The world of a run: steps read what is there and call others; what they write is noted with them (`settle.ts`). */
import { v5 as uuidv5 } from 'uuid';
import { chainHeaders, linkedCause } from '../../../flows/chain.ts';
import { makeHttpCall } from '../../../flows/http-call.ts';
import { retryAfterSeconds } from '../../../outbound/header-rules.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { type Person, personData } from '../../campaigns/index.ts';
import { getSubscriberSettings } from '../../email-settings/index.ts';
import { findMergeIssue, findValueIssues, type Merge } from '../../subscribers/index.ts';
import type { SplitFacts } from '../definition/split.ts';
import type { Mails } from '../resource.ts';
import type { Step, StepOf } from '../schema.ts';
import { type Awaited, awaitedBy, isHeard } from '../states/awaited.ts';
import type { Calling, FilledCall, FilledFields, Sending, Updating, World } from '../steps/world.ts';
import { meetsFilters } from './branching.ts';
import { type LoadedJourney, type LoadedState, versionOf } from './load.ts';
import { type PlannedMessage, prepareMail } from './mailing.ts';
import { planKey } from './plans.ts';

/** Whose journey it is. */
export interface Traveller {
  readonly tenantId: string;
  readonly state: LoadedState;
  readonly journey: LoadedJourney;
  readonly person: Person;
}

/** Steps that see what an update has changed. */
const READING: readonly Step['type'][] = ['send_email', 'branch', 'update_subscriber', 'http_request'];

/** One walk of one state. */
export class RealWorld implements World {
  readonly facts: SplitFacts;
  readonly #platform: Platform;
  readonly #traveller: Traveller;
  readonly #mayCall: boolean;
  readonly #messages: PlannedMessage[] = [];
  #update: Merge | null = null;
  #askedSeconds: number | null = null;
  #visits = 0;
  #arrivedAt: Date;
  #mails: Mails;

  /** `mayCall`: whether the first step may call others; no other does. */
  constructor(platform: Platform, traveller: Traveller, mayCall: boolean) {
    const { state } = traveller;
    this.#platform = platform;
    this.#traveller = traveller;
    this.#mayCall = mayCall;
    this.#arrivedAt = new Date(state.arrived_at);
    this.#mails = state.mails;
    this.facts = { ...versionOf(state), subscriberId: state.subscriber_id };
  }

  /** Messages that are to be written with the steps. */
  get messages(): readonly PlannedMessage[] {
    return this.#messages;
  }

  /** What is to be changed of the person. */
  get merge(): Merge | null {
    return this.#update;
  }

  /** How long the receiver of a call that has failed asks to wait; null: it does not. */
  get askedSeconds(): number | null {
    return this.#askedSeconds;
  }

  now(): Date {
    return this.#platform.clock();
  }

  begins(step: Step): boolean {
    const isFirst = this.#visits === 0;
    if (step.type === 'http_request' && !(isFirst && this.#mayCall)) return false;
    if (this.#update !== null && READING.includes(step.type)) return false;
    // Where it was when it was claimed, it is since it arrived there.
    if (!isFirst) this.#arrivedAt = this.now();
    this.#visits += 1;
    return true;
  }

  arrivedAt(): Date {
    return this.#arrivedAt;
  }

  values() {
    const { person, state, journey } = this.#traveller;
    const { id, name } = journey;
    return { subscriber: personData(person), trigger: state.trigger ?? {}, journey: { id, name } };
  }

  async send(step: StepOf<'send_email'>): Promise<Sending> {
    const { tenantId, journey, state } = this.#traveller;
    const ref = { tenantId, journey, planKey: planKey(versionOf(state)), step };
    const mailed = await prepareMail(this.#platform, ref, {
      subscriberId: state.subscriber_id,
      trigger: state.trigger,
    });
    if (mailed.outcome !== 'sent') return mailed;
    this.#messages.push(mailed.message);
    const mail = { id: mailed.message.id, at: this.now().toISOString() };
    this.#mails = { ...this.#mails, [step.key]: mail };
    return { outcome: 'sent' };
  }

  meets(step: StepOf<'branch'>): Promise<boolean> {
    const { tenantId, state } = this.#traveller;
    const ref = { tenantId, planKey: planKey(versionOf(state)), step };
    return meetsFilters(this.#platform, ref, state.subscriber_id);
  }

  async update(step: StepOf<'update_subscriber'>, fields: FilledFields): Promise<Updating> {
    const { tenantId, state, person } = this.#traveller;
    if (Object.keys(fields).length > 0) {
      const db = this.#platform.scoped(wholeTenant(tenantId));
      const { subscriber_additional_fields: definitions } = await getSubscriberSettings(db);
      const issue =
        findValueIssues(fields, definitions)[0] ??
        findMergeIssue(person.additional_fields_data ?? {}, fields);
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

  async call(_step: StepOf<'http_request'>, call: FilledCall): Promise<Calling> {
    const { tenantId, state } = this.#traveller;
    const link = { id: state.id, link: `journey ${state.target_id}` };
    const result = await makeHttpCall(this.#platform.outbound, call, {
      // The same with each try of this visit.
      idempotencyKey: uuidv5(`${state.steps_taken}`, state.id),
      timeoutMs: this.#platform.config.webhookTimeoutSeconds * 1000,
      chain: chainHeaders(this.#platform, linkedCause(tenantId, state.cause, link)),
      openSecret: (sealed) => this.#platform.secrets.open(sealed, state.target_id),
    });
    if (result.ok) return { ok: true };
    this.#askedSeconds = retryAfterSeconds(result.answer?.headers ?? {}, this.now());
    return { ok: false, error: result.error, isFinal: result.isFinal };
  }

  hasHeard(step: StepOf<'wait_for'>): boolean {
    return isHeard(this.#traveller.state.heard, this.awaited(step));
  }

  /** What a step waits for at which the walk has stopped. */
  awaited(step: StepOf<'wait_for'>): Awaited | null {
    return awaitedBy(step, this.#arrivedAt, this.#mails);
  }

  /** The mails that the walk has sent, by their steps. */
  sentMails(): Mails {
    const sent = new Set(this.#messages.map(({ step }) => step));
    return Object.fromEntries(Object.entries(this.#mails).filter(([step]) => sent.has(step)));
  }
}
