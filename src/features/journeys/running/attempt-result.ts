import type { SubscriberMerge } from '../../contacts/api.ts';
import type { Mails } from '../resource.ts';
import type { HistoryEntry, Status } from '../schema.ts';
import type { AwaitedEvent } from '../states/awaited-events.ts';
import type { PlannedMessage } from './mail-preparation.ts';

/** Result of an attempt: the new position of an enrollment, and the effects of its steps. */
export interface AttemptResult {
  readonly subscriberId: string;
  readonly journeyId: string;
  readonly status: Status;
  /** Key of the current step; null after the end. */
  readonly step: string | null;
  readonly arrivedAt: Date;
  /** End of the wait; null if the enrollment does not wait. */
  readonly waitsUntil: Date | null;
  readonly awaited: AwaitedEvent | null;
  /** Lane of the next attempt; `parked` until an inactive journey becomes active. */
  readonly lane: 'steps' | 'calls' | 'parked';
  readonly stepsTaken: number;
  readonly entries: readonly HistoryEntry[];
  readonly mails: Mails;
  readonly messages: readonly PlannedMessage[];
  /** Change of the subscriber; null if there is none. */
  readonly merge: SubscriberMerge | null;
  readonly error: string | null;
}
