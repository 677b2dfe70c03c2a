import Type, { type Static } from 'typebox';
import { Limit, listReply, Page } from '../../resources/paging.ts';

const MAX_HEADERS = 50;

/** Any JSON object; kept as it is. */
const FreeObject = Type.Object({}, { additionalProperties: true });

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where deliveries are posted: http or https.',
});
const Active = Type.Boolean({
  description: 'An inactive webhook gets no deliveries; waiting ones are dropped.',
});
const TestData = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'The JSON body that the test endpoint sends: 100,000 characters at most.',
  },
);

const HeaderInput = Type.Object({
  name: Type.String({ maxLength: 200 }),
  value: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'On replace, a secret header without a value keeps the stored one.',
    }),
  ),
  is_secret: Type.Optional(
    Type.Boolean({
      description:
        'A secret value is stored encrypted and never read back. Default: as the stored header, else false.',
    }),
  ),
});

const TargetInput = Type.Object({
  url: Url,
  headers: Type.Optional(Type.Array(HeaderInput, { maxItems: MAX_HEADERS, description: 'Default: none.' })),
});

const WebhookEvent = Type.Object({
  event_type: Type.Literal('form.submission'),
  form_code: Type.String({ description: 'The one form whose submissions are delivered.' }),
});

/** The body of a create. */
export const WebhookCreate = Type.Object({
  event: WebhookEvent,
  name: Name,
  target: TargetInput,
  active: Type.Optional(Active),
  test_data: Type.Optional(TestData),
});

/** The body of a replace; what is optional keeps its value when left out. */
export const WebhookReplace = Type.Object({
  event: Type.Optional(Type.Unknown({ description: 'Refused: the event is set once.' })),
  name: Name,
  target: TargetInput,
  active: Type.Optional(Active),
  test_data: Type.Optional(TestData),
  version: Type.Optional(Type.Integer({ description: 'The version last read; a stale one is refused.' })),
});

/** A webhook as it is read. */
export const Webhook = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  created_at: Type.String(),
  name: Type.String(),
  event: Type.Object({ event_type: Type.String(), form_code: Type.String() }),
  target: Type.Object({
    url: Type.String(),
    headers: Type.Array(
      Type.Object({
        name: Type.String(),
        value: Type.Optional(Type.String({ description: 'Absent for a secret header.' })),
        is_secret: Type.Boolean(),
      }),
    ),
  }),
  active: Type.Boolean(),
  test_data: FreeObject,
  last_attempt_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The most recent attempt of any delivery; tests do not count.',
  }),
  last_attempt_status: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: '`success` or `failed`: how that attempt ended.',
  }),
});

/** All webhooks that the caller may read. */
export const WebhookList = Type.Object({ results: Type.Array(Webhook) });
/** Narrows the list to one form. */
export const WebhookQuery = Type.Object({ form_code: Type.Optional(Type.String()) });
/** Names a webhook. */
export const WebhookParams = Type.Object({ id: Type.String() });
/** Names a delivery of a webhook. */
export const DeliveryParams = Type.Object({ id: Type.String(), delivery_id: Type.String() });
/** Acknowledges a write. */
export const IdReply = Type.Object({ id: Type.String() });

/** How a test call went. */
export const TestReply = Type.Object({
  success: Type.Boolean({ description: 'Whether the receiver answered with a 2xx status.' }),
  status_code: Type.Optional(Type.Integer({ description: 'Absent when no answer arrived.' })),
  response_body: Type.Optional(
    Type.String({ description: 'The first 64 KiB of the answer, secret header values blotted out.' }),
  ),
  error: Type.Optional(Type.String({ description: 'Why no answer arrived.' })),
  duration_ms: Type.Integer(),
});

/** A page of a delivery log. */
export const DeliveryQuery = Type.Object({
  page: Type.Optional(Page),
  limit: Type.Optional(Limit),
});

/** One entry of the delivery log. */
export const Delivery = Type.Object({
  id: Type.String({ description: 'Sent as Tessera-Delivery-Id with every attempt.' }),
  submission_id: Type.String(),
  status: Type.Enum(['pending', 'success', 'failed']),
  attempts: Type.Integer({ description: 'Attempts that have ended.' }),
  last_status_code: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  last_error: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  next_attempt_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'When a pending delivery is attempted next; while an attempt is under way, when it would be taken as lost.',
  }),
  created_at: Type.String(),
});

/** The delivery log, newest first. Entries that have ended are kept for 30 days. */
export const DeliveryList = listReply(Delivery);

export type WebhookCreate = Static<typeof WebhookCreate>;
export type WebhookReplace = Static<typeof WebhookReplace>;
export type Webhook = Static<typeof Webhook>;
export type HeaderInput = Static<typeof HeaderInput>;
export type TestReply = Static<typeof TestReply>;
export type Delivery = Static<typeof Delivery>;
export type DeliveryQuery = Static<typeof DeliveryQuery>;
