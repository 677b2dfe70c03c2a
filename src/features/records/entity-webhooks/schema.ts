import Type, { type Static } from 'typebox';
import { Secret, SigningSecret } from '../../../outbound/webhook-signature.ts';

/** At most so many events are named by one webhook. */
const MAX_EVENTS = 200;

/** A webhook as a body gives it. */
export const WebhookBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Where deliveries are posted: http or https.',
    }),
    events: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: MAX_EVENTS,
      description: 'Names of events: `<entity>.created`, `<entity>.updated`, `<entity>.deleted`.',
    }),
    secret: Type.Optional(Secret),
    signing_secret: Type.Optional(SigningSecret),
  },
  { title: 'EntityWebhookCreate' },
);
export type WebhookBody = Static<typeof WebhookBody>;

/** A webhook as answers show it, without its secret. */
export const WebhookReply = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
  },
  { title: 'EntityWebhook' },
);
export type WebhookReply = Static<typeof WebhookReply>;

/** All webhooks. */
export const WebhookList = Type.Object({ data: Type.Array(WebhookReply) }, { title: 'EntityWebhookList' });

/** Names a webhook. */
export const WebhookParams = Type.Object({ id: Type.String() });

/** What a delete answers. */
export const Deleted = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'EntityWebhookDeleted' },
);
