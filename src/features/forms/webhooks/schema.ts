import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { listParameters } from '../../../resources/list-queries.ts';

const MAX_HEADERS = 50;

/** Name of a webhook. */
export const Name = Type.String({ minLength: 1, maxLength: 200 });
/** URL that deliveries are sent to. */
export const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Target of deliveries: http or https.',
});
/** Active or paused. */
export const Active = Type.Boolean({
  description: 'False: no deliveries; pending ones are dropped.',
});
/** Data that a test sends. */
export const TestData = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'JSON body of test requests; at most 100,000 characters.',
  },
);

const HeaderInput = Type.Object(
  {
    name: Type.String({ maxLength: 200 }),
    value: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'A PUT without it keeps the value of a secret header.',
      }),
    ),
    is_secret: Type.Optional(
      Type.Boolean({
        description: 'Stored encrypted and never returned. Default: as stored, else false.',
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
/** Members that a page of the list, and `figures=true`, add to a webhook. */
export const Figures = {
  form_name: Type.Optional(
    nullable(Type.String(), {
      description:
        'Name of its form; null if the form was deleted meanwhile. In pages of the list, and with `figures=true`.',
    }),
  ),
  last_24h: Type.Optional(
    Type.Object(
      {
        succeeded: Type.Integer(),
        failed: Type.Integer({ description: 'Not retried any more.' }),
      },
      {
        title: 'WebhookFigures',
        description:
          'Finished deliveries of the last 24 hours, to the hour. In pages of the list, and with `figures=true`.',
      },
    ),
  ),
};

/** Path parameters of a webhook. */
export const WebhookParams = Type.Object({ id: Type.String() });
/** Query of one webhook. */
export const GetQuery = Type.Object({
  figures: Type.Optional(Type.Boolean({ description: 'Adds `form_name` and `last_24h`. Default: false.' })),
});
/** Path parameters of a delivery. */
export const DeliveryParams = Type.Object({ id: Type.String(), delivery_id: Type.String() });

/** Query of the delivery log. */
export const DeliveryQuery = Type.Object(listParameters);

/** A header in a request. */
export type HeaderInput = Static<typeof HeaderInput>;
/** Parameters of the delivery log. */
export type DeliveryQuery = Static<typeof DeliveryQuery>;
/** Query of one webhook. */
export type GetQuery = Static<typeof GetQuery>;
