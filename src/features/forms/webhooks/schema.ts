import Type, { type Static } from 'typebox';
import { listParameters } from '../../../resources/list-queries.ts';

const MAX_HEADERS = 50;

/** Name of a webhook. */
export const Name = Type.String({ minLength: 1, maxLength: 200 });
/** URL that deliveries are sent to. */
export const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where deliveries are posted: http or https.',
});
/** Active or paused. */
export const Active = Type.Boolean({
  description: 'An inactive webhook gets no deliveries; waiting ones are dropped.',
});
/** Data that a test sends. */
export const TestData = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'The JSON body that the test endpoint sends: 100,000 characters at most.',
  },
);

const HeaderInput = Type.Object(
  {
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
  },
  { title: 'WebhookHeaderInput' },
);

/** Headers in a body. */
export const HeaderInputs = Type.Array(HeaderInput, { maxItems: MAX_HEADERS, description: 'Default: none.' });

/** Headers in responses. */
export const Headers = Type.Array(
  Type.Object(
    {
      name: Type.String(),
      value: Type.Optional(Type.String({ description: 'Absent for a secret header.' })),
      is_secret: Type.Boolean(),
    },
    { title: 'WebhookHeader' },
  ),
);

/** Query of the list; `form_code` filters by form. */
export const WebhookQuery = Type.Object({ form_code: Type.Optional(Type.String()), ...listParameters });
/** Path parameters of a webhook. */
export const WebhookParams = Type.Object({ id: Type.String() });
/** Path parameters of a delivery. */
export const DeliveryParams = Type.Object({ id: Type.String(), delivery_id: Type.String() });

/** Result of a test. */
export const TestReply = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether the receiver answered with a 2xx status.' }),
    status_code: Type.Optional(Type.Integer({ description: 'Absent when no answer arrived.' })),
    response_body: Type.Optional(
      Type.String({ description: 'The first 64 KiB of the answer, secret header values blotted out.' }),
    ),
    error: Type.Optional(Type.String({ description: 'Why no answer arrived.' })),
    duration_ms: Type.Integer(),
  },
  { title: 'WebhookTestReply' },
);

/** Query of the delivery log. */
export const DeliveryQuery = Type.Object(listParameters);

export type HeaderInput = Static<typeof HeaderInput>;
export type TestReply = Static<typeof TestReply>;
export type DeliveryQuery = Static<typeof DeliveryQuery>;
