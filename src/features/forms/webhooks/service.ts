import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import { type BodyCheck, check } from '../../../http/body-checks.ts';
import type { MemberContext } from '../../../http/context.ts';
import { parseTarget } from '../../../outbound/target-policy.ts';
import { secretFaults, secretOf } from '../../../outbound/webhook-signature.ts';
import { sendTest, type TestReply } from '../../../outbound/webhook-test.ts';
import { countLastDay, type HourlyCountName } from '../../../overview/hourly-counts.ts';
import type { Columns } from '../../../resources/body.ts';
import { isUuid } from '../../../resources/keys.ts';
import { answerSortedPage, type Extension } from '../../../resources/large-lists.ts';
import { readListQuery } from '../../../resources/list-queries.ts';
import { listAllRecords } from '../../../resources/lists.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { deleteRecords, getRecord } from '../../../resources/records.ts';
import { idOfNew, type RestoringContext } from '../../../resources/restored-records.ts';
import { openedOrNull, SECRET_KEY_CHANGED } from '../../../secrets/secret-box.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type FormForSubmission, findFormByCode, formNames } from '../forms/index.ts';
import { headersOf, webhookDeliveries } from './delivery.ts';
import { deliveryLog } from './delivery-log.ts';
import { headerFaults, mergeHeaders, redactHeaderValues, type StoredHeader } from './headers.ts';
import { dropWaitingDeliveries, removeDeliveryLog } from './jobs.ts';
import { formCodesOf, makeDeliveryDue } from './queries.ts';
import { type WebhookCreate, type WebhookReplace, type WebhookRow, webhookResource } from './resource.ts';
import type { DeliveryQuery, GetQuery } from './schema.ts';

const MAX_TEST_DATA_CHARACTERS = 100_000;

/** Checks of a webhook that need neither the database nor DNS. */
export const WEBHOOK_CHECKS: readonly BodyCheck<WebhookReplace>[] = [
  check(['target.url'], ({ target }) => {
    const url = parseTarget(target.url);
    return typeof url === 'string' ? [{ field: 'target.url', message: url }] : [];
  }),
  check(['target.headers'], ({ target }) => headerFaults(target.headers ?? [], 'target.headers')),
  check(['secret', 'signing_secret'], (body) => secretFaults(body)),
  // Limits the size of a list of webhooks, which may be read without pages.
  check(['test_data'], ({ test_data }) => {
    if (test_data === undefined || JSON.stringify(test_data).length <= MAX_TEST_DATA_CHARACTERS) return [];
    const message = `must not be longer than ${MAX_TEST_DATA_CHARACTERS} characters of JSON`;
    return [{ field: 'test_data', message }];
  }),
];

/** A new webhook with its id, which is the context for encrypting its secrets. */
export interface PreparedWebhook {
  readonly id: string;
  readonly form: FormForSubmission;
  readonly headers: readonly StoredHeader[];
  readonly signing_secret: string | null;
}

/**
 * Validates a new webhook and resolves its host. @throws AppError INVALID_REQUEST, or VALIDATION_ERROR for an unknown
 * form.
 */
export async function prepareCreate(
  ctx: MemberContext & RestoringContext,
  input: WebhookCreate,
): Promise<PreparedWebhook> {
  const id = idOfNew(ctx);
  const headers = await checkTarget(ctx, id, input.target, []);
  const form = await findFormByCode(ctx.db, input.event.form_code);
  if (form === null) throw ruleBroken('event.form_code', 'does not exist');
  return { id, form, headers, signing_secret: sealSigningSecret(ctx, id, secretOf(input) ?? null) };
}

/**
 * Validates a replacement and resolves its host. A body has `event` only if it is a complete webhook as returned by
 * GET, with its `id`. @throws AppError NOT_FOUND, FORBIDDEN, or INVALID_REQUEST.
 */
export async function prepareReplace(
  ctx: MemberContext,
  input: WebhookReplace,
  [id = '']: readonly string[],
): Promise<void> {
  const current = await getRecord(ctx.db, webhookResource, id);
  requireRole(ctx.caller, current.owner_bu_id, 'editor');
  if (
    'event' in input &&
    !('id' in input && isDeepStrictEqual(input.event, webhookResource.view(current).event))
  )
    throw invalidRequest([{ field: 'event', message: 'is not allowed here: it cannot be changed' }]);
  // The write merges the headers again with those stored by then.
  await checkTarget(ctx, id, input.target, current.headers);
}

/** Returns the new headers and signing secret. Deactivation also drops pending deliveries. */
export async function replaceColumns(
  ctx: MemberContext,
  { target, active, ...secrets }: WebhookReplace,
  stored: WebhookRow,
): Promise<Columns> {
  if (stored.active && active === false) {
    const payload = { tenantId: stored.tenant_id, webhookId: stored.id, before: ctx.now.toISOString() };
    await ctx.platform.jobs.enqueue(ctx.db, dropWaitingDeliveries, payload);
  }
  const secret = secretOf(secrets);
  return {
    headers: mergeOrRefuse(ctx, stored.id, target, stored.headers, []),
    ...(secret === undefined ? {} : { signing_secret: sealSigningSecret(ctx, stored.id, secret) }),
  };
}

/** Deletes the delivery log of a deleted webhook in the background. */
export async function removeLog(ctx: MemberContext, { tenant_id, id }: WebhookRow): Promise<void> {
  await ctx.platform.jobs.enqueue(ctx.db, removeDeliveryLog, { tenantId: tenant_id, webhookId: id });
}

/** Deletes the webhooks of a deleted form, with their delivery logs. */
export async function deleteWebhooksOf(ctx: MemberContext, formCode: string): Promise<void> {
  const filters = { form_code: { operation: 'eq', value: formCode } };
  const webhooks = await listAllRecords(ctx.db, webhookResource, { filters });
  await deleteRecords(
    ctx,
    webhookResource,
    webhooks.map(({ id }) => id),
  );
  for (const webhook of webhooks) await removeLog(ctx, webhook);
}

/** Sends `test_data` to the target once, signed like a delivery, and returns the result. Nothing is stored. */
export async function testWebhook(ctx: MemberContext, id: string): Promise<TestReply> {
  const { platform } = ctx;
  const webhook = await getRecord(ctx.db, webhookResource, id);
  requireRole(ctx.caller, webhook.owner_bu_id, 'editor');
  const body = JSON.stringify(webhook.test_data);
  const headers = openedOrNull(() => headersOf(platform, webhook, { id: uuidv7(), body }));
  if (headers === null) return { success: false, error: SECRET_KEY_CHANGED, duration_ms: 0 };
  const redact = (text: string) => redactHeaderValues(text, webhook.headers, headers);
  return sendTest(ctx, { url: webhook.url, headers, body, redact });
}

/** Returns a webhook, with its figures if the query asks for them. @throws AppError NOT_FOUND. */
export async function getWebhook({ db, now }: MemberContext, id: string, { figures = false }: GetQuery) {
  const webhook = webhookResource.view(await getRecord(db, webhookResource, id));
  const [more] = figures ? await extensionOf(db, now).of([webhook.id]) : [];
  return { ...webhook, ...more };
}

/** Adds the names of their forms and the finished deliveries of the last 24 hours to webhooks. */
export function extensionOf(db: ScopedDb, now: Date): Extension {
  return {
    names: ['form_name', 'last_24h'],
    of: async (ids) => {
      const codes = await formCodesOf(db, ids);
      const names = await formNames(db, [...codes.values()]);
      const counts = await countLastDay(db, ['webhook_succeeded', 'webhook_failed'], ids, now);
      const countOf = (name: HourlyCountName, id: string) => counts.get(`${name} ${id}`) ?? 0;
      return ids.map((id) => ({
        form_name: names.get(codes.get(id) ?? '') ?? null,
        last_24h: { succeeded: countOf('webhook_succeeded', id), failed: countOf('webhook_failed', id) },
      }));
    },
  };
}

/** Returns a page of a webhook's delivery log, newest first. @throws AppError NOT_FOUND. */
export async function listWebhookDeliveries(ctx: MemberContext, id: string, query: DeliveryQuery) {
  await getRecord(ctx.db, webhookResource, id);
  return answerSortedPage(ctx.db, deliveryLog, { ...readListQuery(query), parent: [id] });
}

/**
 * Sends a delivery again, now and with five attempts. @throws AppError NOT_FOUND, FORBIDDEN, or VALIDATION_ERROR if
 * the webhook is inactive.
 */
export async function redeliver(ctx: MemberContext, id: string, deliveryId: string): Promise<{ id: string }> {
  const webhook = await getRecord(ctx.db, webhookResource, id);
  requireRole(ctx.caller, webhook.owner_bu_id, 'editor');
  const isFound = isUuid(deliveryId) && (await makeDeliveryDue(ctx.db, id, deliveryId, ctx.now));
  if (!isFound) throw new AppError(NOT_FOUND);
  if (!webhook.active) throw ruleBroken('active', 'is false: activate the webhook first');
  ctx.db.afterCommit(() => ctx.platform.workQueues.wake(webhookDeliveries));
  return { id: deliveryId };
}

/** Encrypts a signing secret with the webhook's id as context. */
function sealSigningSecret({ platform }: MemberContext, id: string, secret: string | null): string | null {
  return secret === null ? null : platform.secrets.seal(secret, id);
}

/** Returns the headers to store. @throws AppError INVALID_REQUEST naming every fault of the target. */
async function checkTarget(
  ctx: MemberContext,
  id: string,
  target: WebhookCreate['target'],
  stored: readonly StoredHeader[],
): Promise<readonly StoredHeader[]> {
  const urlFault = await ctx.platform.outbound.checkTarget(target.url);
  const issues = urlFault === null ? [] : [{ field: 'target.url', message: urlFault }];
  return mergeOrRefuse(ctx, id, target, stored, issues);
}

function mergeOrRefuse(
  { platform }: MemberContext,
  id: string,
  { headers = [] }: WebhookCreate['target'],
  stored: readonly StoredHeader[],
  issues: readonly Issue[],
): readonly StoredHeader[] {
  const merged = mergeHeaders(platform.secrets, id, headers, stored, 'target.headers');
  const all = [...issues, ...merged.issues];
  if (all.length > 0) throw invalidRequest(all);
  return merged.headers;
}
