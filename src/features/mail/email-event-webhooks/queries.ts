import type { Time } from '../../../db/tables.ts';
import type { StoredCause } from '../../../flows/chain.ts';
import type { HttpQueueItem } from '../../../work-queue/http-work-queue.ts';

/** Queue item: the delivery of an event to an event webhook (`target_id`). */
export interface EventDeliveryRow extends HttpQueueItem {
  event_id: string;
  created_at: Time;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    email_event_deliveries: EventDeliveryRow;
  }
}

/** The input of one attempt: the current webhook, the event, and its message. */
export interface LoadedEventDelivery {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly target: string;
  /** Encrypted for the webhook's id. */
  readonly secret: string | null;
  readonly event_id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly url: string | null;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  readonly machine_reason: string | null;
  readonly bounce_class: string | null;
  readonly detail: string | null;
  readonly message_id: string;
  readonly address: string;
  readonly tags: readonly string[] | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly transmission_id: string | null;
  readonly campaign_id: string | null;
  /** The campaign's email; null for other mail. */
  readonly marketing_email_id: string | null;
  readonly transmission_metadata: Readonly<Record<string, unknown>> | null;
  /** Total size of tags and metadata, in bytes. */
  readonly data_bytes: number;
  /** True if tags and metadata were not loaded because of their size. */
  readonly is_left_out: boolean;
  /** The chain that led to the transmission. */
  readonly cause: StoredCause | null;
}
