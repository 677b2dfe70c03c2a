/** Event webhooks: how a submitted collection changes the stored one, and how their secrets are kept. */
import { v7 as uuidv7 } from 'uuid';
import type { Issue } from '../../errors/app-error.ts';
import { invalidRequest, ruleBroken } from '../../errors/platform-errors.ts';
import { checkEach } from '../../http/body-checks.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import { parseTarget } from '../../outbound/target-policy.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { EventWebhook } from './queries.ts';
import type { EventWebhookInput, EventWebhookView } from './schema.ts';

/** The rules for event webhooks beside their schema: those of their addresses that need no look-up. */
export const EVENT_WEBHOOK_CHECKS = checkEach('event_webhooks', ({ target }: EventWebhookInput, place) => {
  const url = parseTarget(target);
  return typeof url === 'string' ? [{ field: `${place}.target`, message: url }] : [];
});

/**
 * @throws AppError VALIDATION_ERROR for a name that is given twice, INVALID_REQUEST for targets that outbound calls
 * may not reach. Looks hosts up: not inside a transaction.
 */
export async function checkEventWebhooks(
  outbound: OutboundClient,
  given: readonly EventWebhookInput[],
): Promise<void> {
  const names = given.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0) throw ruleBroken(`event_webhooks[${twice}].name`, 'is given twice');
  const refusals = await Promise.all(given.map(({ target }) => outbound.checkTarget(target)));
  const issues = refusals.flatMap((message, index): Issue[] =>
    message === null ? [] : [{ field: `event_webhooks[${index}].target`, message }],
  );
  if (issues.length > 0) throw invalidRequest(issues);
}

/** What replaces the stored webhooks. One of a stored name stays that webhook: its past and, if none is given, its secret. */
export function mergeEventWebhooks(
  secrets: SecretBox,
  given: readonly EventWebhookInput[],
  stored: readonly EventWebhook[],
): EventWebhook[] {
  const byName = new Map(stored.map((webhook) => [webhook.name, webhook]));
  return given.map(({ name, target, events, active, secret }) => {
    const known = byName.get(name);
    const id = known?.id ?? uuidv7();
    return {
      id,
      name,
      target,
      events: [...new Set(events)],
      active,
      secret:
        secret === undefined ? (known?.secret ?? null) : secret === null ? null : secrets.seal(secret, id),
      last_successful: known?.last_successful ?? null,
      last_failure: known?.last_failure ?? null,
    };
  });
}

/** The webhook as it is read: without its secret. */
export function toEventWebhookView(webhook: EventWebhook): EventWebhookView {
  const { name, target, events, active, last_successful, last_failure } = webhook;
  return { name, target, events: [...events], active, last_successful, last_failure };
}

/** The secret in plain text, or null. @throws SecretBoxError when SECRET_KEY has changed since it was sealed. */
export function openEventWebhookSecret(
  secrets: SecretBox,
  { id, secret }: Pick<EventWebhook, 'id' | 'secret'>,
): string | null {
  return secret === null ? null : secrets.open(secret, id);
}
