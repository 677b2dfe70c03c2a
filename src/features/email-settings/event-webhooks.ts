/** Event webhooks: replacing the stored collection, and encrypting their secrets. */
import Type from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import type { Issue } from '../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND } from '../../errors/platform-errors.ts';
import { checkEach } from '../../http/body-checks.ts';
import type { MemberContext } from '../../http/context.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import { parseTarget } from '../../outbound/target-policy.ts';
import { Secret, SigningSecret, secretFaults, secretOf } from '../../outbound/webhook-signature.ts';
import { columnsOf } from '../../resources/body.ts';
import type { ReplaceOf, RowOf, TableOf } from '../../resources/field-types.ts';
import { boolean, hidden, id, integer, json, text, time } from '../../resources/fields.ts';
import { uuidKey } from '../../resources/keys.ts';
import { requireDefaultAdmin } from '../../resources/ownership.ts';
import { deleteRecords, putRecords } from '../../resources/records.ts';
import { defineResource } from '../../resources/resource.ts';
import type { SealedColumn } from '../../secrets/sealed-columns.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { requireDistinct } from './collections.ts';
import { findWebhookSecrets } from './queries.ts';
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
    email_event_webhooks: TableOf<typeof fields>;
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

/** Column of the secrets. */
export const sealedSecrets: SealedColumn = {
  table: 'email_event_webhooks',
  column: 'secret',
  type: 'text',
  key: { id: 'uuid' },
  sealedUnder: ({ id = '' }) => id,
};

/** Rules of event webhooks beyond their schema: those of their targets that need no DNS lookup. */
export const EVENT_WEBHOOK_CHECKS = checkEach('event_webhooks', (webhook: EventWebhookInput, path) => {
  const url = parseTarget(webhook.target);
  return [
    ...(typeof url === 'string' ? [{ field: `${path}.target`, message: url }] : []),
    ...secretFaults(webhook, `${path}.`),
  ];
});

/**
 * Checks names and targets. Looks up hosts, so do not call it in a transaction.
 * @throws AppError VALIDATION_ERROR for a repeated name, INVALID_REQUEST for targets that outbound calls may not reach.
 */
export async function checkEventWebhooks(
  outbound: OutboundClient,
  webhooks: readonly EventWebhookInput[],
): Promise<void> {
  const names = webhooks.map(({ name }) => name);
  requireDistinct(names, 'event_webhooks', 'name');
  const refusals = await Promise.all(webhooks.map(({ target }) => outbound.checkTarget(target)));
  const issues = refusals.flatMap((message, index): Issue[] =>
    message === null ? [] : [{ field: `event_webhooks[${index}].target`, message }],
  );
  if (issues.length > 0) throw invalidRequest(issues);
}

/**
 * Replaces all event webhooks, while the settings are locked. A webhook with a stored name keeps its id, its delivery
 * times and, if none is given, its secret.
 */
export async function replaceEventWebhooks(
  ctx: MemberContext,
  webhooks: readonly EventWebhookInput[],
): Promise<void> {
  const stored = await findWebhookSecrets(ctx.db);
  const replacements = webhooks.map((webhook, position) => {
    const existing = stored.get(webhook.name);
    const key = existing?.id ?? uuidv7();
    const plain = secretOf(webhook);
    const sealed = plain ? ctx.platform.secrets.seal(plain, key) : null;
    const secret = plain === undefined ? (existing?.secret ?? null) : sealed;
    const events = [...new Set(webhook.events)];
    return { key, columns: { ...columnsOf(fields, 'replace', webhook), events, position, secret } };
  });
  const retained = new Set(replacements.map(({ key }) => key));
  const removed = [...stored.values()].flatMap(({ id }) => (retained.has(id) ? [] : [id]));
  await deleteRecords(ctx, eventWebhooks, removed);
  await putRecords(ctx, eventWebhooks, replacements);
}

/** Returns the secret in plain text, or null. @throws SecretBoxError when SECRET_KEY has changed since it was encrypted. */
export function openEventWebhookSecret(
  secrets: SecretBox,
  { id, secret }: Pick<EventWebhook, 'id' | 'secret'>,
): string | null {
  return secret === null ? null : secrets.open(secret, id);
}
