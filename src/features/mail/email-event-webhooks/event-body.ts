import type { LoadedEventDelivery } from './queries.ts';

/** An event with its message. */
export type MessageEventData = Omit<
  LoadedEventDelivery,
  'delivery_id' | 'webhook_id' | 'target' | 'secret' | 'data_bytes' | 'is_left_out' | 'cause'
>;

/**
 * Returns the body of an event (docs/specification/email-events.md#event-webhooks). `recipient` is the address as the
 * caller wrote it. `email_id` is the campaign's email, or the message for other mail. `metadata` merges that of the
 * transmission, that of the recipient, and `ip` and `user_agent`; later ones win. A click contains its target URL, a
 * machine's open or click the reason why it does not count, and a bounce its class and the reply of the mail server.
 */
export function toEventBody(loaded: MessageEventData) {
  const { type, url, machine_reason, bounce_class, detail } = loaded;
  return {
    event: type,
    event_id: loaded.event_id,
    timestamp: new Date(loaded.occurred_at).toISOString(),
    recipient: loaded.address,
    campaign_id: loaded.campaign_id,
    email_id: loaded.marketing_email_id ?? loaded.message_id,
    message_id: loaded.message_id,
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
