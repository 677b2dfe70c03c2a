/** From claims to rendered messages: what keeps a message back is decided, and the rest rendered, batch by batch. */
import { LRUCache } from 'lru-cache';
import type { Claim } from '../../../ledger/ledger.ts';
import { domainOf } from '../../../mail/address.ts';
import type { DkimKey } from '../../../mail/dkim.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import {
  defaultBounceDomain,
  type EmailSettings,
  findDkimKey,
  findSuppressions,
  getEmailSettings,
  isWhitelisted,
  listActiveEventWebhooks,
} from '../../email-settings/index.ts';
import { type RenderResult, renderer, renderSource } from '../../email-templates/index.ts';
import { unsubscribeLinks } from '../../email-tracking/index.ts';
import { attachmentsOf } from './attachments.ts';
import { makeMessage } from './make-message.ts';
import {
  findWholeTransmission,
  type LoadedMessage,
  type LoadedTransmission,
  loadMessages,
} from './queries.ts';

/** What an attempt has to work with. */
export type Work =
  | { readonly kind: 'suppressed'; readonly by: string }
  | {
      readonly kind: 'send';
      readonly message: LoadedMessage;
      readonly transmission: LoadedTransmission;
      /** The message as it goes out, or the end of this attempt. */
      readonly made: ReturnType<typeof makeMessage>;
      /** Whether somebody wants to be told of deliveries: without listeners none is recorded apart. */
      readonly tellsDelivery: boolean;
    };

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

const NOT_RENDERED: RenderResult = {
  ok: false,
  error: { kind: 'render', part: 'html', message: 'The template could not be rendered.' },
};
const AS_IT_IS = { subject: '{{{subject}}}', html: '{{{html}}}', text: '{{{text}}}', snippets: {} };

/** Reads what attempts need and begins to render; messages whose transmission is gone are left out. */
export async function loadWork(
  platform: Platform,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, Work>> {
  const messages = await loadMessages(platform.database.everyTenant('sending'), claims);
  const work = new Map<string, Work>();
  for (const [tenantId, ofTenant] of Map.groupBy(messages, (message) => message.tenant_id)) {
    const db = platform.scoped(wholeTenant(tenantId));
    const tenant = await tenantFacts(db);
    for (const [id, batch] of Map.groupBy(ofTenant, (message) => message.transmission_id)) {
      const transmission = await readTransmission(platform, db, id);
      if (transmission === undefined) continue;
      const rules = await keptBackBy(db, tenant.settings, transmission, batch);
      for (const [messageId, by] of rules) work.set(messageId, { kind: 'suppressed', by });
      const kept = batch.filter(({ id: messageId }) => !rules.has(messageId));
      // Nothing is rendered or fetched for nobody.
      if (kept.length === 0) continue;
      const rendered = renderAll(platform, transmission, kept, tenant.bounceDomain);
      const shared = {
        sender: { dkim: dkimKey(platform, db, transmission), bounceDomain: tenant.bounceDomain },
        attachments: attachmentsOf(platform, transmission),
      };
      const { tellsDelivery } = tenant;
      for (const [index, message] of kept.entries()) {
        const own = rendered.then((results) => results[index] ?? NOT_RENDERED);
        const made = makeMessage(platform, { ...shared, message, transmission, rendered: own });
        // Its attempt, which may begin later, deals with a failure.
        made.catch(() => {});
        work.set(message.id, { kind: 'send', message, transmission, tellsDelivery, made });
      }
    }
  }
  return work;
}

interface TenantFacts {
  readonly settings: EmailSettings;
  readonly bounceDomain: string | null;
  readonly tellsDelivery: boolean;
}

async function tenantFacts(db: ScopedDb): Promise<TenantFacts> {
  const webhooks = await listActiveEventWebhooks(db);
  return {
    settings: await getEmailSettings(db),
    bounceDomain: await defaultBounceDomain(db),
    tellsDelivery: webhooks.some(({ events }) => events.includes('delivery')),
  };
}

async function readTransmission(
  platform: Platform,
  db: ScopedDb,
  id: string,
): Promise<LoadedTransmission | undefined> {
  const cache = transmissions(platform);
  const key = `${db.tenantId}/${id}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const transmission = await findWholeTransmission(db, id);
  if (transmission !== undefined) cache.set(key, transmission);
  return transmission;
}

/** The rule that keeps each message back that is not to be sent, by message id (decisions section 6). */
async function keptBackBy(
  db: ScopedDb,
  settings: EmailSettings,
  { options, transactional }: LoadedTransmission,
  messages: readonly LoadedMessage[],
): Promise<Map<string, string>> {
  const recipients = options.skipSuppression ? [] : messages.map(({ recipient }) => recipient);
  const suppressions = await findSuppressions(db, recipients, transactional);
  const rules = new Map<string, string>();
  for (const { id, recipient } of messages) {
    const isOutside = settings.sandbox_mode && !isWhitelisted(settings, recipient);
    const rule = isOutside ? 'sandbox' : suppressions.get(recipient)?.type;
    if (rule !== undefined) rules.set(id, rule);
  }
  return rules;
}

function renderAll(
  platform: Platform,
  transmission: LoadedTransmission,
  messages: readonly LoadedMessage[],
  bounceDomain: string | null,
): Promise<readonly RenderResult[]> {
  const { content, options, tenant_id: tenantId } = transmission;
  const { renderBatch } = renderer(platform);
  const renderOptions = { tenantId, inlineCss: options.inlineCss };
  if (options.performSubstitutions) {
    const { metadata, substitution_data, transactional } = transmission;
    const sharedData = { ...metadata, ...substitution_data };
    const data = messages.map((message) => ownData(platform, transactional, message, bounceDomain));
    return renderBatch(renderSource(content), data, { ...renderOptions, sharedData });
  }
  // The content is data of a template that only repeats it, the same for every recipient.
  const { subject, html, text, generateText } = content;
  const once = renderBatch(
    renderSource({ ...AS_IT_IS, generateText }),
    [{ subject, html, text }],
    renderOptions,
  );
  return once.then(([result = NOT_RENDERED]) => messages.map(() => result));
}

/**
 * What a message adds to the data of its transmission: one flat object, the later winning by top-level key (decisions
 * section 5); what is ours cannot be overridden.
 */
function ownData(
  platform: Platform,
  transactional: boolean,
  message: LoadedMessage,
  bounceDomain: string | null,
): Record<string, unknown> {
  return {
    ...message.metadata,
    ...message.substitution_data,
    address: { name: message.name ?? '', email: message.address },
    ...(transactional
      ? {}
      : { unsubscribe_url: unsubscribeLinks(platform, message.tenant_id, message.id, bounceDomain).url }),
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
