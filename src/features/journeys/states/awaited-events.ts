/** Keys of awaited events: an event type, alone or with the message or form (`open:<id>`). */
import type { Mails } from '../resource.ts';
import type { StepOf } from '../schema.ts';

/** The event that wakes an enrollment. */
export interface AwaitedEvent {
  readonly key: string;
  /** Earlier events do not count. */
  readonly since: Date;
}

/** An event that enrollments may be waiting for. */
export interface OccurredEvent {
  readonly type: StepOf<'wait_for'>['event'];
  /** Id of the opened message, or code of the submitted form. */
  readonly reference?: string | undefined;
  readonly at: Date;
}

/** Start time for events of a message: all count, as none can precede the message, even if clocks differ. */
const EPOCH = new Date(0);

/** Returns the event that a step waits for; null if it cannot occur because the message was not sent. */
export function awaitedEvent(step: StepOf<'wait_for'>, arrivedAt: Date, mails: Mails): AwaitedEvent | null {
  const since = countedSince(step, arrivedAt, mails);
  if (step.event === 'open' || step.event === 'click') {
    if (step.step === undefined) return { key: step.event, since };
    const mail = mails[step.step];
    return mail === undefined ? null : { key: `${step.event}:${mail.id}`, since: EPOCH };
  }
  return { key: step.form_code === undefined ? step.event : `${step.event}:${step.form_code}`, since };
}

/** Returns the time from which events count: that of the named step's message, else the arrival. */
export function countedSince(step: StepOf<'wait_for'>, arrivedAt: Date, mails: Mails): Date {
  const mail = step.step === undefined ? undefined : mails[step.step];
  return mail === undefined ? arrivedAt : new Date(mail.at);
}

/** Returns the keys under which an event is stored. */
export function eventKeys({ type, reference }: Pick<OccurredEvent, 'type' | 'reference'>): readonly string[] {
  return reference === undefined ? [type] : [type, `${type}:${reference}`];
}

/** True if the awaited event has occurred; `heard` has the time of the last event for each key. */
export function hasOccurred(heard: Readonly<Record<string, string>>, awaited: AwaitedEvent | null): boolean {
  const last = awaited === null ? undefined : heard[awaited.key];
  return awaited !== null && last !== undefined && new Date(last) >= awaited.since;
}
