/** Loads the work of claimed messages: decides which are suppressed, and builds the others on demand. */

import { LRUCache } from 'lru-cache';
import { domainOf } from '../../../../mail/address.ts';
import type { DkimKey } from '../../../../mail/dkim.ts';
import { PREVIEW_MESSAGE_ID } from '../../../../mail/message-token.ts';
import { shareBytes } from '../../../../memory/shares.ts';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import type { Claim } from '../../../../work-queue/claim.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import {
  defaultBounceDomain,
  type EmailSettings,
  findDkimKey,
  getEmailSettings,
} from '../../../email-settings/api.ts';
import { type RenderResult, type RenderSource, renderer, renderSource } from '../../email-templates/index.ts';
import { unsubscribeLinks } from '../../email-tracking/index.ts';
import type { StoredContent } from '../tables.ts';
import type { FailedAttempt } from './attempt-outcome.ts';
import { type BuildResult, MessageBuilder } from './message-builder.ts';
import {
  contentIdOf,
  findFileUrls,
  findTransmissions,
  findWholeTransmission,
  type LoadedMessage,
  type LoadedTransmission,
  type MessageResult,
  type TransmissionHead,
  withOwnData,
} from './queries.ts';
import type { RecipientData, Viewer } from './recipient-resolver.ts';
import { checkRecipients, recheckOf } from './suppression-checks.ts';

/** Input of an attempt. */
export interface Work {
  readonly transmission: FailedAttempt['transmission'] & { readonly id: string };
  /** Builds the message. Rejects on an internal error. */
  readonly build: () => Promise<BuildResult>;
  /** Checks suppressions again just before sending; returns the outcome, or null if the message may be sent. */
  readonly checkSuppression: () => Promise<Outcome<MessageResult> | null>;
  /** True if an event webhook subscribes to deliveries; otherwise no delivery events are recorded. */
  readonly recordsDelivery: boolean;
  /** Releases the memory of the message. */
  readonly release: () => void;
}

/** Time for which a key is cached, and thus until a new key signs messages, in ms. */
const KEY_TTL_MS = 10_000;

const transmissions = oncePerPlatform(
  (platform) =>
    new LRUCache<string, LoadedTransmission>({
      maxSize: shareBytes(platform, 'transmissionCache'),
      sizeCalculation: (transmission) => JSON.stringify(transmission).length,
    }),
);

const dkimKeys = oncePerPlatform(
  () => new LRUCache<string, Promise<DkimKey | null>>({ max: 1000, ttl: KEY_TTL_MS }),
);

const sources = new WeakMap<StoredContent, RenderSource>();
const PASS_THROUGH = { subject: '{{{subject}}}', html: '{{{html}}}', text: '{{{text}}}', snippets: {} };

/** Loads the work of claims; messages whose transmission was deleted are left out. */
export async function loadWork(
  platform: Platform,
  claims: readonly Claim<LoadedMessage>[],
): Promise<ReadonlyMap<string, Work>> {
  const work = new Map<string, Work>();
  try {
    await addWork(platform, claims, work);
  } catch (error) {
    // No attempt will use the work loaded so far.
    for (const { release } of work.values()) release();
    throw error;
  }
  return work;
}

async function addWork(
  platform: Platform,
  claims: readonly Claim<LoadedMessage>[],
  work: Map<string, Work>,
): Promise<void> {
  const messages = claims.map(({ row }) => row);
  for (const [tenantId, ofTenant] of Map.groupBy(messages, (message) => message.tenant_id)) {
    const db = platform.scoped(wholeTenant(tenantId));
    const tenant = await readTenantSettings(db);
    const batches = Map.groupBy(ofTenant, contentIdOf);
    const heads = await readHeads(platform, db, [...batches.keys()]);
    for (const [id, batch] of batches) {
      const head = heads.get(id);
      if (head === undefined) continue;
      for (const [messageId, each] of await toWork(platform, db, tenant, head, batch))
        work.set(messageId, each);
    }
  }
}

/** Returns the work of a transmission's messages; suppressed ones only have their outcome. */
async function toWork(
  platform: Platform,
  db: ScopedDb,
  { settings, bounceDomain, recordsDelivery }: TenantSettings,
  head: TransmissionHead,
  messages: readonly LoadedMessage[],
): Promise<Map<string, Work>> {
  const { recipientData, outcomes } = await checkRecipients(platform, db, settings, head, messages);
  const { created_at, scheduled_at } = head;
  const sendable = messages.filter(({ id }) => !outcomes.has(id));
  const recheck = recheckOf(platform, db, head, sendable);
  const builder = new MessageBuilder({
    platform,
    head,
    messages: sendable.map((message) => withRecipientData(message, recipientData)),
    findFileUrls: () => findFileUrls(db, head.id),
    read: () => readTransmission(platform, db, head.id),
    sender: (transmission) => ({ dkim: dkimKey(platform, db, transmission), bounceDomain }),
    render: async (transmission, group, maxCharacters) => {
      const completeMessages = (await withOwnData(db, group)).map((message) =>
        withRecipientData(message, recipientData),
      );
      return renderAll(platform, transmission, completeMessages, {
        bounceDomain,
        maxCharacters,
        viewer: 'recipient',
      });
    },
  });
  return new Map(
    messages.map(({ id }) => {
      const outcome = outcomes.get(id);
      return [
        id,
        {
          transmission: { id: head.id, created_at, scheduled_at },
          recordsDelivery,
          build: () => (outcome === undefined ? builder.build(id) : Promise.resolve(outcome)),
          checkSuppression: () => recheck.outcomeOf(id),
          release: () => {
            recheck.remove(id);
            builder.release(id);
          },
        },
      ];
    }),
  );
}

/** Adds the recipient's data to the message's own substitution data. */
export function withRecipientData(
  message: LoadedMessage,
  recipientData: ReadonlyMap<string, RecipientData> | null,
): LoadedMessage {
  const data = recipientData?.get(message.id)?.data;
  return data === undefined
    ? message
    : { ...message, substitution_data: { ...message.substitution_data, ...data } };
}

interface TenantSettings {
  readonly settings: EmailSettings;
  readonly bounceDomain: string | null;
  readonly recordsDelivery: boolean;
}

async function readTenantSettings(db: ScopedDb): Promise<TenantSettings> {
  const settings = await getEmailSettings(db);
  return {
    settings,
    bounceDomain: defaultBounceDomain(settings.sending_domains),
    recordsDelivery: settings.event_webhooks.some(
      ({ active, events }) => active && events.includes('delivery'),
    ),
  };
}

/** Returns transmissions by id; the content of large ones is read later, when memory is available. */
async function readHeads(
  platform: Platform,
  db: ScopedDb,
  ids: readonly string[],
): Promise<Map<string, TransmissionHead>> {
  const cache = transmissions(platform);
  const known = ids.map((id) => cache.get(cacheKey(db, id))).filter((each) => each !== undefined);
  const heads = new Map<string, TransmissionHead>(known.map((each) => [each.id, each]));
  const unknown = ids.filter((id) => !heads.has(id));
  const found = unknown.length === 0 ? [] : await findTransmissions(db, unknown);
  for (const head of found) {
    const { content, ...withoutContent } = head;
    heads.set(head.id, withoutContent);
    if (content !== null) cache.set(cacheKey(db, head.id), { ...withoutContent, content });
  }
  return heads;
}

async function readTransmission(
  platform: Platform,
  db: ScopedDb,
  id: string,
): Promise<LoadedTransmission | undefined> {
  const cache = transmissions(platform);
  const known = cache.get(cacheKey(db, id));
  if (known !== undefined) return known;
  const transmission = await findWholeTransmission(db, id);
  if (transmission !== undefined) cache.set(cacheKey(db, id), transmission);
  return transmission;
}

function cacheKey({ tenantId }: ScopedDb, id: string): string {
  return `${tenantId}/${id}`;
}

/** Options of rendering messages. */
export interface RenderAllOptions {
  readonly bounceDomain: string | null;
  readonly maxCharacters: number;
  /** Viewer of the messages. */
  readonly viewer: Viewer;
  /** Deadline of a waiting request. */
  readonly deadline?: AbortSignal;
}

/** Renders messages of one transmission. */
export function renderAll(
  platform: Platform,
  transmission: LoadedTransmission,
  messages: readonly LoadedMessage[],
  { maxCharacters, deadline, ...viewOptions }: RenderAllOptions,
): Promise<readonly RenderResult[]> {
  const { content, options, tenant_id: tenantId } = transmission;
  const threads = renderer(platform);
  const renderOptions = { tenantId, inlineCss: options.inlineCss, ...(deadline && { deadline }) };
  if (options.performSubstitutions) {
    const { metadata, substitution_data, transactional } = transmission;
    const sharedData = { ...metadata, ...substitution_data };
    const data = messages.map((message) => ownData(platform, transactional, message, viewOptions));
    return threads.renderBatch(sourceOf(content), data, { ...renderOptions, sharedData, maxCharacters });
  }
  // Without substitutions the content is the same for every recipient: a pass-through template renders it once.
  const { subject, html, text, generateText } = content;
  const rendering = threads.renderBatch(
    renderSource({ ...PASS_THROUGH, generateText }),
    [{ subject, html, text }],
    renderOptions,
  );
  return rendering.then(([result]) => messages.flatMap(() => result ?? []));
}

/** Returns the source of a content, cached with it, because its key is a hash of all texts. */
function sourceOf(content: StoredContent): RenderSource {
  const source = sources.get(content) ?? renderSource(content);
  sources.set(content, source);
  return source;
}

/**
 * Returns the message's own template data: one flat object, later values override earlier ones by top-level key
 * (docs/specification/transmissions.md#content). Callers cannot override the platform's values.
 */
function ownData(
  platform: Platform,
  transactional: boolean,
  message: LoadedMessage,
  { bounceDomain, viewer }: Omit<RenderAllOptions, 'maxCharacters' | 'deadline'>,
): Record<string, unknown> {
  const linkedId = viewer === 'recipient' ? message.id : PREVIEW_MESSAGE_ID;
  return {
    ...message.metadata,
    ...message.substitution_data,
    address: { name: message.name ?? '', email: message.address },
    ...(transactional
      ? {}
      : { unsubscribe_url: unsubscribeLinks(platform, message.tenant_id, linkedId, bounceDomain).url }),
  };
}

/** Returns the DKIM key of the sender's domain; cached briefly, because reading it costs a query per batch. */
function dkimKey(platform: Platform, db: ScopedDb, { content }: LoadedTransmission): Promise<DkimKey | null> {
  const cache = dkimKeys(platform);
  const domain = domainOf(content.from.address);
  const key = `${db.tenantId}/${domain}`;
  const found = cache.get(key) ?? findDkimKey(platform, db, domain);
  cache.set(key, found, { noUpdateTTL: true });
  // The attempt handles the failure; the next batch reads the key again.
  found.catch(() => cache.delete(key));
  return found;
}
