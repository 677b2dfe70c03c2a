import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import { check } from '../../../http/body-checks.ts';
import type { BearerContext } from '../../../http/context.ts';
import { parseTarget } from '../../../outbound/target-policy.ts';
import { secretFaults, secretOf } from '../../../outbound/webhook-signature.ts';
import { isUuid } from '../../../resources/keys.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { raiseRevision, readDefinitions } from '../entities/index.ts';
import { changeDeliveries } from './delivery.ts';
import { type Changes, countWebhooks, deleteWebhook, insertChanges, insertWebhook } from './queries.ts';
import type { WebhookBody, WebhookReply } from './schema.ts';

/** Each change of a record is told to all that listen: a tenant has so many webhooks at most. */
const MAX_WEBHOOKS = 100;

const EVENT = /^(?<entity>[a-z][a-z0-9_]*)\.(?:created|updated|deleted)$/;

/** What a webhook may not be, as far as it needs neither the database nor a look-up. */
export const WEBHOOK_CHECKS = [
  check<WebhookBody>(['url'], ({ url }) => {
    const target = parseTarget(url);
    return typeof target === 'string' ? [{ field: 'url', message: target }] : [];
  }),
  check<WebhookBody>(['secret', 'signing_secret'], (given) =>
    secretOf(given) ? secretFaults(given) : [{ field: 'secret', message: 'is required' }],
  ),
];

/** Looks the host of a new webhook up. What it is refused for; null: it may be called. */
export function prepareWebhook({ platform }: BearerContext, { url }: WebhookBody): Promise<string | null> {
  return platform.outbound.checkTarget(url);
}

/** Adds a webhook. @throws AppError INVALID_REQUEST, or VALIDATION_ERROR when there are too many. */
export async function createWebhook(
  { db, platform, now }: BearerContext,
  { url, events, ...given }: WebhookBody,
  refusal: string | null,
): Promise<WebhookReply> {
  // First, so that of two who add the last one allowed the second waits, and no entity goes whose events are named.
  await raiseRevision(db);
  const { definitions } = await readDefinitions(db);
  const issues = [
    ...(refusal === null ? [] : [{ field: 'url', message: refusal }]),
    ...findFaults(new Set(definitions.map(({ name }) => name)), events),
  ];
  if (issues.length > 0) throw invalidRequest(issues);
  if ((await countWebhooks(db)) >= MAX_WEBHOOKS)
    throw ruleBroken('url', `is one too many: a tenant has at most ${MAX_WEBHOOKS} webhooks`);
  const webhook = { id: uuidv7(), url, events: [...new Set(events)] };
  await insertWebhook(db, webhook, platform.secrets.seal(secretOf(given) ?? '', webhook.id), now);
  return webhook;
}

function findFaults(entities: ReadonlySet<string>, events: readonly string[]): Issue[] {
  return events.flatMap((event, index) => {
    const entity = EVENT.exec(event)?.groups?.entity;
    const field = `events[${index}]`;
    if (entity === undefined)
      return [{ field, message: 'must be <entity>.created, <entity>.updated or <entity>.deleted' }];
    return entities.has(entity) ? [] : [{ field, message: 'names no entity' }];
  });
}

/** Removes a webhook; what waits for it is not delivered. @throws AppError NOT_FOUND. */
export async function removeWebhook({ db }: BearerContext, id: string) {
  await raiseRevision(db);
  if (!isUuid(id) || !(await deleteWebhook(db, id))) throw new AppError(NOT_FOUND);
  return { success: true as const, message: 'The webhook was deleted.' };
}

/** Notes what has happened to records, in their transaction; the deliveries begin when it has committed. */
export async function noteChanges(
  { db, platform, now }: Pick<BearerContext, 'platform' | 'now'> & { readonly db: ScopedDb },
  changes: Changes,
): Promise<void> {
  if ((await insertChanges(db, changes, now)) > 0)
    db.afterCommit(() => platform.workQueues.wake(changeDeliveries));
}
