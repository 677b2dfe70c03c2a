/**
 * One record of every kind, made through the API, and for every route a valid request that names them. The contract
 * tests send these requests with other credentials, with absent names, or twice; a route without an entry fails them.
 */
import { randomUUID } from 'node:crypto';
import { features } from '../../src/features/index.ts';
import type { Route } from '../../src/http/route.ts';
import { shortCode } from '../../src/secrets/codes.ts';
import { actingIn, createMember, createUnit } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { formBody, goodAnswers } from '../harness/sample-forms.ts';
import type { TestTenant } from '../harness/test-app.ts';

/** The names under which requests reach records. */
export interface Names {
  readonly tenantCode: string;
  readonly unitId: string;
  /** A unit that owns nothing, so that it can be archived. */
  readonly spareUnitId: string;
  readonly membershipId: string;
  readonly keyId: string;
  readonly formCode: string;
  readonly publicCode: string;
  readonly themeCode: string;
  readonly submissionId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly sendingDomain: string;
  /** A sending domain that is verified. */
  readonly senderDomain: string;
  readonly templateId: string;
  readonly versionId: string;
  readonly snippetId: string;
  /** Scheduled for later, so that it can be cancelled. */
  readonly transmissionId: string;
  /** Where webhooks post to. */
  readonly receiverUrl: string;
}

/** A request to a route. */
export interface RouteRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Every route that clients can call, in the order of the features. */
export const allRoutes: readonly Route[] = features
  .flatMap((feature) => [...feature.routes])
  .filter((route) => route.method !== 'OPTIONS');

/** Creates one record of every kind in a unit of its own in the tenant. */
export async function createWorld(tenant: TestTenant, receiverUrl: string): Promise<Names> {
  const { api } = tenant;
  const unitId = await createUnit(tenant, 'North');
  const spareUnitId = await createUnit(tenant, 'Spare');
  const { membershipId, keyId } = await createMember(tenant, [{ bu_id: unitId, role: 'editor' }]);
  const theme = { name: 'Theme', formBuilderThemeOptions: {}, business_unit: unitId };
  const themeCode = (await api.post('/api/form_themes', theme)).body.code;
  const formCode = (await api.post('/api/forms', formBody({ business_unit: unitId }))).body.code;
  const publicCode = (await api.get(`/api/forms/${formCode}`)).body.public_code;
  const webhook = webhookBody(formCode, receiverUrl);
  const webhookId = (await api.post('/api/webhooks', webhook)).body.id;
  const answers = submissionBody(formCode);
  const options = { headers: { 'idempotency-key': randomUUID() } };
  const submissionId = (await api.post('/api/form_submissions', answers, 200, options)).body.submission_id;
  const deliveryId = await eventually('the delivery', async () => {
    const { results } = (await api.get(`/api/webhooks/${webhookId}/deliveries`)).body;
    return results[0]?.status === 'success' && String(results[0].id);
  });
  const sendingDomain = newDomain();
  await api.post('/api/email_settings/sending_domains', { domain: sendingDomain });
  const { code: tenantCode } = tenant;
  const mail = await createTemplates(tenant, unitId);
  const transmissionId = await createTransmission(tenant, unitId, mail.senderDomain);
  await sendMail(tenant, mail.senderDomain, receiverUrl);
  return {
    ...{ tenantCode, unitId, spareUnitId, membershipId, keyId, formCode, publicCode, themeCode },
    ...{ submissionId, webhookId, deliveryId, sendingDomain, ...mail, transmissionId, receiverUrl },
  };
}

async function createTemplates({ api, operator, code }: TestTenant, unitId: string) {
  const senderDomain = newDomain();
  await operator.post(`/admin/tenants/${code}/sending-domains`, { domain: senderDomain, verified: true });
  const body = templateBody({ unitId, senderDomain });
  const { id: templateId } = (await api.post('/api/templates', body)).body;
  const { id: versionId } = (await api.post(`/api/templates/${templateId}/versions`, VERSION_BODY)).body;
  const { id: snippetId } = (await api.post('/api/template_snippets', snippetBody({ unitId }))).body;
  return { senderDomain, templateId, versionId, snippetId };
}

/** A transmission that waits. */
async function createTransmission(
  { api }: TestTenant,
  unitId: string,
  senderDomain: string,
): Promise<string> {
  const acting = await actingIn(api, unitId);
  const { body } = await acting.post('/api/transmissions', transmissionBody({ senderDomain }));
  return body.transactionId;
}

/** A mail that was sent and whose recipient then unsubscribed, which a webhook was told of. */
async function sendMail(
  { api, operator }: TestTenant,
  senderDomain: string,
  receiverUrl: string,
): Promise<void> {
  await api.put('/api/email_settings', settingsBody(receiverUrl));
  const address = `reader@${senderDomain}`;
  await api.post('/api/transmissions', {
    ...transmissionBody({ senderDomain }),
    options: { transactional: false },
    recipients: [{ address, tags: ['news'] }],
  });
  const id = await eventually('the mail in the outbox', async () => {
    const { results } = (await operator.get(`/admin/outbox?to=${address}`)).body;
    return results[0] && String(results[0].id);
  });
  const { headers } = (await operator.get(`/admin/outbox/${id}`)).body;
  const [link = ''] = /\/u\/[^>]+/.exec(JSON.stringify(headers)) ?? [];
  await operator.send('POST', link);
}

/** Names of the same form under which there is nothing. */
export function absentNames({ senderDomain, receiverUrl }: Names): Names {
  return {
    tenantCode: 'nobody',
    unitId: randomUUID(),
    spareUnitId: randomUUID(),
    membershipId: randomUUID(),
    keyId: randomUUID(),
    formCode: shortCode(),
    publicCode: shortCode(),
    themeCode: shortCode(),
    submissionId: randomUUID(),
    webhookId: randomUUID(),
    deliveryId: randomUUID(),
    sendingDomain: newDomain(),
    // Whom a tenant may send as is known in all its units.
    senderDomain,
    templateId: randomUUID(),
    versionId: randomUUID(),
    snippetId: randomUUID(),
    transmissionId: randomUUID(),
    receiverUrl,
  };
}

/** A valid request to the route that names these records. @throws for a route without an entry. */
export function requestTo(route: Route, names: Names): RouteRequest {
  const request = Object.hasOwn(requests, route.id) ? requests[route.id] : undefined;
  if (!request && (route.params || route.body || route.query))
    throw new Error(`Add a request to ${route.id} in test/contract/world.ts.`);
  return request?.(names) ?? {};
}

function newDomain(): string {
  return `d${randomUUID()}.example`;
}

function webhookBody(formCode: string, url: string): object {
  return { event: { event_type: 'form.submission', form_code: formCode }, name: 'Hook', target: { url } };
}

function submissionBody(formCode: string): object {
  return { form_code: formCode, email_address: 'ada@example.com', form_data: goodAnswers };
}

const VERSION_BODY = { active: true, subject: 'Hi', html_content: '<p>Hi</p>' };

function templateBody({ unitId, senderDomain }: Pick<Names, 'unitId' | 'senderDomain'>): object {
  return {
    name: 'Template',
    from_email: `hello@${senderDomain}`,
    transactional: true,
    business_unit: unitId,
  };
}

function snippetBody({ unitId }: Pick<Names, 'unitId'>): object {
  return { name: `snippet-${shortCode()}`, content: '<hr>', business_unit: unitId };
}

function settingsBody(receiverUrl: string): object {
  return {
    sender_identities: [],
    whitelist_recipient_rules: [{ domain_name: 'example.com', active: true }],
    subscription_types: [{ id: 'news', name: 'News', description: '', active: true }],
    subscriber_additional_fields: { size: { label: 'Size', type: 'text', order: 1 } },
    event_webhooks: [{ name: 'Hook', target: receiverUrl, events: ['delivery'], active: true }],
  };
}

function transmissionBody({ senderDomain }: Pick<Names, 'senderDomain'>): object {
  const scheduled_time = { date: '2100-01-01T09:00:00', timezone: 'UTC' };
  return {
    options: { transactional: true, scheduled_time },
    recipients: [{ address: 'ada@example.com' }],
    content: { from: `hello@${senderDomain}`, subject: 'Hi', html: '<p>Hi</p>' },
  };
}

const list = (unitId: string) => ({
  page: 1,
  limit: 10,
  filters: { business_unit: { operation: 'eq', value: unitId } },
});

const theme = ({ unitId }: Names) => ({
  name: 'Theme',
  formBuilderThemeOptions: {},
  business_unit: unitId,
});

const requests: Readonly<Record<string, (names: Names) => RouteRequest>> = {
  'operations.reference-asset': () => ({ params: { file: 'reference.js' } }),
  'tenants.create': () => ({
    body: {
      code: `t${shortCode()
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '')}`,
      name: 'Tenant',
      owner: { email: `o${randomUUID()}@example.com`, name: 'Owner', password: 'correct horse battery' },
    },
  }),
  'tenants.list': () => ({ query: { page: '1', limit: '10' } }),
  'outbox.list': () => ({ query: { to: 'ada@example.com', page: '1', limit: '10' } }),
  'outbox.get': () => ({ params: { id: randomUUID() } }),
  'outbox.raw': () => ({ params: { id: randomUUID() } }),
  'tenants.reset': ({ tenantCode }) => ({ params: { code: tenantCode }, body: { confirm: tenantCode } }),
  'business-units.create': () => ({ body: { name: 'New unit' } }),
  'business-units.rename': ({ unitId }) => ({ params: { bu_id: unitId }, body: { name: 'Renamed' } }),
  'business-units.archive': ({ spareUnitId }) => ({ params: { bu_id: spareUnitId } }),
  'business-units.activate': ({ unitId }) => ({ params: { bu_id: unitId } }),
  'memberships.create': ({ unitId }) => ({
    body: {
      email: `n${randomUUID()}@example.com`,
      name: 'New member',
      grants: [{ bu_id: unitId, role: 'viewer' }],
    },
  }),
  'memberships.update': ({ membershipId, unitId }) => ({
    params: { membership_id: membershipId },
    body: { grants: [{ bu_id: unitId, role: 'viewer' }] },
  }),
  'api-keys.create': ({ membershipId }) => ({ body: { name: 'Key', membership_id: membershipId } }),
  'api-keys.revoke': ({ keyId }) => ({ params: { id: keyId } }),
  'entity-history.versions': ({ formCode }) => ({ query: { entityType: 'form', entitySortKey: formCode } }),
  'entity-history.version': ({ formCode }) => ({
    params: { version: '1' },
    query: { entityType: 'form', entitySortKey: formCode },
  }),
  'entity-history.deleted': () => ({ query: { entityType: 'form' } }),
  'webhooks.create': ({ formCode, receiverUrl }) => ({ body: webhookBody(formCode, receiverUrl) }),
  'webhooks.list': ({ formCode }) => ({ query: { form_code: formCode } }),
  'webhooks.get': ({ webhookId }) => ({ params: { id: webhookId } }),
  'webhooks.replace': ({ webhookId, receiverUrl }) => ({
    params: { id: webhookId },
    body: { name: 'Replaced', target: { url: receiverUrl } },
  }),
  'webhooks.delete': ({ webhookId }) => ({ params: { id: webhookId } }),
  'webhooks.test': ({ webhookId }) => ({ params: { id: webhookId } }),
  'webhooks.list-deliveries': ({ webhookId }) => ({
    params: { id: webhookId },
    query: { page: '1', limit: '5' },
  }),
  'webhooks.redeliver': ({ webhookId, deliveryId }) => ({
    params: { id: webhookId, delivery_id: deliveryId },
  }),
  'email-settings.replace': ({ receiverUrl }) => ({ body: settingsBody(receiverUrl) }),
  'subscription-types.get': () => ({ params: { id: 'news' } }),
  'sender-identities.delete': () => ({ params: { from_email_address: 'ada@example.com' } }),
  'sending-domains.create': ({ senderDomain }) => ({ body: { domain: `new.${senderDomain}` } }),
  'sending-domains.verify': ({ sendingDomain }) => ({ params: { domain: sendingDomain } }),
  'sending-domains.delete': ({ sendingDomain }) => ({ params: { domain: sendingDomain } }),
  'sending-domains.vouch': ({ tenantCode }) => ({
    params: { code: tenantCode },
    body: { domain: newDomain(), verified: true },
  }),
  'suppressions.list': () => ({ query: { page: '1', pageSize: '10', type: 'bounce' } }),
  'suppressions.get': () => ({ params: { recipient: 'ada@example.com' } }),
  'suppressions.delete': () => ({ params: { recipient: 'ada@example.com' } }),
  'templates.create': (names) => ({ body: templateBody(names) }),
  'templates.list': () => ({ query: { name: 'Template', page: '1', limit: '10' } }),
  'templates.get': ({ templateId }) => ({ params: { id: templateId } }),
  'templates.replace': (names) => ({ params: { id: names.templateId }, body: templateBody(names) }),
  'templates.delete': ({ templateId }) => ({ params: { id: templateId } }),
  'templates.create-version': ({ templateId }) => ({
    params: { template_id: templateId },
    body: VERSION_BODY,
  }),
  'templates.list-versions': ({ templateId }) => ({
    params: { template_id: templateId },
    query: { page: '1', limit: '10' },
  }),
  'templates.get-version': ({ templateId, versionId }) => ({
    params: { template_id: templateId, id: versionId },
  }),
  'templates.replace-version': ({ templateId, versionId }) => ({
    params: { template_id: templateId, id: versionId },
    body: VERSION_BODY,
  }),
  'templates.delete-version': ({ templateId, versionId }) => ({
    params: { template_id: templateId, id: versionId },
  }),
  'templates.preview': () => ({ body: { content: { from: 'a@example.com', html: '<p>Hi</p>' } } }),
  'templates.clone': ({ templateId }) => ({ body: { template_id: templateId, name: 'Copy' } }),
  'template-snippets.create': (names) => ({ body: snippetBody(names) }),
  'template-snippets.list': () => ({ query: { search: 'snippet', page: '1', limit: '10' } }),
  'template-snippets.get': ({ snippetId }) => ({ params: { id: snippetId } }),
  'template-snippets.replace': (names) => ({ params: { id: names.snippetId }, body: snippetBody(names) }),
  'template-snippets.delete': ({ snippetId }) => ({ params: { id: snippetId } }),
  'email-tracking.open': () => ({ params: { token: 'altered' } }),
  'email-tracking.click': () => ({ params: { token: 'altered' } }),
  'email-tracking.unsubscribe-page': () => ({ params: { token: 'altered' } }),
  'email-tracking.unsubscribe': () => ({ params: { token: 'altered' } }),
  'transmissions.create': (names) => ({ body: transmissionBody(names) }),
  'transmissions.get': ({ transmissionId }) => ({ params: { id: transmissionId } }),
  'transmissions.cancel': ({ transmissionId }) => ({ params: { id: transmissionId } }),
  'transmissions.list-recipients': ({ transmissionId }) => ({
    params: { id: transmissionId },
    query: { page: '1', limit: '10' },
  }),
  'transmissions.tell-story': ({ transmissionId }) => ({
    params: { id: transmissionId, recipient: 'ada@example.com' },
  }),
  'embed.asset': () => ({ params: { file: 'embed-page.css' } }),
  'embed.page': ({ publicCode, themeCode }) => ({
    params: { public_code: publicCode },
    query: { theme: themeCode },
  }),
  'embed.submit': ({ publicCode }) => ({
    params: { public_code: publicCode },
    body: { email_address: 'ada@example.com', form_data: goodAnswers },
  }),
  'form_submissions.create': ({ formCode }) => ({ body: submissionBody(formCode) }),
  'form_submissions.list': ({ formCode }) => ({
    body: { page: 1, limit: 10, filters: { form_code: { operation: 'eq', value: formCode } } },
  }),
  'form_submissions.get': ({ submissionId }) => ({ params: { id: submissionId } }),
  'form_themes.create': (names) => ({ body: theme(names) }),
  'form_themes.list': ({ unitId }) => ({ body: list(unitId) }),
  'form_themes.get': ({ themeCode }) => ({ params: { code: themeCode } }),
  'form_themes.replace': (names) => ({
    params: { code: names.themeCode },
    body: { ...theme(names), name: 'Replaced' },
  }),
  'form_themes.delete': ({ themeCode }) => ({ params: { code: themeCode } }),
  'forms.create': ({ unitId, themeCode }) => ({
    body: formBody({ business_unit: unitId, theme_code: themeCode }),
  }),
  'forms.list': ({ unitId }) => ({ body: list(unitId) }),
  'forms.get': ({ formCode }) => ({ params: { code: formCode } }),
  'forms.schema': ({ formCode }) => ({ params: { code: formCode } }),
  'forms.replace': ({ formCode, themeCode, unitId }) => ({
    params: { code: formCode },
    body: formBody({ name: 'Replaced', business_unit: unitId, theme_code: themeCode }),
  }),
  'forms.delete': ({ formCode }) => ({ params: { code: formCode } }),
};
