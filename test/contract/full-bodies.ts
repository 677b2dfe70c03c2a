/** Optional members of the record of each update, so that tests notice an update that drops one. */
import type { NameOf } from './world.ts';

/** Test data of an update. */
export interface UpdateCase {
  /** Optional members of the record. */
  readonly full: (name: NameOf) => Readonly<Record<string, unknown>>;
  /** A member that only PATCH changes. */
  readonly change: Readonly<Record<string, unknown>>;
  /** Path to read the record, if it differs from the path of the update. */
  readonly read?: (path: string, body: Readonly<Record<string, unknown>>) => string;
  /** Members whose null appears as another value in the record. */
  readonly shownForNull?: Readonly<Record<string, unknown>>;
  /** Further members that a body needs to clear a member. */
  readonly withNull?: Readonly<Record<string, unknown>>;
  /** Members that another rule forbids to be null in this record. */
  readonly neverNull?: readonly string[];
}

const named = { change: { name: 'Changed' } };
const byId = (path: string, { id }: Readonly<Record<string, unknown>>) => `${path}/${id}`;

/** The updates, by operation id. */
export const UPDATE_CASES: Readonly<Record<string, UpdateCase>> = {
  'webhooks.replace': {
    ...named,
    full: (name) => ({
      active: false,
      test_data: { a: 1 },
      target: {
        url: name('receiver'),
        headers: [
          { name: 'X-Open', value: 'open', is_secret: false },
          { name: 'X-Secret', value: 'secret', is_secret: true },
        ],
      },
    }),
  },
  'views.replace': { ...named, full: () => ({ shared: true }) },
  'templates.replace': {
    ...named,
    full: (name) => ({
      from_name: 'Shop',
      reply_to: `reply@${name('sender_domain')}`,
      description: 'Seeds',
      type: 'news',
      open_tracking: true,
      click_tracking: true,
      shared: true,
    }),
  },
  'templates.replace_version': {
    change: { subject: 'Changed' },
    shownForNull: { data_fields_schema: [], attachments: [] },
    full: () => ({
      // Generated text would replace the given text.
      plain_content: 'Hello',
      generate_plain_content: false,
      template_builder_content: { blocks: [1] },
      test_data: { a: 1 },
      data_fields_schema: [{ name: 'a' }],
      attachments: [{ name: 'a.txt', type: 'text/plain', url: 'https://files.example/a.txt' }],
    }),
  },
  'template_snippets.replace': { ...named, full: () => ({ description: 'Foot of all mail' }) },
  'form_themes.replace': { ...named, full: () => ({}) },
  'forms.replace': {
    ...named,
    full: () => ({
      email_question: 'email',
      post_submit_actions: [{ type: 'show_message', html: '<p>Thanks</p>' }],
      subscriber_mapping: { enabled: true, first_name: 'email' },
      challenge: true,
      retention_days: 30,
    }),
  },
  'lists.replace': { ...named, full: () => ({ description: 'Gardeners' }) },
  'subscribers.replace': {
    change: { first_name: 'Changed' },
    shownForNull: { additional_fields_data: {} },
    neverNull: ['inactive_reason'],
    full: () => ({
      last_name: 'Lovelace',
      active: false,
      inactive_reason: 'Asked',
      additional_fields_data: { size: 'M' },
    }),
  },
  'audiences.replace': {
    ...named,
    shownForNull: { filters: undefined },
    full: () => ({
      description: 'Active',
      filters: { active: { operation: 'eq', value: true } },
    }),
  },
  'campaigns.replace': { ...named, full: () => ({ end_date: '2026-04-01', goal: 'Sell seeds' }) },
  'campaign_emails.replace': {
    ...named,
    shownForNull: { content: { html: null, text: null, template_id: null } },
    full: (name) => ({
      description: 'The first',
      target_subscribers_count: 5,
      status: 'Ready',
      sent_date: '2031-01-01T10:00:00.000Z',
      content: { html: '<p>Seeds</p>', text: 'Seeds', template_id: null },
      from_email: `shop@${name('sender_domain')}`,
      from_name: 'Shop',
      subscription_type_id: name('subscription_type'),
    }),
  },
  'journeys.replace': { ...named, full: () => ({ re_entry: 'after_exit' }) },
  'entities.replace': {
    change: { label: 'Changed' },
    withNull: { drop: ['workflow'] },
    full: () => ({
      label: 'Books',
    }),
  },
  'redirects.replace': {
    change: { redirect_type: '302' },
    neverNull: ['source_pattern', 'target_pattern'],
    full: () => ({ priority: 5, is_active: false }),
  },
  'projects.replace': {
    ...named,
    full: () => ({
      is_template: true,
      redirect_config: { source_domains: ['site.example', 'www.site.example'] },
      preview_config: { domain: 'preview.example' },
    }),
  },
  'site_settings.replace': {
    change: { website_name: 'Changed' },
    full: () => ({ website_name: 'Site', favicon: { url: '/icon.png' }, own: { z: 1, a: [1.5] } }),
  },
  'document_models.put': {
    change: { label: 'Changed' },
    read: byId,
    full: () => ({ metadata: { linkable: false } }),
  },
  'slice_models.put': {
    ...named,
    read: byId,
    full: () => ({
      description: 'A picture and words',
      kind: 'block',
      status: 'beta',
      category: 'Heroes',
      tags: ['a'],
      keywords: ['b'],
      media: ['c'],
      variations: [{ id: 'default', name: 'Default' }],
    }),
  },
  'documents.put': {
    ...named,
    read: (path) => path.replace(/\/([^/]+)$/, '?id=$1'),
    full: () => ({}),
  },
  'assets.replace': {
    ...named,
    full: () => ({ name: 'full.txt', folder: '/full', alt: 'Text', tags: ['one'] }),
  },
  'ai_assistants.replace': { ...named, full: () => ({ monthly_token_budget: 1000 }) },
  'ai_budget.replace': { change: { monthly_token_budget: 5 }, full: () => ({ monthly_token_budget: 10 }) },
  'automations.replace': {
    ...named,
    // Its trigger needs one.
    neverNull: ['entityKey'],
    full: (name) => ({
      module: 'shop',
      entityKey: name('entity'),
      active: false,
      conditionalActions: [
        {
          condition: {
            combinator: 'and',
            rules: [{ field: 'trigger.entity.id', operator: 'equals', value: 1 }],
          },
          actions: [{ key: 'maybe', name: 'Note', actionTypeKey: 'log', params: { message: 'Done' } }],
        },
      ],
    }),
  },
  'email_settings.replace': {
    change: { sandbox_mode: false },
    full: () => ({ sandbox_mode: true }),
  },
  'tenant_settings.update': { ...named, full: () => ({}) },
};

/** PUT routes that update no stored record, or whose record has no GET, each with the reason. */
export const OTHER_PUTS: Readonly<Record<string, string>> = {
  'business_units.rename': 'is read in a list',
  'memberships.update': 'takes less of a grant than the record shows',
  'tenants.update': 'is read in a list',
  'auth.change_password': 'is a command',
  'auth.update_profile': 'is read with the session',
  'preferences.update': 'is a command, whose body says whether it replaces all',
  'automation_hooks.put': 'is what the automation makes of it',
  'ai_threads.replace': 'adds messages',
  'records.update': 'has the members of an entity',
  'records.update_many': 'is a command',
  'drafts.put': 'replaces the whole draft',
  'subscribers.put_by_email': 'creates a subscriber that there is not; its own test covers updates',
};
