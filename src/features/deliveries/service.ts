import { AppError } from '../../errors/app-error.ts';
import { COUNT_CHANGED, NOT_FOUND, ruleBroken } from '../../errors/platform-errors.ts';
import { check } from '../../http/body-checks.ts';
import type { MemberContext } from '../../http/context.ts';
import type { JsonText } from '../../http/json-text.ts';
import { isUuid } from '../../resources/keys.ts';
import { readListBody, toPageReply } from '../../resources/list-queries.ts';
import { totalIn } from '../../resources/lists.ts';
import { hasOrderOptions } from '../../resources/order-options.ts';
import { offsetOf, type PageReply } from '../../resources/paging.ts';
import { redactSecrets } from '../../secrets/redact.ts';
import { cutText, listAttempts, shownHeaders } from '../../work-queue/delivery-attempts.ts';
import type { DeliverySource, DeliveryWebhook } from '../../work-queue/delivery-source.ts';
import { cursorAfter, readCursor, readOrder } from './cursor.ts';
import { REQUEST_UNAVAILABLE } from './errors.ts';
import { type DeliveryConditions, readDeliveryFilters } from './filters.ts';
import {
  countDeliveries,
  type DeliveryRow,
  findDelivery,
  listDeliveries,
  makeDeliveriesDue,
  type SelectedSource,
} from './queries.ts';
import {
  Delivery,
  type DeliveryDetail,
  type DeliveryListQuery,
  MAX_REDELIVERED,
  type Redelivery,
  type RedeliveryReply,
} from './schema.ts';

const RETRY_AFTER_SECONDS = 5;

/** The page that a dry run shows. */
const SAMPLE = { isDescending: true, after: null, limit: 5, offset: 0 };

type Sources = readonly DeliverySource[];

/** Returns a page of the deliveries of all webhooks that the caller sees. @throws AppError INVALID_REQUEST. */
export async function listAllDeliveries(
  ctx: MemberContext,
  sources: Sources,
  body: DeliveryListQuery,
): Promise<PageReply<Delivery> | JsonText> {
  const { filters = {}, ...request } = readListBody(body);
  const { isDescending, name } = readOrder(request.sort);
  const after = request.after === undefined ? null : readCursor(name, request.after);
  const conditions = readDeliveryFilters(filters);
  const selected = await selectVisible(ctx, sources, conditions);
  const page = { isDescending, after, limit: request.limit, offset: offsetOf(request) };
  const rows = await listDeliveries(ctx.db, selected, conditions, page);
  const total = await totalIn(request, rows.length, () => countDeliveries(ctx.db, selected, conditions));
  const last = rows.length < request.limit ? undefined : rows.at(-1);
  const next = hasOrderOptions(request)
    ? { next: last === undefined ? null : cursorAfter(name, last.id) }
    : {};
  const webhooks = await webhooksOf(ctx, sources, rows);
  const results = rows.map((row) => toDelivery(row, webhooks.get(row.webhook_id)));
  return toPageReply({ results, ...total, ...next }, request, Object.keys(Delivery.properties));
}

/** Returns a delivery with its request and attempts. @throws AppError NOT_FOUND, or REQUEST_UNAVAILABLE. */
export async function readDelivery(
  ctx: MemberContext,
  sources: Sources,
  id: string,
): Promise<DeliveryDetail> {
  const found = isUuid(id) ? await findVisibleDelivery(ctx, sources, id) : undefined;
  if (found === undefined) throw new AppError(NOT_FOUND);
  const { source, row, webhook } = found;
  const request = await source.queue.readRequest(ctx.platform, { tenantId: ctx.db.tenantId, id });
  if (request === 'busy') throw new AppError(REQUEST_UNAVAILABLE, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  const attempts = await listAttempts(ctx.db, id);
  return {
    ...toDelivery(row, webhook),
    request:
      request === null
        ? null
        : {
            url: request.url,
            headers: shownHeaders(
              { ...request.headers, 'Content-Type': 'application/json', 'Tessera-Delivery-Id': id },
              request.secrets,
            ),
            body: cutText(redactSecrets(request.body, request.secrets)),
          },
    attempts: attempts.map((attempt, index) => ({ n: index + 1, ...attempt })),
  };
}

/** The number that the caller expects is required to change anything. */
export const REDELIVERY_CHECKS = [
  check<Redelivery>(['dry_run', 'expected_count'], ({ dry_run, expected_count }) =>
    dry_run === true || expected_count !== undefined
      ? []
      : [{ field: 'expected_count', message: 'is required unless dry_run is true' }],
  ),
];

/**
 * Sends deliveries again, or counts them. The queue attempts them at its pace.
 * @throws AppError COUNT_CHANGED if they are not as many as expected, VALIDATION_ERROR if they are too many.
 */
export async function redeliverMany(
  ctx: MemberContext,
  sources: Sources,
  { filters, dry_run: isDryRun = false, expected_count: expected }: Redelivery,
): Promise<RedeliveryReply> {
  const { db, platform, now } = ctx;
  const conditions = readDeliveryFilters(filters);
  const { active, paused, forbidden } = await selectRedeliverable(ctx, sources, conditions);
  const sent = await countDeliveries(db, active, conditions, MAX_REDELIVERED + 1);
  if (sent > MAX_REDELIVERED)
    throw ruleBroken('filters', `match more than ${MAX_REDELIVERED} deliveries; limit them by created_at`);
  const skipped = [
    { reason: 'FORBIDDEN' as const, count: await countDeliveries(db, forbidden, conditions) },
    { reason: 'PAUSED' as const, count: await countDeliveries(db, paused, conditions) },
  ].filter((each) => each.count > 0);
  const left = skipped.reduce((sum, each) => sum + each.count, 0);
  const reply = { count: sent + left, skipped };
  if (isDryRun) {
    const rows = await listDeliveries(db, [...active, ...paused, ...forbidden], conditions, SAMPLE);
    const webhooks = await webhooksOf(ctx, sources, rows);
    return { ...reply, sample: rows.map((row) => toDelivery(row, webhooks.get(row.webhook_id))) };
  }
  requireCount(reply.count, expected);
  let changed = 0;
  for (const each of active) {
    changed += await makeDeliveriesDue(db, each, conditions, now);
    db.afterCommit(() => platform.workQueues.wake(each.source.queue));
  }
  // Others may have been added since they were counted.
  requireCount(changed + left, expected);
  return { ...reply, sample: [] };
}

function requireCount(count: number, expected: number | undefined): void {
  if (count === expected) return;
  throw new AppError(COUNT_CHANGED, {
    issues: [
      { field: 'expected_count', message: `must be ${count}: the number of selected deliveries`, count },
    ],
  });
}

/** Selects the deliveries that the caller sees, with the webhooks that the filters need. */
async function selectVisible(
  ctx: MemberContext,
  sources: Sources,
  conditions: DeliveryConditions,
): Promise<SelectedSource[]> {
  const needsWebhooks = conditions.ofWebhook.length + conditions.ofOutcome.length > 0;
  const selected: SelectedSource[] = [];
  for (const source of sources) {
    const reach = source.reach(ctx.caller);
    if (reach === 'none') continue;
    if (reach === 'all' && !needsWebhooks) {
      selected.push({ source, webhookIds: null });
      continue;
    }
    const webhooks = await listWebhooks(ctx, source, conditions.webhookIds);
    if (webhooks.length > 0) selected.push({ source, webhookIds: webhooks.map(({ id }) => id) });
  }
  return selected;
}

/** Selects the deliveries that the caller may send again, those of paused webhooks, and those of others. */
async function selectRedeliverable(ctx: MemberContext, sources: Sources, conditions: DeliveryConditions) {
  const groups: Record<'active' | 'paused' | 'forbidden', SelectedSource[]> = {
    active: [],
    paused: [],
    forbidden: [],
  };
  for (const source of sources) {
    if (source.reach(ctx.caller) === 'none') continue;
    const webhooks = await listWebhooks(ctx, source, conditions.webhookIds);
    const byGroup = Map.groupBy(webhooks, (webhook) => {
      if (!source.mayRedeliver(ctx.caller, webhook)) return 'forbidden';
      return webhook.is_active ? 'active' : 'paused';
    });
    for (const [group, members] of byGroup)
      groups[group].push({ source, webhookIds: members.map(({ id }) => id) });
  }
  return groups;
}

async function listWebhooks(
  ctx: MemberContext,
  source: DeliverySource,
  ids: readonly string[] | null,
): Promise<readonly DeliveryWebhook[]> {
  if (ids === null) return source.listWebhooks(ctx);
  return ids.length === 0 ? [] : source.listWebhooks(ctx, ids);
}

/** Returns the webhooks of deliveries, by id. */
async function webhooksOf(
  ctx: MemberContext,
  sources: Sources,
  rows: readonly DeliveryRow[],
): Promise<ReadonlyMap<string, DeliveryWebhook>> {
  const found: DeliveryWebhook[] = [];
  for (const source of sources) {
    const ids = rows.flatMap(({ kind, webhook_id }) => (kind === source.kind ? [webhook_id] : []));
    found.push(...(await listWebhooks(ctx, source, [...new Set(ids)])));
  }
  return new Map(found.map((webhook) => [webhook.id, webhook]));
}

/** Finds a delivery that the caller sees, by its webhook. `id` is a UUID. */
export async function findVisibleDelivery(ctx: MemberContext, sources: Sources, id: string) {
  for (const source of sources) {
    const reach = source.reach(ctx.caller);
    const row = reach === 'none' ? undefined : await findDelivery(ctx.db, source, id);
    if (row === undefined) continue;
    const [webhook] = await source.listWebhooks(ctx, [row.webhook_id]);
    if (webhook !== undefined || reach === 'all') return { source, row, webhook };
  }
  return undefined;
}

function toDelivery(row: DeliveryRow, webhook: DeliveryWebhook | undefined): Delivery {
  return {
    ...row,
    webhook_name: webhook?.name ?? null,
    business_unit: webhook?.owner_bu_id ?? null,
  };
}
