/** Records of the kinds whose versions can be restored, for tests over all kinds. */
import { randomUUID } from 'node:crypto';
import type { Client } from './client.ts';
import { formBody } from './sample-forms.ts';

/** The tenant and unit in which records are created. */
export interface RecordSite {
  readonly api: Client;
  /** The unit that owns the records. */
  readonly unit: string;
  /** A domain that can send. */
  readonly domain: string;
}

/** A record, and its paths. */
export interface Made {
  readonly key: string;
  /** Path to read the record. */
  readonly path: string;
  /** Path to delete the record, if it differs. */
  readonly deletion?: string;
  /** Path to change the record, if it differs from the path to delete it. */
  readonly change?: string;
  /** Creates what the restored record needs and what was deleted with it. */
  readonly needed?: { readonly entityType: string; readonly key: string };
}

/** Creates a record at a path that returns its key. */
async function post({ api }: RecordSite, path: string, body: object, key = 'id'): Promise<Made> {
  const answer = await api.post(path, body);
  return { key: answer.body[key], path: `${path}/${answer.body[key]}` };
}

async function makeProject({ api, unit }: RecordSite): Promise<string> {
  const id = `site-${randomUUID()}`;
  const body = { name: 'Site', description: '', business_unit_id: unit };
  const config = { redirect_config: { source_domains: ['site.example'] } };
  await api.put(`/api/pages/project_metadata/${id}`, { ...body, ...config });
  return id;
}

async function putInProject(site: RecordSite, kind: string, body: { id: string }): Promise<Made> {
  const project = await makeProject(site);
  await site.api.put(`/api/pages/${project}/${kind}`, body);
  const change = `/api/pages/${project}/${kind}`;
  return { key: `${project}#${body.id}`, path: `${change}/${body.id}`, change };
}

const makeForm = (site: RecordSite) =>
  post(site, '/api/forms', formBody({ business_unit: site.unit, active: true }), 'code');
const makeAssistant = (site: RecordSite) =>
  post(site, '/api/ai/assistants', {
    business_unit: site.unit,
    name: 'Helper',
    description: 'Answers.',
    llmConfiguration: { system: 'Answer.', temperature: 0.5, model: 'any', max_tokens: 100 },
  });
const makeCampaign = (site: RecordSite) =>
  post(
    site,
    '/api/campaigns',
    {
      ...{
        business_unit: site.unit,
        name: 'Seeds',
        colour: '#0f766e',
        start_date: '2026-03-01',
        audience: 'Gardeners',
      },
      code: `C-${randomUUID().toUpperCase()}`,
    },
    'code',
  );
const model = { label: 'Page', format: 'page', repeatable: true, status: true, json: { Main: {} } };

/** Creates a record of each kind that can be restored. */
export const KIND_RECORDS: Readonly<Record<string, (site: RecordSite) => Promise<Made>>> = {
  ai_assistant: makeAssistant,
  ai_thread: async (site) =>
    post(site, '/api/ai/threads', {
      version: 3,
      created_at: '2026-01-01T00:00:00.000Z',
      assistant_id: (await makeAssistant(site)).key,
      user_id: 'someone',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Good morning' }] }],
    }),
  ai_vector_index: (site) =>
    post(
      site,
      '/api/ai/indexes',
      {
        business_unit: site.unit,
        name: `i-${randomUUID()}`,
        contentsDescription: 'Herbs',
        metadataDefinition: [],
      },
      'name',
    ),
  email_template: async (site) => {
    const created = await post(site, '/api/templates', {
      ...{ business_unit: site.unit, name: 'Hello', from_email: `shop@${site.domain}`, transactional: false },
    });
    await site.api.post(`${created.path}/versions`, {
      active: true,
      subject: 'Hi',
      html_content: '<p>Hi</p>',
    });
    return created;
  },
  email_template_snippet: (site) =>
    post(site, '/api/template_snippets', {
      business_unit: site.unit,
      name: `s-${randomUUID()}`,
      content: '<hr>',
    }),
  form: makeForm,
  form_theme: (site) =>
    post(
      site,
      '/api/form_themes',
      { business_unit: site.unit, name: 'Green', formBuilderThemeOptions: { b: 1.0, a: 2 } },
      'code',
    ),
  marketing_audience: (site) =>
    post(site, '/api/audiences', { business_unit: site.unit, name: 'Friends', description: 'Old' }),
  marketing_list: (site) =>
    post(site, '/api/lists', { business_unit: site.unit, name: 'Friends', description: 'Old' }),
  marketing_campaign: makeCampaign,
  marketing_email: async (site) =>
    post(site, `${(await makeCampaign(site)).path}/emails`, {
      name: 'First',
      subject: 'Seeds',
      status: 'Ready',
    }),
  pages_document_model: (site) => putInProject(site, 'document-model', { ...model, id: 'page' }),
  pages_slice_model: (site) =>
    putInProject(
      site,
      'slice-model',
      Object.assign({ id: 'hero' }, { name: 'Hero', variations: [{ id: 'a' }] }),
    ),
  pages_document: async (site) => {
    const project = await makeProject(site);
    await site.api.put(`/api/pages/${project}/document-model`, { ...model, id: 'page' });
    const body = { document_model_id: 'page', uid: 'about', name: 'About', status: 'live', data: '{"a":1}' };
    await site.api.put(`/api/pages/${project}/document/about`, body);
    const path = `/api/pages/${project}/document`;
    return { key: `${project}#about`, path: `${path}?id=about`, deletion: `${path}/about` };
  },
  pages_project_metadata: async (site) => {
    const key = await makeProject(site);
    return { key, path: `/api/pages/project_metadata/${key}` };
  },
  pages_site_settings: async (site) => {
    const project = await makeProject(site);
    const path = `/api/pages/${project}/site-settings`;
    await site.api.put(path, { site_name: 'Garden', own: { b: 1.5, a: 2 } });
    const needed = { entityType: 'pages_project_metadata', key: project };
    return {
      key: `${project}#site_settings`,
      path,
      change: path,
      deletion: `/api/pages/project_metadata/${project}`,
      needed,
    };
  },
  pages_url_redirect: async (site) => {
    const project = await makeProject(site);
    const path = `/api/pages/${project}/redirects`;
    const body = { source_domain: 'site.example', source_url_path: '/old', target_url: '/new' };
    const created = await post(site, path, { ...body, redirect_type: '301' });
    return { ...created, key: `${project}#${created.key}` };
  },
  user_journey: (site) =>
    post(site, '/api/journeys', {
      ...{
        business_unit: site.unit,
        name: 'Welcome',
        active: true,
        trigger: { type: 'manual' },
        re_entry: 'after_exit',
      },
      steps: [{ key: 'wait', type: 'wait', seconds: 86_400 }],
    }),
  entity: async (site) => {
    const name = `e_${randomUUID().replaceAll('-', '_')}`;
    return post(
      site,
      '/api/entities',
      { name, label: 'Seeds', fields: [{ name: 'title', type: 'string' }] },
      'name',
    );
  },
  automation: async (site) =>
    post(
      site,
      '/api/automations',
      {
        ...{ app: 'garden', name: 'Note', triggerType: 'webhook', triggerParams: {}, active: false },
        key: `a_${randomUUID().replaceAll('-', '_')}`,
        actions: [{ key: 'note', name: 'Note', actionTypeKey: 'log', params: { message: 'Done' } }],
      },
      'key',
    ),
  email_settings: async (site) => {
    const { body } = await site.api.get('/api/email_settings');
    const type = { id: 'news', name: 'News', description: 'Weekly', active: true };
    await site.api.put('/api/email_settings', { ...body, subscription_types: [type] });
    return { key: 'email_settings', path: '/api/email_settings' };
  },
  webhook: async (site) =>
    post(site, '/api/webhooks', {
      event: { event_type: 'form.submission', form_code: (await makeForm(site)).key },
      name: 'Hook',
      target: { url: 'https://hooks.example/', headers: [{ name: 'X-Plain', value: '1', is_secret: false }] },
    }),
};

/** A change for each kind whose older versions can be restored: the body of a PATCH. */
export const KIND_CHANGES: Readonly<Record<string, object>> = {
  ai_assistant: { name: 'Another', description: 'Asks.' },
  automation: { name: 'Another', actions: [] },
  email_settings: { subscription_types: [] },
  email_template: { name: 'Another' },
  email_template_snippet: { content: '<br>' },
  entity: {
    label: 'Another',
    fields: [
      { name: 'title', type: 'string' },
      { name: 'more', type: 'text' },
    ],
  },
  form: { name: 'Another' },
  form_theme: { name: 'Another', formBuilderThemeOptions: { a: 3 } },
  marketing_audience: { name: 'Another', description: null },
  marketing_list: { name: 'Another', description: null },
  marketing_campaign: { name: 'Another' },
  marketing_email: { name: 'Another', subject: 'Weeds' },
  pages_document_model: { id: 'page', label: 'Another' },
  pages_slice_model: { id: 'hero', name: 'Another' },
  pages_document: { name: 'Another', data: '{"a":2}' },
  pages_project_metadata: { name: 'Another' },
  pages_site_settings: { site_name: 'Another', added: true },
  pages_url_redirect: { target_url: '/newer' },
  user_journey: { name: 'Another' },
  webhook: { name: 'Another' },
};
