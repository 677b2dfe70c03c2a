/** The environment of a simulation: a virtual clock, virtual events, and a subscriber that changes only in memory. */

import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { additionalFields, compileFilters } from '../../contacts/api.ts';
import { type EmailSettings, findRecipientRules } from '../../email-settings/api.ts';
import { subscriberTemplateData } from '../../marketing/api.ts';
import type { SplitDetails } from '../definition/split.ts';
import type { JourneyRow, Mails } from '../resource.ts';
import { type MailContent, readMailContent } from '../running/mail-content.ts';
import { renderMails } from '../running/mail-preparation.ts';
import { sharedData } from '../running/sendings.ts';
import type { StepOf } from '../schema.ts';
import { awaitedEvent, countedSince } from '../states/awaited-events.ts';
import type {
  CallResult,
  MailResult,
  ResolvedCall,
  ResolvedFields,
  StepEnvironment,
  UpdateResult,
} from '../steps/environment.ts';
import type { SimulateBody } from './schema.ts';
import type { SimulatedSubscriber } from './simulated-subscriber.ts';
import type { StepPreviews } from './step-previews.ts';
import { matchVirtual } from './virtual-matching.ts';

/** End of the virtual clock: years have four digits. */
const LAST_MOMENT = new Date('9999-12-31T23:59:59.999Z');

/** A virtual event with its time. */
export interface VirtualEvent extends Omit<NonNullable<SimulateBody['events']>[number], 'after_seconds'> {
  readonly at: Date;
}

/** Data of a simulation. */
export interface Simulation {
  readonly platform: Platform;
  /** Reads rows of the whole tenant. */
  readonly db: ScopedDb;
  readonly settings: EmailSettings;
  readonly journey: JourneyRow;
  readonly subscriber: SimulatedSubscriber;
  readonly trigger: object;
  readonly events: readonly VirtualEvent[];
  readonly startAt: Date;
  /** Aborts the simulation before its next step when the client disconnects or the time limit has passed. */
  readonly deadline: AbortSignal;
}

/** Environment of a simulated enrollment on a virtual clock. */
export class SimulationEnvironment implements StepEnvironment {
  readonly splitDetails: SplitDetails;
  readonly #simulation: Simulation;
  #now: Date;
  #arrivedAt: Date;
  /** True if the clock was advanced at the step that is visited next. */
  #isResumed = false;
  #subscriber: SimulatedSubscriber;
  #mails: Mails = {};
  /** All sent mails in order, with the keys of their steps. */
  readonly #sent: { readonly step: string; readonly at: Date }[] = [];
  readonly #previews: StepPreviews;

  constructor(simulation: Simulation, previews: StepPreviews) {
    const { journey, subscriber, startAt } = simulation;
    this.#simulation = simulation;
    this.#previews = previews;
    this.#subscriber = subscriber;
    this.#now = startAt;
    this.#arrivedAt = startAt;
    this.splitDetails = { journeyId: journey.id, version: journey.version, subscriberId: subscriber.id };
  }

  now(): Date {
    return this.#now;
  }

  /** Advances the clock to the end of a wait; the step is then visited again. False if the clock cannot go that far. */
  advanceTo(until: Date, step: StepOf<'wait_for'> | null): boolean {
    const event =
      step === null ? undefined : this.#eventsFor(step).find(({ at }) => at > this.#now && at <= until);
    const moment = event?.at ?? until;
    if (moment > LAST_MOMENT) return false;
    this.#now = moment;
    this.#isResumed = true;
    return true;
  }

  begin(): boolean {
    if (this.#simulation.deadline.aborted) return false;
    if (!this.#isResumed) this.#arrivedAt = this.#now;
    this.#isResumed = false;
    this.#previews.begin();
    return true;
  }

  arrivedAt(): Date {
    return this.#arrivedAt;
  }

  values() {
    const { id, name } = this.#simulation.journey;
    return {
      subscriber: subscriberTemplateData(this.#subscriber),
      trigger: this.#simulation.trigger,
      journey: { id, name },
    };
  }

  async send(step: StepOf<'send_email'>): Promise<MailResult> {
    const { platform, db, journey, trigger } = this.#simulation;
    const mail = await readMailContent(platform, db, step);
    if (typeof mail === 'string') return { outcome: 'failed', error: mail };
    if (!(await this.#mayReceive(mail))) return { outcome: 'skipped' };
    const recipients = [{ subscriber: this.#subscriber, trigger }];
    const shared = sharedData(journey);
    const [result] = await renderMails(platform, db, { mail, shared, step: step.key, recipients });
    if (!result?.ok)
      return { outcome: 'failed', error: result?.error.message ?? 'The mail cannot be rendered.' };
    this.#mails = { ...this.#mails, [step.key]: { id: step.key, at: this.#now.toISOString() } };
    this.#sent.push({ step: step.key, at: this.#now });
    await this.#previews.show({ email: { subject: result.subject, html: result.html } });
    return { outcome: 'sent' };
  }

  /** Applies the rules of recipients. A virtual subscriber has no suppressions and is not subject to the sandbox. */
  async #mayReceive(mail: MailContent): Promise<boolean> {
    const { isVirtual, address_key: address, unsubscribedTypeIds } = this.#subscriber;
    if (mail.subscriptionTypeId !== null && unsubscribedTypeIds.has(mail.subscriptionTypeId)) return false;
    if (isVirtual) return true;
    const { platform, db, settings } = this.#simulation;
    return !(await findRecipientRules(platform, db, settings, [address], mail)).has(address);
  }

  meetsFilters(step: StepOf<'branch'>): Promise<boolean> {
    const { db, settings } = this.#simulation;
    const definitions = settings.subscriber_additional_fields;
    const { conditions } = compileFilters(step.filters, definitions, this.#now, false);
    const { id, owner_bu_id, first_name, last_name, email, address_key, active } = this.#subscriber;
    const { lists, audiences, created_at, updated_at } = this.#subscriber;
    const subscriber = {
      id,
      owner_bu_id,
      first_name,
      last_name,
      email,
      address_key,
      active,
      lists,
      audiences,
      created_at,
      updated_at,
      engagements: this.#engagements(),
      additional_fields_data: this.#subscriber.additional_fields_data ?? {},
    };
    return matchVirtual(db, subscriber, conditions);
  }

  /** First open and click of each simulated mail until now. An event belongs to the latest mail that matches it. */
  #engagements() {
    const past = this.#simulation.events
      .filter(({ at }) => at <= this.#now)
      .map(({ type, step, at }) => {
        const mail = this.#sent.findLast(
          (each) => each.at <= at && (step === undefined || each.step === step),
        );
        return { type, mail, time: at.toISOString() };
      })
      .toSorted((a, b) => (a.time < b.time ? -1 : 1));
    return this.#sent.map((mail) => {
      const firstOf = (kind: VirtualEvent['type']) =>
        past.find((event) => event.mail === mail && event.type === kind)?.time ?? null;
      return { opened_at: firstOf('open'), clicked_at: firstOf('click') };
    });
  }

  async update(step: StepOf<'update_subscriber'>, fields: ResolvedFields): Promise<UpdateResult> {
    const { lists, unsubscribedTypeIds, additional_fields_data } = this.#subscriber;
    const issue =
      additionalFields.findValueIssues(fields, this.#simulation.settings.subscriber_additional_fields)[0] ??
      additionalFields.findMergeIssue(additional_fields_data ?? {}, fields);
    if (issue !== null) return { ok: false, error: `${issue.field} ${issue.message}` };
    const removed = new Set(step.remove_lists ?? []);
    const typeIds = new Set(unsubscribedTypeIds);
    for (const { subscription_type_id: id, subscribe } of step.subscription_updates ?? [])
      if (subscribe) typeIds.delete(id);
      else typeIds.add(id);
    this.#subscriber = {
      ...this.#subscriber,
      additional_fields_data: { ...additional_fields_data, ...fields },
      lists: [...new Set([...lists.filter((id) => !removed.has(id)), ...(step.add_lists ?? [])])],
      unsubscribedTypeIds: typeIds,
      updated_at: this.#now.toISOString(),
    };
    return { ok: true };
  }

  async call(_step: StepOf<'http_request'>, { method, url }: ResolvedCall): Promise<CallResult> {
    await this.#previews.show({ request: { method, url } });
    return { ok: true };
  }

  hasOccurred(step: StepOf<'wait_for'>): boolean {
    return this.#eventsFor(step).some(({ at }) => at <= this.#now);
  }

  /** Events that count for the current step, in the order of their times. */
  #eventsFor(step: StepOf<'wait_for'>): VirtualEvent[] {
    if (awaitedEvent(step, this.#arrivedAt, this.#mails) === null) return [];
    // Mails of one step share an id here, so only events after the latest one count.
    const since = countedSince(step, this.#arrivedAt, this.#mails);
    return this.#simulation.events
      .filter(
        (event) =>
          event.type === step.event &&
          event.at >= since &&
          (step.step === undefined || event.step === undefined || event.step === step.step) &&
          (step.form_code === undefined ||
            event.form_code === undefined ||
            event.form_code === step.form_code),
      )
      .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  }
}
