import assert from 'node:assert/strict';
import test from 'node:test';
import type { Client } from '../harness/client.ts';
import { createMailTenant } from '../harness/mail.ts';
import { createForm, formBody } from '../harness/sample-forms.ts';
import { subscriberBody } from '../harness/subscribers.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const KB = 1024;
/**
 * Sizes that are read with the page, in a chunk with others, and alone; the first and last of a page have both kinds.
 */
const SIZES = [20, 30, 1, 1, 700, 500, 1].map((size) => size * KB);

const text = (size: number) => 'ä"\\n'.repeat(size / 4);
const everything = { page: 1, limit: 100, filters: {} };

async function createForms(api: Client): Promise<string[]> {
  const codes: string[] = [];
  for (const [place, size] of SIZES.entries()) {
    const definition = { pages: [{ elements: [{ type: 'html', name: 'text', html: text(size) }] }] };
    const body = formBody({ name: `Form ${place}`, formBuilderOptions: definition });
    codes.unshift((await api.post('/api/forms', body)).body.code);
  }
  return codes;
}

test('a list of small and large records returns each like GET, in order, with the members of lists', async () => {
  const { api } = await app.createTenant();
  const codes = await createForms(api);
  const expected = [];
  for (const code of codes)
    expected.push({ ...(await api.get(`/api/forms/${code}`)).body, submission_count: 0, conversion_rate: 0 });
  const whole = await api.post('/api/forms/list', everything);
  assert.match(whole.headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(whole.body, { results: expected, total: SIZES.length, totalPages: 1 });
  const page = (await api.post('/api/forms/list', { ...everything, page: 2, limit: 3 })).body;
  assert.deepEqual(page, { results: expected.slice(3, 6), total: SIZES.length, totalPages: 3 });
});

test('large records of a parent and complete lists are returned unchanged', async () => {
  const tenant = await createMailTenant(app);
  const { api } = tenant;
  const template = { name: 'News', from_email: `shop@${tenant.domain}`, transactional: true };
  const { id } = (await api.post('/api/templates', template)).body;
  const contents = [text(200 * KB), 'short', text(40 * KB)];
  for (const html_content of contents)
    await api.post(`/api/templates/${id}/versions`, { subject: 'News', html_content, active: false });
  const versions = (await api.get(`/api/templates/${id}/versions`)).body;
  const shown = versions.results.map(({ html_content }: { html_content: string }) => html_content);
  assert.deepEqual(shown, contents.toReversed());
  assert.deepEqual(
    versions.results[0],
    (await api.get(`/api/templates/${id}/versions/${versions.results[0].id}`)).body,
  );

  const event = { event_type: 'form.submission', form_code: await createForm(api) };
  for (const test_data of [{ text: text(40 * KB) }, {}])
    await api.post('/api/webhooks', {
      event,
      name: 'Receiver',
      target: { url: 'http://127.0.0.1:1' },
      test_data,
    });
  const { results } = (await api.get('/api/webhooks')).body;
  for (const webhook of results)
    assert.deepEqual(webhook, (await api.get(`/api/webhooks/${webhook.id}`)).body);
  assert.equal(results.length, 2);
});

test('large records are listed with their computed members', async () => {
  const tenant = await app.createTenant();
  const list_id = (await tenant.api.post('/api/lists', { name: 'News' })).body.id;
  const notes = { notes: text(40 * KB) };
  const body = subscriberBody({ lists: [list_id], additional_fields_data: notes });
  const { id } = (await tenant.api.post('/api/subscribers', body)).body;
  const { results } = (await tenant.api.post('/api/subscribers/list', everything)).body;
  assert.deepEqual(results, [(await tenant.api.get(`/api/subscribers/${id}`)).body]);
  assert.deepEqual(results[0].lists, [list_id]);
});

test('a repeated list with an Idempotency-Key is read again', async () => {
  const { api } = await app.createTenant();
  const createTheme = (size: number) =>
    api.post('/api/form_themes', { name: 'Theme', formBuilderThemeOptions: { text: text(size) } });
  const list = () =>
    api.post('/api/form_themes/list', everything, 200, { headers: { 'idempotency-key': 'list' } });
  await createTheme(100 * KB);
  assert.equal((await list()).body.results.length, 1);
  await createTheme(100 * KB);
  assert.equal((await list()).body.results.length, 2);
});
