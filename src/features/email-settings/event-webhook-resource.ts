/** The resource of event webhooks. */
import Type from 'typebox';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { Secret, SigningSecret } from '../../outbound/webhook-signature.ts';
import type { ReplaceOf, RowOf, TableOf } from '../../resources/field-types.ts';
import { boolean, hidden, id, integer, json, text, time } from '../../resources/fields.ts';
import { uuidKey } from '../../resources/keys.ts';
import { requireDefaultAdmin } from '../../resources/ownership.ts';
import { defineResource } from '../../resources/resource.ts';
import type { FailureColumns } from '../../work-queue/target-outcomes.ts';
import { MailEvent } from './schema.ts';

const lastTime = (description: string) =>
  time(Type.String({ format: 'date-time', description }), { nullable: true, writes: 'platform' });

const fields = {
  id: hidden(id),
  position: hidden(integer(Type.Integer(), { writes: 'platform' })),
  name: text(Type.String({ minLength: 1, maxLength: 200, description: 'Unique.' }), {}),
  target: text(
    Type.String({ minLength: 1, maxLength: 2048, description: 'Target of events: http or https.' }),
    {},
  ),
  events: json(Type.Array(MailEvent, { maxItems: 100 }), { declared: true }),
  active: boolean(Type.Boolean({ description: 'Inactive webhooks receive nothing.' }), {}),
  /** Encrypted for the webhook's id. */
  secret: hidden(text(Secret, { keeps: true })),
  signing_secret: hidden(text(SigningSecret, { column: 'secret', keeps: true })),
  last_successful: lastTime('Last successful delivery.'),
  last_failure: lastTime('Last failed attempt.'),
};

declare module '../../db/tables.ts' {
  interface Tables {
    email_event_webhooks: TableOf<typeof fields> & FailureColumns;
  }
}

/** A stored event webhook. */
export type EventWebhook = RowOf<typeof fields>;
/** A submitted event webhook. */
export type EventWebhookInput = ReplaceOf<typeof fields>;

/** Targets that receive events of messages. */
export const eventWebhooks = defineResource({
  title: 'EventWebhook',
  table: 'email_event_webhooks',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  guard: requireDefaultAdmin,
  fields,
});
