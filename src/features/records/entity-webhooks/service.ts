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

/** Maximum number of webhooks per tenant: a change causes a delivery to every webhook that listens to it. */
const MAX_WEBHOOKS = 100;

const EVENT = /^(?<entity>[a-z][a-z0-9_]*)\.(?:created|updated|deleted)$/;

/** Checks of a webhook that need neither the database nor DNS. */
export const WEBHOOK_CHECKS = [
  check<WebhookBody>(['url'], ({ url }) => {
    const target = parseTarget(url);
    return typeof target === 'string' ? [{ field: 'url', message: target }] : [];
  }),
  check<WebhookBody>(['secret', 'signing_secret'], (secrets) =>
    secretOf(secrets) ? secretFaults(secrets) : [{ field: 'secret', message: 'is required' }],
  ),
];

/** Resolves the host of a new webhook. Returns the reason if its URL may not be called, or null. */
export function prepareWebhook({ platform }: BearerContext, { url }: WebhookBody): Promise<string | null> {
  return platform.outbound.checkTarget(url);
}

/** Adds a webhook. @throws AppError INVALID_REQUEST, or VALIDATION_ERROR if there are too many. */
export async function createWebhook(
  { db, platform, now }: BearerContext,
  { url, events, ...secrets }: WebhookBody,
  urlFault: string | null,
): Promise<WebhookReply> {
  // Raising the revision locks it: concurrent requests cannot exceed the limit or delete an entity of the events.
  await raiseRevision(db);
  const { definitions } = await readDefinitions(db);
  const issues = [
    ...(urlFault === null ? [] : [{ field: 'url', message: urlFault }]),
    ...findEventFaults(new Set(definitions.map(({ name }) => name)), events),
  ];
  if (issues.length > 0) throw invalidRequest(issues);
  if ((await countWebhooks(db)) >= MAX_WEBHOOKS)
    throw ruleBroken('url', `exceeds the limit of ${MAX_WEBHOOKS} webhooks per tenant; delete one first`);
  const webhook = { id: uuidv7(), url, events: [...new Set(events)] };
  await insertWebhook(db, webhook, platform.secrets.seal(secretOf(secrets) ?? '', webhook.id), now);
  return webhook;
}

function findEventFaults(entities: ReadonlySet<string>, events: readonly string[]): Issue[] {
  return events.flatMap((event, index) => {
    const entity = EVENT.exec(event)?.groups?.entity;
    const field = `events[${index}]`;
    if (entity === undefined)
      return [{ field, message: 'must be <entity>.created, <entity>.updated or <entity>.deleted' }];
    return entities.has(entity) ? [] : [{ field, message: 'must reference an existing entity' }];
  });
}

/** Removes a webhook; its pending deliveries are dropped. @throws AppError NOT_FOUND. */
export async function removeWebhook({ db }: BearerContext, id: string) {
  await raiseRevision(db);
  if (!isUuid(id) || !(await deleteWebhook(db, id))) throw new AppError(NOT_FOUND);
  return { success: true as const, message: 'The webhook was deleted.' };
}

/** Stores changes of records, in the same transaction, for delivery after the commit. */
export async function storeChanges(
  { db, platform, now }: Pick<BearerContext, 'platform' | 'now'> & { readonly db: ScopedDb },
  changes: Changes,
): Promise<void> {
  if ((await insertChanges(db, changes, now)) > 0)
    db.afterCommit(() => platform.workQueues.wake(changeDeliveries));
}
