/** Accepts a transmission: checks the body, then inserts the transmission and its messages in one transaction. */

import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import { storedCause } from '../../../flows/chain.ts';
import { momentOf } from '../../../flows/wall-clock.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import { domainOf, normalizeAddress } from '../../../mail/address.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { readAttachments } from './attachments.ts';
import { checkReturnPath, type ResolvedContent, resolveContent } from './content.ts';
import { addTags, insertMessages, insertTransmission, type NewMessage } from './queries.ts';
import { readAddress } from './request-check.ts';
import type { TransmissionCreate } from './schema.ts';
import { workQueueOf } from './sending/queue.ts';
import { type FreeData, LANES, type StoredOptions } from './tables.ts';

/** docs/specification/transmissions.md#limits. */
const TAGS_PER_TENANT = 100;

/** Context of accepting a transmission; `db` is scoped to the sender, and is the open transaction when writing. */
export type TransmissionContext = Pick<RequestContext, 'platform' | 'now'> & TenantContext;

/** A checked transmission. */
export interface PreparedTransmission extends ResolvedContent {
  readonly ownerBuId: string;
}

/**
 * Checks a transmission and resolves its content. Do not call it in a transaction.
 * @throws AppError INVALID_REQUEST, or like `resolveContent`.
 */
export async function prepareTransmission(
  ctx: TransmissionContext,
  ownerBuId: string,
  body: TransmissionCreate,
): Promise<PreparedTransmission> {
  const attachments = await readAttachments(ctx, body.content.attachments ?? []);
  await checkReturnPath(ctx, body.return_path);
  return { ownerBuId, ...(await resolveContent(ctx, body, attachments)) };
}

/**
 * Accepts a transmission. Suppressions and the sandbox are checked when it is sent, so that recipients who unsubscribe
 * meanwhile get nothing.
 * @throws AppError INVALID_REQUEST for too many tags.
 */
export async function createTransmission(
  { db, now, platform }: TransmissionContext,
  body: TransmissionCreate,
  { ownerBuId, content, tracking }: PreparedTransmission,
): Promise<{ transactionId: string }> {
  const { transactional, scheduled_time: scheduled } = body.options;
  const scheduledAt = scheduled ? momentOf(scheduled.date, scheduled.timezone) : null;
  const id = uuidv7();
  const cause = storedCause(db.tenantId);
  const lane = transactional ? LANES.transactional : LANES.bulk;
  const messages = toMessages(body, lane);
  const tags = [...new Set(body.recipients.flatMap((recipient) => recipient.tags ?? []))];
  await addRecipientTags(db, tags);
  await insertTransmission(db, {
    id,
    owner_bu_id: ownerBuId,
    created_at: now,
    scheduled_at: scheduledAt,
    generated_at: now,
    cancelled_at: null,
    description: body.description ?? null,
    campaign_id: body.campaign_id ?? body.campaign_code ?? null,
    transactional,
    content,
    options: JSON.stringify({ ...toStoredOptions(body.options, tracking), ...(cause && { cause }) }),
    tags: JSON.stringify(tags),
    metadata: jsonOrNull(body.metadata),
    substitution_data: jsonOrNull(body.substitution_data),
    return_path: body.return_path === undefined ? null : normalizeAddress(body.return_path),
    recipients: messages.length,
  });
  const dueAt = scheduledAt ?? now;
  await insertMessages(db, { transmissionId: id, lane, createdAt: now, dueAt }, messages);
  db.afterCommit(() => platform.workQueues.wake(workQueueOf(lane)));
  return { transactionId: id };
}

function jsonOrNull(data: FreeData | undefined): string | null {
  return data === undefined ? null : JSON.stringify(data);
}

/** Adds the tags of recipients. @throws AppError INVALID_REQUEST when the tenant would have too many tags. */
async function addRecipientTags(tx: ScopedDb, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  // Checked first: a body may contain more tags than a statement can.
  const isTooMany = tags.length > TAGS_PER_TENANT || (await addTags(tx, tags)) > TAGS_PER_TENANT;
  if (!isTooMany) return;
  const message = `exceed the limit of ${TAGS_PER_TENANT} different tags per tenant`;
  throw invalidRequest([{ field: 'recipients', message }]);
}

/**
 * Returns the options: the request overrides the template, the default is false. The initial pixel needs open tracking
 * (docs/specification/transmissions.md#options).
 */
function toStoredOptions(
  options: TransmissionCreate['options'],
  tracking: ResolvedContent['tracking'],
): StoredOptions {
  const openTracking = options.open_tracking ?? tracking.open;
  return {
    openTracking,
    clickTracking: options.click_tracking ?? tracking.click,
    initialOpen: openTracking && (options.initial_open ?? false),
    sandbox: options.sandbox ?? false,
    skipSuppression: options.skip_suppression ?? false,
    inlineCss: options.inline_css ?? false,
    performSubstitutions: options.perform_substitutions ?? true,
    ipPool: options.ip_pool ?? null,
  };
}

/** Returns the work queue target of a lane's messages to a domain, as a UUID. */
export function targetOf(lane: number, domain: string): string {
  return uuidv5(`${lane}/${domain}`, uuidv5.DNS);
}

/** Creates the messages of a transmission in a lane, one per recipient. */
export function toMessages(
  { recipients }: Pick<TransmissionCreate, 'recipients'>,
  lane: number,
): NewMessage[] {
  const targets = new Map<string, string>();
  return recipients.map(({ address, tags, metadata, substitution_data }, position) => {
    const { email, name, headerTo } = readAddress(address);
    const recipient = normalizeAddress(email);
    const domain = domainOf(recipient);
    const target_id = targets.get(domain) ?? targetOf(lane, domain);
    targets.set(domain, target_id);
    return {
      id: uuidv7(),
      target_id,
      position,
      recipient,
      address: email,
      name,
      header_to: headerTo,
      tags: tags === undefined ? null : [...new Set(tags)],
      metadata: metadata ?? null,
      substitution_data: substitution_data ?? null,
    };
  });
}
