import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { requireRole } from '../../resources/ownership.ts';
import { type ListPage, pageOf, toListPage } from '../../resources/paging.ts';
import { createRecord, deleteRecord, getRecord, replaceRecord, uuidKeys } from '../../resources/records.ts';
import { openedOrNull, SECRET_KEY_CHANGED } from '../../secrets/secret-box.ts';
import { type FormForSubmission, findFormByCode } from '../forms/index.ts';
import { webhookDeliveries } from './delivery.ts';
import { blotOutSecrets, mergeHeaders, openHeaders, type StoredHeader } from './headers.ts';
import { dropWaitingDeliveries, removeDeliveryLog } from './jobs.ts';
import { type DeliveryRow, listDeliveries, listWebhooks, makeDeliveryDue } from './queries.ts';
import { webhookResource } from './resource.ts';
import type { Delivery, DeliveryQuery, TestReply, Webhook, WebhookCreate, WebhookReplace } from './schema.ts';

const MAX_TEST_DATA_CHARACTERS = 100_000;

/** What is known of a new webhook before it is written: its secret headers are sealed under its id. */
export interface PreparedWebhook {
  readonly id: string;
  readonly form: FormForSubmission;
  readonly headers: readonly StoredHeader[];
}

/** Checks a new webhook and looks its host up. @throws AppError INVALID_REQUEST, or VALIDATION_ERROR for an unknown form. */
export async function prepareCreate(ctx: MemberContext, input: WebhookCreate): Promise<PreparedWebhook> {
  checkTestData(input);
  const id = uuidv7();
  const headers = await checkTarget(ctx, id, input.target, []);
  const form = await findFormByCode(ctx.db, input.event.form_code);
  if (form === null) throw ruleBroken('event.form_code', 'does not exist');
  return { id, form, headers };
}

/** Creates a webhook of a form, in the form's business unit. @throws AppError FORBIDDEN. */
export async function createWebhook(
  ctx: MemberContext,
  { name, target, active = true, test_data = {} }: WebhookCreate,
  { id, form, headers }: PreparedWebhook,
): Promise<{ id: string }> {
  const columns = {
    name,
    form_code: form.code,
    url: target.url,
    headers: JSON.stringify(headers),
    active,
    test_data: JSON.stringify(test_data),
  };
  const resource = { ...webhookResource, newKey: () => id };
  await createRecord(ctx, resource, columns, { parentUnitId: form.owner_bu_id });
  return { id };
}

/** All webhooks that the caller may read, newest first; the contract has no paging here. */
export async function listAllWebhooks(ctx: MemberContext, formCode: string | undefined): Promise<Webhook[]> {
  const rows = await listWebhooks(ctx.db, formCode);
  return rows.map(webhookResource.view);
}

/** Reads a webhook. @throws AppError NOT_FOUND. */
export async function getWebhook(ctx: MemberContext, id: string): Promise<Webhook> {
  return webhookResource.view(await getRecord(ctx.db, webhookResource, id));
}

/**
 * Checks what a webhook shall be replaced with, and looks its host up.
 * @throws AppError NOT_FOUND, FORBIDDEN, or INVALID_REQUEST, also when the body carries `event`.
 */
export async function prepareReplace(ctx: MemberContext, id: string, input: WebhookReplace): Promise<void> {
  if ('event' in input)
    throw invalidRequest([{ field: 'event', message: 'cannot be changed; leave it out' }]);
  checkTestData(input);
  const current = await getRecord(ctx.db, webhookResource, id);
  requireRole(ctx.caller, current.owner_bu_id, 'editor');
  // The headers are merged again when it is written, with what is stored then.
  await checkTarget(ctx, id, input.target, current.headers);
}

/**
 * Replaces what may change of a webhook; what the body leaves out of `active`, `test_data` and secret values stays.
 * @throws AppError as `replaceRecord`.
 */
export async function replaceWebhook(
  ctx: MemberContext,
  id: string,
  input: WebhookReplace,
): Promise<{ id: string }> {
  const options = input.version === undefined ? {} : { version: input.version };
  await replaceRecord(ctx, webhookResource, id, options, async (stored, tx) => {
    const headers = mergeOrRefuse(ctx, id, input.target, stored.headers, []);
    const active = input.active ?? stored.active;
    if (stored.active && !active) {
      const payload = { tenantId: tx.tenantId, webhookId: id, before: ctx.now.toISOString() };
      await ctx.platform.jobs.enqueue(tx, dropWaitingDeliveries, payload);
    }
    return {
      name: input.name,
      url: input.target.url,
      headers: JSON.stringify(headers),
      active,
      test_data: JSON.stringify(input.test_data ?? stored.test_data),
    };
  });
  return { id };
}

/** Deletes a webhook, and in the background its delivery log. @throws AppError as `deleteRecord`. */
export async function deleteWebhook(ctx: MemberContext, id: string): Promise<{ id: string }> {
  await deleteRecord(ctx, webhookResource, id);
  await ctx.platform.jobs.enqueue(ctx.db, removeDeliveryLog, { tenantId: ctx.db.tenantId, webhookId: id });
  return { id };
}

/** Sends `test_data` to the target once and tells what came of it. It is no delivery and leaves no trace. */
export async function testWebhook(ctx: MemberContext, id: string): Promise<TestReply> {
  const { platform } = ctx;
  const webhook = await getRecord(ctx.db, webhookResource, id);
  requireRole(ctx.caller, webhook.owner_bu_id, 'editor');
  const headers = openedOrNull(() => openHeaders(platform.secrets, webhook.id, webhook.headers));
  if (headers === null) return { success: false, error: SECRET_KEY_CHANGED, duration_ms: 0 };
  const result = await platform.outbound.send({
    url: webhook.url,
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(webhook.test_data),
    timeoutMs: platform.config.webhookTimeoutSeconds * 1000,
  });
  if (!result.ok) return { success: false, error: result.error, duration_ms: result.durationMs };
  return {
    success: result.status >= 200 && result.status < 300,
    status_code: result.status,
    response_body: blotOutSecrets(result.body, webhook.headers, headers),
    duration_ms: result.durationMs,
  };
}

/** One page of a webhook's delivery log, newest first. @throws AppError NOT_FOUND. */
export async function listWebhookDeliveries(
  ctx: MemberContext,
  id: string,
  query: DeliveryQuery,
): Promise<ListPage<Delivery>> {
  await getRecord(ctx.db, webhookResource, id);
  const page = pageOf(query);
  const { rows, total } = await listDeliveries(ctx.db, id, page);
  return toListPage(rows.map(toDelivery), total, page);
}

/**
 * Has a delivery made again, now and with five attempts.
 * @throws AppError NOT_FOUND, FORBIDDEN, or VALIDATION_ERROR when the webhook is inactive.
 */
export async function redeliver(ctx: MemberContext, id: string, deliveryId: string): Promise<{ id: string }> {
  const webhook = await getRecord(ctx.db, webhookResource, id);
  requireRole(ctx.caller, webhook.owner_bu_id, 'editor');
  if (!uuidKeys.isKey(deliveryId)) throw new AppError(NOT_FOUND);
  const isFound = await makeDeliveryDue(ctx.db, id, deliveryId, ctx.now);
  if (!isFound) throw new AppError(NOT_FOUND);
  if (!webhook.active) throw ruleBroken('active', 'is false: activate the webhook first');
  ctx.db.afterCommit(() => ctx.platform.ledgers.wake(webhookDeliveries));
  return { id: deliveryId };
}

/** The list of webhooks has no pages: all of their test data are read at once. @throws AppError INVALID_REQUEST. */
function checkTestData({ test_data }: Pick<WebhookCreate, 'test_data'>): void {
  if (test_data === undefined || JSON.stringify(test_data).length <= MAX_TEST_DATA_CHARACTERS) return;
  const message = `must not be longer than ${MAX_TEST_DATA_CHARACTERS} characters of JSON`;
  throw invalidRequest([{ field: 'test_data', message }]);
}

/** The headers to store. @throws AppError INVALID_REQUEST naming every fault of the target. */
async function checkTarget(
  ctx: MemberContext,
  id: string,
  target: WebhookCreate['target'],
  stored: readonly StoredHeader[],
): Promise<readonly StoredHeader[]> {
  const refusal = await ctx.platform.outbound.checkTarget(target.url);
  const issues = refusal === null ? [] : [{ field: 'target.url', message: refusal }];
  return mergeOrRefuse(ctx, id, target, stored, issues);
}

function mergeOrRefuse(
  { platform }: MemberContext,
  id: string,
  { headers = [] }: WebhookCreate['target'],
  stored: readonly StoredHeader[],
  issues: readonly Issue[],
): readonly StoredHeader[] {
  const merged = mergeHeaders(platform, id, headers, stored, 'target.headers');
  if (!merged.ok) throw invalidRequest([...issues, ...merged.issues]);
  if (issues.length > 0) throw invalidRequest(issues);
  return merged.headers;
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    submission_id: row.submission_id,
    status: row.state,
    attempts: row.attempts,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    next_attempt_at: row.state === 'pending' ? String(row.due_at) : null,
    created_at: String(row.created_at),
  };
}
