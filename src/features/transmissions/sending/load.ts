/** From claims to messages: what keeps one back is decided, and the others are rendered and made when they are asked for. */
import { LRUCache } from 'lru-cache';
import type { Claim, Outcome } from '../../../ledger/ledger.ts';
import { domainOf } from '../../../mail/address.ts';
import type { DkimKey } from '../../../mail/dkim.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import {
  defaultBounceDomain,
  type EmailSettings,
  findDkimKey,
  getEmailSettings,
} from '../../email-settings/index.ts';
import { type RenderResult, type RenderSource, renderer, renderSource } from '../../email-templates/index.ts';
import { PREVIEW_MESSAGE_ID, unsubscribeLinks } from '../../email-tracking/index.ts';
import type { StoredContent } from '../tables.ts';
import type { Told, Viewer } from './audience.ts';
import { lastLook, lookAtRecipients } from './kept-back.ts';
import { type Made, Making } from './making.ts';
import {
  contentIdOf,
  findFileUrls,
  findTransmissions,
  findWholeTransmission,
  type LoadedMessage,
  type LoadedTransmission,
  type MessageNote,
  type TransmissionHead,
  withOwnData,
} from './queries.ts';
import type { FailedTry } from './verdict.ts';

/** What an attempt has to work with. */
export interface Work {
  readonly transmission: FailedTry['transmission'] & { readonly id: string };
  /** Makes the message. Rejects when it cannot be made by a fault of ours. */
  readonly made: () => Promise<Made>;
  /** How the message ends after all, asked before it is handed over; null: nothing keeps it back. */
  readonly keptBack: () => Promise<Outcome<MessageNote> | null>;
  /** Whether somebody wants to be told of deliveries: without listeners none is recorded apart. */
  readonly tellsDelivery: boolean;
  /** Lets go of the message's memory. */
  readonly release: () => void;
}

const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** How long a new key may take to sign messages, milliseconds. */
const KEY_TTL_MS = 10_000;

const transmissions = oncePerPlatform(
  () =>
    new LRUCache<string, LoadedTransmission>({
      maxSize: MAX_CACHED_BYTES,
      sizeCalculation: (transmission) => JSON.stringify(transmission).length,
    }),
);

const dkimKeys = oncePerPlatform(
  () => new LRUCache<string, Promise<DkimKey | null>>({ max: 1000, ttl: KEY_TTL_MS }),
);

const sources = new WeakMap<StoredContent, RenderSource>();
const AS_IT_IS = { subject: '{{{subject}}}', html: '{{{html}}}', text: '{{{text}}}', snippets: {} };

/** Reads what attempts need; messages whose transmission is gone are left out. */
export async function loadWork(
  platform: Platform,
  claims: readonly Claim<LoadedMessage>[],
): Promise<ReadonlyMap<string, Work>> {
  const work = new Map<string, Work>();
  try {
    await addWork(platform, claims, work);
  } catch (error) {
    // Nobody will ask for what has been made ready.
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
    const tenant = await tenantFacts(db);
    const batches = Map.groupBy(ofTenant, contentIdOf);
    const heads = await readHeads(platform, db, [...batches.keys()]);
    for (const [id, batch] of batches) {
      const head = heads.get(id);
      if (head === undefined) continue;
      for (const [messageId, each] of await workOf(platform, db, tenant, head, batch))
        work.set(messageId, each);
    }
  }
}

/** What is to be done for messages of a transmission: nothing for those that a rule keeps back. */
async function workOf(
  platform: Platform,
  db: ScopedDb,
  { settings, bounceDomain, tellsDelivery }: TenantFacts,
  head: TransmissionHead,
  messages: readonly LoadedMessage[],
): Promise<Map<string, Work>> {
  const { told, ends } = await lookAtRecipients(platform, db, settings, head, messages);
  const { created_at, scheduled_at } = head;
  const wanted = messages.filter(({ id }) => !ends.has(id));
  const look = lastLook(platform, db, head, wanted);
  const making = new Making({
    platform,
    head,
    messages: wanted.map((message) => withTold(message, told)),
    findFileUrls: () => findFileUrls(db, head.id),
    read: () => readTransmission(platform, db, head.id),
    sender: (transmission) => ({ dkim: dkimKey(platform, db, transmission), bounceDomain }),
    render: async (transmission, group, maxCharacters) => {
      const whole = (await withOwnData(db, group)).map((message) => withTold(message, told));
      return renderAll(platform, transmission, whole, { bounceDomain, maxCharacters, viewer: 'recipient' });
    },
  });
  return new Map(
    messages.map(({ id }) => {
      const end = ends.get(id);
      return [
        id,
        {
          transmission: { id: head.id, created_at, scheduled_at },
          tellsDelivery,
          made: () => (end === undefined ? making.made(id) : Promise.resolve(end)),
          keptBack: () => look.endOf(id),
          release: () => {
            look.forget(id);
            making.release(id);
          },
        },
      ];
    }),
  );
}

/** A message with what its template sees of its recipient, beside what the message has itself. */
export function withTold(message: LoadedMessage, told: ReadonlyMap<string, Told> | null): LoadedMessage {
  const data = told?.get(message.id)?.data;
  return data === undefined
    ? message
    : { ...message, substitution_data: { ...message.substitution_data, ...data } };
}

interface TenantFacts {
  readonly settings: EmailSettings;
  readonly bounceDomain: string | null;
  readonly tellsDelivery: boolean;
}

async function tenantFacts(db: ScopedDb): Promise<TenantFacts> {
  const settings = await getEmailSettings(db);
  return {
    settings,
    bounceDomain: defaultBounceDomain(settings.sending_domains),
    tellsDelivery: settings.event_webhooks.some(
      ({ active, events }) => active && events.includes('delivery'),
    ),
  };
}

/** Transmissions by id; what large ones send is read when there is memory for it. */
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
    const { content, ...rest } = head;
    heads.set(head.id, rest);
    if (content !== null) cache.set(cacheKey(db, head.id), { ...rest, content });
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

/** How messages are rendered. */
export interface RenderAllOptions {
  readonly bounceDomain: string | null;
  readonly maxCharacters: number;
  /** Who sees the messages. */
  readonly viewer: Viewer;
  /** When somebody waits for them. */
  readonly deadline?: AbortSignal;
}

/** Renders messages of one transmission. */
export function renderAll(
  platform: Platform,
  transmission: LoadedTransmission,
  messages: readonly LoadedMessage[],
  { maxCharacters, deadline, ...facts }: RenderAllOptions,
): Promise<readonly RenderResult[]> {
  const { content, options, tenant_id: tenantId } = transmission;
  const threads = renderer(platform);
  const renderOptions = { tenantId, inlineCss: options.inlineCss, ...(deadline && { deadline }) };
  if (options.performSubstitutions) {
    const { metadata, substitution_data, transactional } = transmission;
    const sharedData = { ...metadata, ...substitution_data };
    const data = messages.map((message) => ownData(platform, transactional, message, facts));
    return threads.renderBatch(sourceOf(content), data, { ...renderOptions, sharedData, maxCharacters });
  }
  // The content is data of a template that only repeats it, the same for every recipient.
  const { subject, html, text, generateText } = content;
  const once = threads.renderBatch(
    renderSource({ ...AS_IT_IS, generateText }),
    [{ subject, html, text }],
    renderOptions,
  );
  return once.then(([result]) => messages.flatMap(() => result ?? []));
}

/** Naming a source takes a hash of all its texts: once for as long as the content is kept. */
function sourceOf(content: StoredContent): RenderSource {
  const source = sources.get(content) ?? renderSource(content);
  sources.set(content, source);
  return source;
}

/**
 * What a message adds to the data of its transmission: one flat object, the later winning by top-level key
 * (docs/specification/transmissions.md#content); what is ours cannot be overridden.
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

/** The key of the domain that the mail is from; kept for a moment, as opening it costs a query for each batch. */
function dkimKey(platform: Platform, db: ScopedDb, { content }: LoadedTransmission): Promise<DkimKey | null> {
  const cache = dkimKeys(platform);
  const domain = domainOf(content.from.address);
  const key = `${db.tenantId}/${domain}`;
  const found = cache.get(key) ?? findDkimKey(platform, db, domain);
  cache.set(key, found, { noUpdateTTL: true });
  // Whoever sends with it deals with the failure; the next asks again.
  found.catch(() => cache.delete(key));
  return found;
}
