/** Lists without pages: each has a maximum length or is sent in chunks. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from '../../src/http/route.ts';
import { isRead } from './route-calls.ts';
import { allRoutes } from './world.ts';

const CHUNKS = 'in chunks, page after page';
const RECORD = 'one record, which a body of 10 MiB makes';

/** Bounds of each response that is or contains an array and takes no `limit`. */
const BOUNDS: Readonly<Record<string, string>> = {
  'ai_indexes.get': RECORD,
  'ai_threads.get': 'one thread, whose messages are read in chunks',
  'ai_usage.read': 'a row for each assistant and model',
  'api_keys.list': CHUNKS,
  'assets.get': RECORD,
  'audiences.usage': '100 records of each kind',
  'automations.get': RECORD,
  'automations.get_run':
    '50 actions, each with a result of 256 KiB at most; inputs of 4 Mi characters in all',
  'automations.list_action_types': 'what the process knows of actions',
  'browser_sessions.get': 'the tenants that the operator has made, 1,000 active units in each',
  'browser_sessions.list': 'the 100 sessions that were used last',
  'business_units.list': '1,000 active units',
  'campaign_emails.get': RECORD,
  'campaign_emails.list': CHUNKS,
  'campaign_emails.preflight': 'a finding for each rule',
  'campaign_emails.tell_story': '100 messages, 16 MiB of events',
  'campaign_figures.clicked_links': '1,000 links',
  'deliveries.get': 'the attempts of 30 days',
  'deleted_records.list': '1,000 entries, 64 MiB, in chunks',
  'drafts.list': '100 drafts of the caller and 100 shared ones',
  'email_settings.get': '1,000 of each, 20 event webhooks',
  'entities.get': RECORD,
  'entities.list': '500 entities, 8,000,000 characters',
  'entity_webhooks.list': '100 webhooks of 200 events',
  'form_submissions.get': RECORD,
  'forms.get': RECORD,
  'forms.settings': 'what the process knows of form elements',
  'journeys.get': RECORD,
  'journeys.get_state': '1,000 steps',
  'lists.usage': '100 records of each kind',
  'long_operations.get': '1,000 problems',
  'long_operations.running': '100 operations',
  'members.names': CHUNKS,
  'memberships.get': '1,000 grants',
  'memberships.list': CHUNKS,
  'my_memberships.list': 'the tenants that the operator has made',
  'overview.get': '20 items of each kind',
  'preferences.get': '1,000 subscription types',
  'projects.list': CHUNKS,
  'sender_identities.list': '1,000',
  'sending_domains.list': '1,000',
  'slice_models.get': RECORD,
  'subscribers.get': RECORD,
  'subscribers.get_import': '1,000 faults',
  'subscribers.reach': '1,000 subscription types, with four reasons each at most',
  'subscription_types.list': '1,000',
  'suppressions.get_import': '1,000 faults',
  'templates.get_version': RECORD,
  'transmissions.tell_story': '100 messages, 16 MiB of events',
  'views.list': '100 views of the caller and 100 shared ones',
  'webhooks.list': CHUNKS,
};

/** Lists that return one page only when a call has parameters for pages or sorting. */
const WHOLE_BY_DEFAULT = new Set([
  'api_keys.list',
  'campaign_emails.list',
  'memberships.list',
  'projects.list',
  'webhooks.list',
]);

interface JsonSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
}

function hasArray({ type, properties = {}, anyOf = [] }: JsonSchema): boolean {
  const isArray = (schema: JsonSchema) => schema.type === 'array';
  return isArray({ type }) || Object.values(properties).some(isArray) || anyOf.some(isArray);
}

function isPaged({ query, body }: Route): boolean {
  return [query, body].some((schema: JsonSchema | undefined) =>
    ['limit', 'pageSize', 'per_page'].some((name) => name in (schema?.properties ?? {})),
  );
}

test('each list without pages has a documented bound', () => {
  const unpaged = allRoutes.filter(
    (route) =>
      isRead(route) &&
      route.reply &&
      hasArray(route.reply) &&
      (!isPaged(route) || WHOLE_BY_DEFAULT.has(route.id)),
  );
  assert.deepEqual(unpaged.map(({ id }) => id).sort(), Object.keys(BOUNDS).sort());
});
