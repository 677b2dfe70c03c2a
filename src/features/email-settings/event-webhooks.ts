/** Event webhooks: replacing the stored collection, and encrypting their secrets. */
import { v7 as uuidv7 } from 'uuid';
import type { Issue } from '../../errors/app-error.ts';
import { invalidRequest } from '../../errors/platform-errors.ts';
import { checkEach } from '../../http/body-checks.ts';
import type { MemberContext } from '../../http/context.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import { parseTarget } from '../../outbound/target-policy.ts';
import { secretFaults, secretOf } from '../../outbound/webhook-signature.ts';
import { columnsOf } from '../../resources/body.ts';
import { deleteRecords, putRecords } from '../../resources/records.ts';
import type { SealedColumn } from '../../secrets/sealed-columns.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { requireDistinct } from './collections.ts';
import { type EventWebhook, type EventWebhookInput, eventWebhooks } from './event-webhook-resource.ts';
import { findWebhookSecrets } from './queries.ts';

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
    return {
      key,
      columns: { ...columnsOf(eventWebhooks.fields, 'replace', webhook), events, position, secret },
    };
  });
  const retained = new Set(replacements.map(({ key }) => key));
  const removed = [...stored.values()].flatMap(({ id }) => (retained.has(id) ? [] : [id]));
  await deleteRecords(ctx, eventWebhooks, removed);
  await putRecords(ctx, eventWebhooks, replacements);
}

/**
 * Returns the secret in plain text, or null. @throws SecretBoxError when SECRET_KEY has changed since it was encrypted.
 */
export function openEventWebhookSecret(
  secrets: SecretBox,
  { id, secret }: Pick<EventWebhook, 'id' | 'secret'>,
): string | null {
  return secret === null ? null : secrets.open(secret, id);
}
