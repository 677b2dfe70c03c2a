import Type, { type Static } from 'typebox';
import { Secret, SigningSecret } from '../../../outbound/webhook-signature.ts';

/** Maximum number of events per webhook. */
const MAX_EVENTS = 200;

/** Body of a new webhook. */
export const WebhookBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Target of deliveries: http or https.',
    }),
    events: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: MAX_EVENTS,
      description: '`<entity>.created`, `<entity>.updated` or `<entity>.deleted`.',
    }),
    secret: Type.Optional(Secret),
    signing_secret: Type.Optional(SigningSecret),
  },
  { title: 'EntityWebhookCreate' },
);
/** A new webhook. */
export type WebhookBody = Static<typeof WebhookBody>;

/** A webhook in responses, without its secret. */
export const WebhookReply = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
  },
  { title: 'EntityWebhook' },
);
/** A webhook in responses. */
export type WebhookReply = Static<typeof WebhookReply>;

/** All webhooks. */
export const WebhookList = Type.Object({ data: Type.Array(WebhookReply) }, { title: 'EntityWebhookList' });

/** Path parameters. */
export const WebhookParams = Type.Object({ id: Type.String() });

/** Response of a deletion. */
export const Deleted = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'EntityWebhookDeleted' },
);
