/** The world of a simulation: a virtual clock, events that are made up, and a person who changes in mind only. */
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { personData } from '../../campaigns/index.ts';
import { compileFilters } from '../../computed-audiences/index.ts';
import { type EmailSettings, findSuppressions, isWhitelisted } from '../../email-settings/index.ts';
import { findMergeIssue, findValueIssues } from '../../subscribers/index.ts';
import type { SplitFacts } from '../definition/split.ts';
import type { JourneyRow, Mails } from '../resource.ts';
import { type MailContent, readMailContent } from '../running/mail-content.ts';
import { renderMails } from '../running/mailing.ts';
import { sharedData } from '../running/sendings.ts';
import type { SimulateBody, StepOf } from '../schema.ts';
import { awaitedBy, countsSince } from '../states/awaited.ts';
import type { Calling, FilledCall, FilledFields, Sending, Updating, World } from '../steps/world.ts';
import { matchInvented } from './match-invented.ts';
import type { ShownSteps } from './shown-steps.ts';
import type { VirtualPerson } from './virtual-person.ts';

/** Times have years of four digits. */
const LAST_MOMENT = new Date('9999-12-31T23:59:59.999Z');

/** An event that is made up, and when it happens. */
export interface VirtualEvent extends Omit<NonNullable<SimulateBody['events']>[number], 'after_seconds'> {
  readonly at: Date;
}

/** What a simulation is made of. */
export interface Simulation {
  readonly platform: Platform;
  /** The whole tenant's rows; read only. */
  readonly db: ScopedDb;
  readonly settings: EmailSettings;
  readonly journey: JourneyRow;
  readonly person: VirtualPerson;
  readonly trigger: object;
  readonly events: readonly VirtualEvent[];
  readonly startAt: Date;
  /** Ends the simulation before its next step: nobody waits for it, or its time is over. */
  readonly end: AbortSignal;
}

/** One person's journey on a virtual clock. */
export class VirtualWorld implements World {
  readonly facts: SplitFacts;
  readonly #simulation: Simulation;
  #now: Date;
  #arrivedAt: Date;
  /** Whether the step that is visited next is one at which the clock was turned. */
  #isResumed = false;
  #person: VirtualPerson;
  #mails: Mails = {};
  /** All that were sent, the first one first; those of one step have its key. */
  readonly #sent: { readonly step: string; readonly at: Date }[] = [];
  readonly #shown: ShownSteps;

  constructor(simulation: Simulation, shown: ShownSteps) {
    const { journey, person, startAt } = simulation;
    this.#simulation = simulation;
    this.#shown = shown;
    this.#person = person;
    this.#now = startAt;
    this.#arrivedAt = startAt;
    this.facts = { journeyId: journey.id, version: journey.version, subscriberId: person.id };
  }

  now(): Date {
    return this.#now;
  }

  /** Turns the clock to where a step waits no longer, and has the step visited again; false: the clock does not go so far. */
  turnTo(until: Date, step: StepOf<'wait_for'> | null): boolean {
    const event =
      step === null ? undefined : this.#eventsFor(step).find(({ at }) => at > this.#now && at <= until);
    const moment = event?.at ?? until;
    if (moment > LAST_MOMENT) return false;
    this.#now = moment;
    this.#isResumed = true;
    return true;
  }

  begins(): boolean {
    if (this.#simulation.end.aborted) return false;
    if (!this.#isResumed) this.#arrivedAt = this.#now;
    this.#isResumed = false;
    this.#shown.begin();
    return true;
  }

  arrivedAt(): Date {
    return this.#arrivedAt;
  }

  values() {
    const { id, name } = this.#simulation.journey;
    return {
      subscriber: personData(this.#person),
      trigger: this.#simulation.trigger,
      journey: { id, name },
    };
  }

  async send(step: StepOf<'send_email'>): Promise<Sending> {
    const { platform, db, settings, journey, trigger } = this.#simulation;
    const mail = await readMailContent(platform, db, step);
    if (typeof mail === 'string') return { outcome: 'failed', error: mail };
    if (!(await this.#mayReceive(mail))) return { outcome: 'skipped' };
    const people = [{ person: this.#person, trigger }];
    const shared = sharedData(journey);
    const [result] = await renderMails(platform, db, { mail, settings, shared, step: step.key, people });
    if (!result?.ok) return { outcome: 'failed', error: result?.error.message ?? 'The mail cannot be made.' };
    this.#mails = { ...this.#mails, [step.key]: { id: step.key, at: this.#now.toISOString() } };
    this.#sent.push({ step: step.key, at: this.#now });
    await this.#shown.show({ email: { subject: result.subject, html: result.html } });
    return { outcome: 'sent' };
  }

  /** Of somebody who is made up nothing is known but what was said of them. */
  async #mayReceive({ isTransactional, subscriptionTypeId }: MailContent): Promise<boolean> {
    const { isInvented, address_key: address, left } = this.#person;
    if (subscriptionTypeId !== null && left.has(subscriptionTypeId)) return false;
    if (isInvented) return true;
    const { platform, db, settings } = this.#simulation;
    if (settings.sandbox_mode && !isWhitelisted(settings, address)) return false;
    const isExempt = isTransactional || subscriptionTypeId !== null;
    return !(await findSuppressions(platform, db, [address], isExempt)).has(address);
  }

  meets(step: StepOf<'branch'>): Promise<boolean> {
    const { db, settings } = this.#simulation;
    const definitions = settings.subscriber_additional_fields;
    const { conditions } = compileFilters(step.filters, definitions, this.#now, false);
    const { id, owner_bu_id, first_name, last_name, email, address_key, active } = this.#person;
    const { lists, audiences, created_at, updated_at } = this.#person;
    const person = {
      ...{ id, owner_bu_id, first_name, last_name, email, address_key, active, lists, audiences },
      ...{ created_at, updated_at, engaged: this.#engaged() },
      additional_fields_data: this.#person.additional_fields_data ?? {},
    };
    return matchInvented(db, person, conditions);
  }

  /** When each mail of the simulation was first opened and clicked until now: an event is of the last one that it can be of. */
  #engaged() {
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

  async update(step: StepOf<'update_subscriber'>, fields: FilledFields): Promise<Updating> {
    const { lists, left, additional_fields_data } = this.#person;
    const issue =
      findValueIssues(fields, this.#simulation.settings.subscriber_additional_fields)[0] ??
      findMergeIssue(additional_fields_data ?? {}, fields);
    if (issue !== null) return { ok: false, error: `${issue.field} ${issue.message}` };
    const removed = new Set(step.remove_lists ?? []);
    const nowLeft = new Set(left);
    for (const { subscription_type_id: id, subscribe } of step.subscription_updates ?? [])
      if (subscribe) nowLeft.delete(id);
      else nowLeft.add(id);
    this.#person = {
      ...this.#person,
      additional_fields_data: { ...additional_fields_data, ...fields },
      lists: [...new Set([...lists.filter((id) => !removed.has(id)), ...(step.add_lists ?? [])])],
      left: nowLeft,
      updated_at: this.#now.toISOString(),
    };
    return { ok: true };
  }

  async call(_step: StepOf<'http_request'>, { method, url }: FilledCall): Promise<Calling> {
    await this.#shown.show({ request: { method, url } });
    return { ok: true };
  }

  hasHeard(step: StepOf<'wait_for'>): boolean {
    return this.#eventsFor(step).some(({ at }) => at <= this.#now);
  }

  /** The events that count for a step at which the person is, in the order of their times. */
  #eventsFor(step: StepOf<'wait_for'>): VirtualEvent[] {
    if (awaitedBy(step, this.#arrivedAt, this.#mails) === null) return [];
    // Mails of one step share their name here: each hears of what comes after it.
    const since = countsSince(step, this.#arrivedAt, this.#mails);
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
