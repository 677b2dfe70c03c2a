/** What a step waits for, as states keep what they have heard: by kind, and by the mail or form it was of. */
import type { Mails } from '../resource.ts';
import type { StepOf } from '../schema.ts';

/** What wakes a state. */
export interface Awaited {
  readonly key: string;
  /** Earlier events do not count. */
  readonly since: Date;
}

/** An event that states may have waited for. */
export interface HeardEvent {
  readonly type: StepOf<'wait_for'>['event'];
  /** The mail that was opened, the form that was submitted. */
  readonly of?: string | undefined;
  readonly at: Date;
}

/** Of one mail whatever happens counts: it was not there before, though clocks may differ. */
const EVER = new Date(0);

/** What a step waits for that the person has arrived at then. Null: nothing can happen, as there was no such mail. */
export function awaitedBy(step: StepOf<'wait_for'>, arrivedAt: Date, mails: Mails): Awaited | null {
  const since = countsSince(step, arrivedAt, mails);
  if (step.event === 'open' || step.event === 'click') {
    if (step.step === undefined) return { key: step.event, since };
    const mail = mails[step.step];
    return mail === undefined ? null : { key: `${step.event}:${mail.id}`, since: EVER };
  }
  return { key: step.form_code === undefined ? step.event : `${step.event}:${step.form_code}`, since };
}

/** Since when events count: since the mail of the step that is named, else since the arrival. */
export function countsSince(step: StepOf<'wait_for'>, arrivedAt: Date, mails: Mails): Date {
  const mail = step.step === undefined ? undefined : mails[step.step];
  return mail === undefined ? arrivedAt : new Date(mail.at);
}

/** The keys under which an event is kept. */
export function keysOf({ type, of }: Pick<HeardEvent, 'type' | 'of'>): readonly string[] {
  return of === undefined ? [type] : [type, `${type}:${of}`];
}

/** Whether what was heard has what is waited for; `heard` has the time of the last event under each key. */
export function isHeard(heard: Readonly<Record<string, string>>, awaited: Awaited | null): boolean {
  const last = awaited === null ? undefined : heard[awaited.key];
  return awaited !== null && last !== undefined && new Date(last) >= awaited.since;
}
