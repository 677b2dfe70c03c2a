import Type, { type Static } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { listMembers } from '../../resources/list-queries.ts';
import { Filters, orderedPage, type PageReply } from '../../resources/paging.ts';
import { DELIVERY_KINDS } from '../../work-queue/delivery-source.ts';

/** Most deliveries that one call sends again. */
export const MAX_REDELIVERED = 100_000;

const fields = {
  id: Type.String({ description: 'Sent as header Tessera-Delivery-Id.' }),
  kind: Type.Enum([...DELIVERY_KINDS], {
    description: 'Webhook of a form, event webhook of email, or webhook of record changes.',
  }),
  webhook_id: Type.String(),
  webhook_name: nullable(
    Type.String({ description: 'For `record` the URL; null if the webhook was deleted.' }),
  ),
  business_unit: nullable(
    Type.String({ description: 'Id of the owning unit; null for webhooks of the whole tenant.' }),
  ),
  subject_id: Type.String({ description: 'Id of the submission, event or change that is delivered.' }),
  status: Type.Enum(['pending', 'success', 'failed']),
  attempt_count: Type.Integer({ description: 'Finished attempts since the delivery was last started.' }),
  status_code: nullable(Type.Integer({ description: 'Last response; null without one.' })),
  error: nullable(Type.String({ description: 'Why the last attempt was no success.' })),
  next_attempt_at: nullable(Type.String({ format: 'date-time', description: 'While `pending`.' })),
  created_at: Type.String(),
};

/** A delivery in the list of all webhooks. */
export const Delivery = Type.Object(fields, { title: 'Delivery' });
/** A delivery in the list of all webhooks. */
export type Delivery = Static<typeof Delivery>;

/** Body of the list. */
export const DeliveryListQuery = Type.Object(
  { ...listMembers, filters: Type.Optional(Filters) },
  { title: 'DeliveryListQuery' },
);
/** Body of the list. */
export type DeliveryListQuery = Static<typeof DeliveryListQuery>;

/** A page of deliveries. */
export const DeliveryList = Type.Unsafe<PageReply<Delivery>>(orderedPage(Delivery));

/** Path parameters of a delivery. */
export const DeliveryParams = Type.Object({ id: Type.String() });

const TextByName = Type.Record(Type.String(), Type.String());

const DeliveryRequest = Type.Object(
  {
    url: Type.String(),
    headers: TextByName,
    body: Type.String({ description: 'JSON text; at most 64 KiB.' }),
  },
  {
    title: 'DeliveryRequest',
    description:
      'What an attempt would send now, with the current target; secrets and signatures are `[secret]`. Null if nothing would be sent: the webhook is paused or deleted, or what it delivers was deleted.',
  },
);

const DeliveryAttempt = Type.Object(
  {
    n: Type.Integer({ description: 'Number among the attempts, from 1.' }),
    started_at: Type.String({ format: 'date-time' }),
    duration_ms: Type.Integer(),
    status_code: nullable(Type.Integer({ description: 'Null without a response.' })),
    error: nullable(Type.String({ description: 'Null for a success.' })),
    blocked_by: nullable(
      Type.Enum(['outbound_policy'], { description: 'The rule that prevented the request.' }),
    ),
    response_headers: nullable(TextByName),
    response_body: nullable(Type.String({ description: 'At most 64 KiB.' })),
  },
  { title: 'DeliveryAttempt' },
);

/** A delivery with its request and attempts. */
export const DeliveryDetail = Type.Object(
  {
    ...fields,
    request: nullable(DeliveryRequest),
    attempts: Type.Array(DeliveryAttempt, { description: 'Of the last 30 days, oldest first.' }),
  },
  { title: 'DeliveryDetail' },
);
/** A delivery with its request and attempts. */
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** Body of a redelivery of many. */
export const Redelivery = Type.Object(
  {
    filters: Filters,
    dry_run: Type.Optional(Type.Boolean({ description: 'Only counts.' })),
    expected_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_REDELIVERED,
        description: 'Required unless `dry_run`: the number that a dry run returned.',
      }),
    ),
  },
  { title: 'Redelivery' },
);
/** Body of a redelivery of many. */
export type Redelivery = Static<typeof Redelivery>;

const SkippedDeliveries = Type.Object(
  {
    reason: Type.Enum(['FORBIDDEN', 'PAUSED'], {
      description: 'The caller may not change their webhooks, or the webhooks are paused.',
    }),
    count: Type.Integer(),
  },
  { title: 'SkippedDeliveries' },
);

/** Result of a redelivery of many. */
export const RedeliveryReply = Type.Object(
  {
    count: Type.Integer({ description: 'Selected deliveries.' }),
    skipped: Type.Array(SkippedDeliveries, { description: 'Selected deliveries that are not sent again.' }),
    sample: Type.Array(Delivery, { description: 'With `dry_run`: the newest five. Otherwise empty.' }),
  },
  { title: 'RedeliveryReply' },
);
/** Result of a redelivery of many. */
export type RedeliveryReply = Static<typeof RedeliveryReply>;
