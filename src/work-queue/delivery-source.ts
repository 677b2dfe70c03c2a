/** Contract of a kind of webhook deliveries: `Feature.deliverySources` lists a feature's kinds. */
import type { MemberContext } from '../http/context.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { HttpWorkQueue } from './http-work-queue.ts';

/** Kinds of webhooks, by what they deliver (docs/specification/webhooks.md#deliveries-of-all-webhooks). */
export const DELIVERY_KINDS = ['form', 'email_event', 'record'] as const;

/** A kind of webhooks. */
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** A webhook, as the list of deliveries shows it. */
export interface DeliveryWebhook {
  readonly id: string;
  /** The name, or the URL of a webhook without one. */
  readonly name: string;
  /** False if a delivery would be dropped. */
  readonly is_active: boolean;
  /** The owning unit; null if the webhook belongs to the whole tenant. */
  readonly owner_bu_id: string | null;
}

/** The deliveries of one kind of webhooks. */
export interface DeliverySource {
  readonly kind: DeliveryKind;
  /** Its table also has `created_at`, and ids in the order of their creation. */
  readonly queue: HttpWorkQueue;
  /** The column with the id of what is delivered. */
  readonly subject: string;
  /** The deliveries that a caller sees: all, those of `listWebhooks`, or none. */
  readonly reach: (caller: Caller) => 'all' | 'some' | 'none';
  /** Returns the webhooks that the caller sees, or those with these ids. */
  readonly listWebhooks: (ctx: MemberContext, ids?: readonly string[]) => Promise<readonly DeliveryWebhook[]>;
  /** Returns true if the caller may send the deliveries of a webhook again. */
  readonly mayRedeliver: (caller: Caller, webhook: DeliveryWebhook) => boolean;
}
