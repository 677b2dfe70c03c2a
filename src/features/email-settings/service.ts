import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { normalizeAddress } from '../../mail/address.ts';
import { recordVersions } from '../../resources/history.ts';
import { readsShared, requireDefaultAdmin } from '../../resources/ownership.ts';
import { writerOf } from '../../resources/records.ts';
import { getTenant } from '../../tenancy/find-tenant.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import {
  COLLECTION_CHECKS,
  type Collections,
  readCollections,
  requireVerifiedSenders,
} from './collections.ts';
import { SENDER_IDENTITY_NOT_FOUND } from './errors.ts';
import {
  checkEventWebhooks,
  EVENT_WEBHOOK_CHECKS,
  mergeEventWebhooks,
  toEventWebhookView,
} from './event-webhooks.ts';
import {
  type EmailSettings,
  findSettings,
  listEventWebhooks,
  lockSettings,
  replaceEventWebhooks,
  updateSettings,
} from './queries.ts';
import type { SenderIdentity, SettingsReplace, SettingsView, SubscriptionType } from './schema.ts';
import { listVerifiedDomains } from './sending-domains/senders.ts';
import { listDomainItems } from './sending-domains/service.ts';

/** Under which the one record of a tenant is known in history (decisions section 5). */
const SORT_KEY = 'email_settings';

/** The rules for a replace beside its schema. */
export const SETTINGS_CHECKS = [...COLLECTION_CHECKS, EVENT_WEBHOOK_CHECKS];

/** The settings of the tenant; version 0 and without any content when they were never written. */
export async function getEmailSettings(db: ScopedDb): Promise<EmailSettings> {
  const stored = await findSettings(db);
  if (stored) return stored;
  const { created_at } = await getTenant(db);
  return {
    version: 0,
    created_at,
    updated_at: created_at,
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: [],
    subscriber_additional_fields: {},
    sandbox_mode: false,
  };
}

/** The whole record. @throws AppError NOT_FOUND for a caller without any unit. */
export async function readSettings({ caller, db }: MemberContext): Promise<SettingsView> {
  if (!readsShared(caller)) throw new AppError(NOT_FOUND);
  return toView(db, await getEmailSettings(db));
}

/** The subscription types; none for a caller without any unit. */
export async function listSubscriptionTypes({ caller, db }: MemberContext): Promise<SubscriptionType[]> {
  return readsShared(caller) ? (await getEmailSettings(db)).subscription_types : [];
}

/** One subscription type. @throws AppError NOT_FOUND. */
export async function readSubscriptionType(ctx: MemberContext, id: string): Promise<SubscriptionType> {
  const found = (await listSubscriptionTypes(ctx)).find((type) => type.id === id);
  if (!found) throw new AppError(NOT_FOUND);
  return found;
}

/** The sender identities; none for a caller without any unit. */
export async function listSenderIdentities({ caller, db }: MemberContext): Promise<SenderIdentity[]> {
  return readsShared(caller) ? (await getEmailSettings(db)).sender_identities : [];
}

/**
 * Reads the collections, and looks up the hosts of event webhooks.
 * @throws AppError FORBIDDEN, INVALID_REQUEST, DUPLICATE_SENDER_IDENTITY or VALIDATION_ERROR.
 */
export async function prepareReplace(ctx: MemberContext, body: SettingsReplace): Promise<Collections> {
  requireDefaultAdmin(ctx.caller);
  const collections = readCollections(body);
  if (body.event_webhooks) await checkEventWebhooks(ctx.platform.outbound, body.event_webhooks);
  return collections;
}

/**
 * Replaces the four collections, and what else the body has.
 * @throws AppError INVALID_SENDER_IDENTITY or VERSION_CONFLICT.
 */
export async function replaceSettings(
  ctx: MemberContext,
  { event_webhooks: webhooks, sandbox_mode: sandboxMode, version }: SettingsReplace,
  collections: Collections,
): Promise<{ id: string }> {
  await changeSettings(ctx, async (current) => {
    if (version !== undefined && version !== current.version) throw new AppError(VERSION_CONFLICT);
    requireVerifiedSenders(collections.sender_identities, await listVerifiedDomains(ctx.db));
    if (webhooks) {
      const merged = mergeEventWebhooks(ctx.platform.secrets, webhooks, await listEventWebhooks(ctx.db));
      await replaceEventWebhooks(ctx.db, merged);
    }
    return {
      sender_identities: [...collections.sender_identities],
      whitelist_recipient_rules: [...collections.whitelist_recipient_rules],
      subscription_types: [...collections.subscription_types],
      subscriber_additional_fields: collections.subscriber_additional_fields,
      sandbox_mode: sandboxMode ?? current.sandbox_mode,
    };
  });
  return { id: SORT_KEY };
}

/** Removes a sender identity. @throws AppError FORBIDDEN or SENDER_IDENTITY_NOT_FOUND. */
export async function deleteSenderIdentity(
  ctx: MemberContext,
  address: string,
): Promise<{ from_email_address: string }> {
  requireDefaultAdmin(ctx.caller);
  const isMeant = (identity: SenderIdentity) =>
    normalizeAddress(identity.from_email_address) === normalizeAddress(address);
  let removed = '';
  await changeSettings(ctx, async ({ sender_identities }) => {
    const identity = sender_identities.find(isMeant);
    if (!identity) throw new AppError(SENDER_IDENTITY_NOT_FOUND);
    removed = identity.from_email_address;
    return { sender_identities: sender_identities.filter((other) => other !== identity) };
  });
  return { from_email_address: removed };
}

/** Writes a new version of the settings and its history. */
async function changeSettings(
  ctx: MemberContext,
  change: (current: EmailSettings) => Promise<Partial<EmailSettings>>,
): Promise<void> {
  const { db, now } = ctx;
  const current = await lockSettings(db, now);
  const changed: EmailSettings = {
    ...current,
    ...(await change(current)),
    version: current.version + 1,
    updated_at: now.toISOString(),
  };
  await updateSettings(db, changed);
  const data = await toView(db, changed);
  const { version } = changed;
  await recordVersions(writerOf(ctx), [
    { entityType: 'email_settings', sortKey: SORT_KEY, version, ownerBuId: null, recordedAt: now, data },
  ]);
}

async function toView(db: ScopedDb, settings: EmailSettings): Promise<SettingsView> {
  const domains = await listDomainItems(db);
  const webhooks = await listEventWebhooks(db);
  return { ...settings, sending_domains: domains, event_webhooks: webhooks.map(toEventWebhookView) };
}
