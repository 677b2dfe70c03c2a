import { sql } from 'kysely';
import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { TableOf, ViewOf } from '../../../resources/field-types.ts';
import { hidden, integer, moment, text, time, uuid } from '../../../resources/fields.ts';
import { uuidKey, within } from '../../../resources/keys.ts';
import { orderedPage, type PageReply } from '../../../resources/paging.ts';
import { defineResource } from '../../../resources/resource.ts';
import type { HttpQueueItem } from '../../../work-queue/http-work-queue.ts';

/** Finished deliveries have no next attempt. */
function dueOf(table: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`case when ${column('state')} = 'pending' then ${column('due_at')} end`;
}

const fields = {
  target_id: hidden(uuid(Type.String(), { writes: 'platform' })),
  id: uuid(Type.String({ description: 'Sent as header Tessera-Delivery-Id.' }), {
    writes: 'platform',
  }),
  submission_id: uuid(Type.String(), { writes: 'platform' }),
  status: text(Type.Enum(['pending', 'success', 'failed']), { column: 'state', writes: 'platform' }),
  attempts: integer(Type.Integer({ description: 'Finished attempts.' }), { writes: 'platform' }),
  last_status_code: integer(Type.Integer(), { nullable: true, writes: 'platform' }),
  last_error: text(Type.String(), { nullable: true, writes: 'platform' }),
  next_attempt_at: time(
    Type.String({
      description: 'Next attempt; during an attempt, when its lease expires.',
    }),
    { column: 'due_at', nullable: true, writes: 'platform', computed: dueOf },
  ),
  created_at: moment,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    webhook_deliveries: HttpQueueItem & Omit<TableOf<typeof fields>, keyof HttpQueueItem>;
  }
}

/** Deliveries of submissions to a webhook (`target_id`). */
export const deliveryLog = defineResource({
  title: 'WebhookDelivery',
  table: 'webhook_deliveries',
  key: within(uuidKey('target_id'), uuidKey('id')),
  notFound: NOT_FOUND,
  fields,
});

/** A page of the delivery log, newest first. Finished entries are kept for 30 days. */
export const DeliveryList = Type.Unsafe<PageReply<ViewOf<typeof fields>>>(orderedPage(deliveryLog.listReply));
