import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { ExtensionPoint } from '../../extension-point.ts';
import type { MemberContext } from '../../http/context.ts';
import { normalizeAddress } from '../../mail/address.ts';
import { columnsOf } from '../../resources/body.ts';
import { readsShared, requireDefaultAdmin } from '../../resources/ownership.ts';
import { changeRecord, findRecord } from '../../resources/records.ts';
import { optionsOf } from '../../resources/route-parts.ts';
import { getTenant } from '../../tenancy/find-tenant.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { COLLECTION_CHECKS, readCollections, requireVerifiedSenders } from './collections.ts';
import { SENDER_IDENTITY_NOT_FOUND } from './errors.ts';
import { checkEventWebhooks, EVENT_WEBHOOK_CHECKS, replaceEventWebhooks } from './event-webhooks.ts';
import { ensureSettings } from './queries.ts';
import { type EmailSettings, type SettingsReplace, settings } from './resource.ts';
import type { SubscriptionType } from './schema.ts';
import { sendingDomains } from './sending-domains/resource.ts';
import { listDomains } from './sending-domains/service.ts';

/** Rules of a replace beyond its schema. */
export const SETTINGS_CHECKS = [...COLLECTION_CHECKS, EVENT_WEBHOOK_CHECKS];

/** Returns the settings of the tenant; empty and of version 0 if they were never written. */
export async function getEmailSettings(db: ScopedDb): Promise<EmailSettings> {
  const stored = await findRecord(db, settings, []);
  if (stored) return stored;
  const { tenant_id, created_at } = await getTenant(db);
  return {
    tenant_id,
    version: 0,
    created_at,
    updated_at: created_at,
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: [],
    subscriber_additional_fields: {},
    sandbox_mode: false,
    sending_domains: (await listDomains(db)).map(sendingDomains.view),
    event_webhooks: [],
  };
}

/** Returns the settings if the caller may see them; null for a caller without any unit. */
export async function findVisibleSettings({ caller, db }: MemberContext): Promise<EmailSettings | null> {
  return readsShared(caller) ? getEmailSettings(db) : null;
}

/** Returns the settings. @throws AppError NOT_FOUND for a caller without any unit. */
export async function readSettings(ctx: MemberContext) {
  const visible = await findVisibleSettings(ctx);
  if (visible === null) throw new AppError(NOT_FOUND);
  return settings.view(visible);
}

/** Returns the settings to a caller who may write them. @throws AppError FORBIDDEN. */
export function readSettingsForUpdate(ctx: MemberContext) {
  requireDefaultAdmin(ctx.caller);
  return readSettings(ctx);
}

/** Returns a subscription type. @throws AppError NOT_FOUND. */
export async function readSubscriptionType(ctx: MemberContext, id: string): Promise<SubscriptionType> {
  const found = (await findVisibleSettings(ctx))?.subscription_types.find((type) => type.id === id);
  if (!found) throw new AppError(NOT_FOUND);
  return found;
}

/**
 * Checks the collections, and looks up the hosts of event webhooks.
 * @throws AppError FORBIDDEN, INVALID_REQUEST, DUPLICATE_SENDER_IDENTITY or VALIDATION_ERROR.
 */
export async function prepareReplace(ctx: MemberContext, body: SettingsReplace): Promise<SettingsReplace> {
  requireDefaultAdmin(ctx.caller);
  const read = readCollections(body);
  if (body.event_webhooks) await checkEventWebhooks(ctx.platform.outbound, body.event_webhooks);
  return read;
}

/** Callbacks for changed definitions of additional subscriber fields, called in the same transaction. */
export const subscriberFieldsChange = new ExtensionPoint<(tx: ScopedDb, now: Date) => Promise<void>>();

/**
 * Replaces the settings.
 * @throws AppError INVALID_SENDER_IDENTITY or VERSION_CONFLICT.
 */
export async function replaceSettings(ctx: MemberContext, body: SettingsReplace): Promise<{ id: string }> {
  await ensureSettings(ctx.db, ctx.now);
  await changeRecord(ctx, settings, [], optionsOf(settings, body), async (current) => {
    // A domain that can no longer send must not stop changes of other parts, such as the sandbox.
    if (!isDeepStrictEqual(body.sender_identities, current.sender_identities))
      requireVerifiedSenders(body.sender_identities, current.sending_domains);
    if (body.event_webhooks) await replaceEventWebhooks(ctx, body.event_webhooks);
    // Audience filters depend on the definitions of fields.
    if (!isDeepStrictEqual(body.subscriber_additional_fields, current.subscriber_additional_fields))
      for (const react of subscriberFieldsChange.of(ctx.platform)) await react(ctx.db, ctx.now);
    return columnsOf(settings.fields, 'replace', body);
  });
  return { id: 'email_settings' };
}

/** Deletes a sender identity. @throws AppError FORBIDDEN or SENDER_IDENTITY_NOT_FOUND. */
export async function deleteSenderIdentity(
  ctx: MemberContext,
  address: string,
): Promise<{ from_email_address: string }> {
  requireDefaultAdmin(ctx.caller);
  await ensureSettings(ctx.db, ctx.now);
  let removed = '';
  await changeRecord(ctx, settings, [], {}, ({ sender_identities }) => {
    const identity = sender_identities.find(
      ({ from_email_address }) => normalizeAddress(from_email_address) === normalizeAddress(address),
    );
    if (!identity) throw new AppError(SENDER_IDENTITY_NOT_FOUND);
    removed = identity.from_email_address;
    return { sender_identities: sender_identities.filter((other) => other !== identity) };
  });
  return { from_email_address: removed };
}
