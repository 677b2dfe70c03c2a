import type { LoadedEventDelivery } from './queries.ts';

/**
 * What a receiver is told of an event (docs/specification/email-events.md#event-webhooks). `recipient` is the
 * address as it was given, `email_id` the e-mail of the campaign, of other mail the message; `metadata` is that of the transmission, over it that of
 * the recipient, over both `ip` and `user_agent`. A click tells where it led to; an open or click that no
 * person made, why it does not count; a bounce its class, and as the reason what the other side said.
 */
export function toEventBody(loaded: LoadedEventDelivery) {
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
