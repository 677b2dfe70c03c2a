import type { LoadedEventDelivery } from './queries.ts';

/** What a receiver is told of an event: document 2, Events; decisions section 6. */
export interface EventBody {
  readonly event: string;
  readonly event_id: string;
  readonly timestamp: string;
  /** The address as it was given. */
  readonly recipient: string;
  readonly campaign_id: string | null;
  /** The message's id. */
  readonly email_id: string;
  readonly transmission_id: string | null;
  readonly tags: readonly string[];
  /** That of the transmission, over it that of the recipient, over both `ip` and `user_agent`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Of a click: where it led to. */
  readonly url?: string;
  /** Of an open or click that no person made: why it does not count. */
  readonly machine_reason?: string;
  /** Of a bounce: hard or soft. */
  readonly bounce_class?: string;
  /** Of a bounce: what the other side said. */
  readonly reason?: string;
}

/** The body of a delivery. */
export function toEventBody(loaded: LoadedEventDelivery): EventBody {
  const { type, url, machine_reason, bounce_class, detail } = loaded;
  return {
    event: type,
    event_id: loaded.event_id,
    timestamp: new Date(loaded.occurred_at).toISOString(),
    recipient: loaded.address,
    campaign_id: loaded.campaign_id,
    email_id: loaded.message_id,
    transmission_id: loaded.transmission_id,
    tags: loaded.tags ?? [],
    metadata: {
      ...loaded.transmission_metadata,
      ...loaded.metadata,
      ip: loaded.ip_address,
      user_agent: loaded.user_agent,
    },
    ...(url === null ? {} : { url }),
    ...(machine_reason === null ? {} : { machine_reason }),
    ...(bounce_class === null ? {} : { bounce_class }),
    ...(type !== 'bounce' || detail === null ? {} : { reason: detail }),
  };
}
