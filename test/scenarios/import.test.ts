/** `tessera import`: migration from other systems with one command. */
import assert from 'node:assert/strict';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { freshFolder } from '../harness/fresh-database.ts';
import { createMailTenant, type MailTenant } from '../harness/mail.ts';
import { runTessera, spawnTessera } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { zipOf } from '../harness/zip.ts';

const app = await startTestApp();

const person = (email: string, status: string, subscription: string, attribs: object | null = {}) => ({
  ...{ id: 1, uuid: 'u', email, name: 'Rita van Reed', attribs, status },
  lists: subscription === '' ? [] : [{ id: 1, name: 'Readers', subscription_status: subscription }],
});
const campaign = (id: number, more: object) => ({
  ...{ id, name: `News ${id}`, subject: 'Hi {{ .Subscriber.FirstName }}', content_type: 'richtext' },
  ...{ body: '<p>Spring costs $1 {{ TrackLink "https://a.example/x" . }}</p>', status: 'finished' },
  ...{
    created_at: '2024-02-01T10:00:00.1+02:00',
    altbody: null,
    template_id: 1,
    lists: [{ id: 1, name: 'Readers' }],
  },
  ...more,
});
const DATA: Readonly<Record<string, readonly unknown[]>> = {
  '/api/lists': [
    { id: 1, name: 'Readers', optin: 'double', description: '' },
    { id: 2, name: 7, optin: 'single' },
  ],
  '/api/subscribers': [
    person('reader@example.net', 'enabled', 'confirmed', { city: 'Lon"don,', visits: 3 }),
    person('waiting@example.net', 'enabled', 'unconfirmed'),
    person('left@example.net', 'enabled', 'unsubscribed'),
    person('blocked@example.net', 'blocklisted', 'confirmed', null),
    person('not an address', 'enabled', 'confirmed'),
    person('huge@example.net', 'enabled', '', { text: 'x'.repeat(70_000) }),
    { email: ['wrong'], name: null },
    null,
  ],
  '/api/templates': [
    {
      id: 1,
      name: 'Frame',
      type: 'campaign',
      subject: '',
      body: '<b>{{ template "content" . }}</b>{{ TrackView }}',
    },
    { id: 2, name: 'Code', type: 'tx', subject: 'Code', body: '{{ range .Tx.Data.items }}{{ end }}' },
  ],
  '/api/campaigns': [
    campaign(4, {}),
    campaign(5, { status: 'scheduled', template_id: null }),
    campaign(6, { content_type: 'markdown' }),
  ],
};

/** Starts a server that responds like listmonk; `before` can act on a request. */
async function startListmonk(before: (path: string) => void = () => {}) {
  const source = await startReceiver();
  source.answer = ({ path, headers }, response) => {
    const { pathname } = new URL(path, source.url);
    before(pathname);
    const results = DATA[pathname] ?? [];
    if (headers.authorization !== 'token me:secret') response.statusCode = 403;
    response.end(JSON.stringify({ data: pathname === '/api/templates' ? results : { results, total: 3 } }));
  };
  return source;
}

async function envOf(tenant: MailTenant, more: Readonly<Record<string, string>> = {}) {
  const state = join(await freshFolder(), 'state.json');
  const env = { TESSERA_URL: app.url, TESSERA_API_KEY: tenant.apiKey, SOURCE_TOKEN: 'me:secret', ...more };
  return { state, env, sender: ['--from-email', `news@${tenant.domain}`, '--state', state] };
}

async function recordsOf({ api }: MailTenant) {
  const all = { page: 1, limit: 100, filters: {} };
  const [lists, subscribers, templates, campaigns, suppressions] = await Promise.all([
    api.post('/api/lists/list', all),
    api.post('/api/subscribers/list', all),
    api.get('/api/templates'),
    api.post('/api/campaigns/list', all),
    api.get('/api/email_settings/suppressions/list?limit=100'),
  ]);
  return {
    lists: lists.body.results,
    subscribers: subscribers.body.results,
    templates: templates.body.results,
    campaigns: campaigns.body.results,
    suppressed: suppressions.body.results.map(({ recipient }: { recipient: string }) => recipient).sort(),
  };
}

test('a dry run of listmonk counts, writes nothing and needs the credential', async () => {
  const [tenant, source] = [await createMailTenant(app), await startListmonk()];
  const { env, state, sender } = await envOf(tenant);
  const { code, output } = await runTessera(['import', 'listmonk', source.url, ...sender], env);
  assert.equal(code, 0, output);
  assert.match(output, /^To import:\n {2}1 lists\n.* {2}6 subscribers\n.* {2}2 campaigns\n/ms);
  assert.match(output, /Repeat with --apply/);
  const { lists, subscribers, templates, campaigns } = await recordsOf(tenant);
  assert.deepEqual([lists, subscribers, templates, campaigns], [[], [], [], []]);
  await assert.rejects(access(state));
  const refused = await runTessera(['import', 'listmonk', source.url], { ...env, SOURCE_TOKEN: 'no' });
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /^listmonk answered 403 .* SOURCE_TOKEN/m);
});

test('a killed import continues without duplicates and keeps suppressions', async () => {
  const tenant = await createMailTenant(app);
  let kill: (() => void) | null = null;
  const source = await startListmonk((path) => {
    if (path === '/api/campaigns') kill?.();
  });
  const { env, sender } = await envOf(tenant);
  const args = ['import', 'listmonk', source.url, '--apply', ...sender];
  const first = spawnTessera(args, env);
  kill = () => first.child.kill('SIGKILL');
  assert.equal((await first.ended).signal, 'SIGKILL', first.output());
  assert.equal((await recordsOf(tenant)).lists.length, 1);
  kill = null;
  for (const _repeat of [1, 2]) {
    const { code, output } = await runTessera(args, env);
    assert.equal(code, 0, output);
    assert.match(output, /^ {2}not an address: email must be a valid email address$/m);
    assert.match(output, /^ {2}huge@example\.net: is longer than 65536 characters$/m);
    assert.match(output, /^ {2}2 subscribers of page 1: the data has unexpected types/m);
    assert.match(output, /^ {2}list: the data has unexpected types/m);
    assert.match(output, /^ {2}template Code: \{\{ range \.Tx\.Data\.items \}\} has no counterpart$/m);
    assert.match(output, /^ {2}campaign News 6: content of the type markdown is not supported$/m);
    assert.match(output, /^ {2}the state "scheduled" of campaign News 5: it is a draft here/m);
  }
  const { lists, subscribers, templates, campaigns, suppressed } = await recordsOf(tenant);
  assert.deepEqual([lists.length, templates.length, campaigns.length], [1, 1, 2]);
  assert.deepEqual(suppressed, ['blocked@example.net', 'left@example.net']);
  const states = subscribers.map((each: { email: string; active: boolean; lists: string[] }) => [
    ...[each.email, each.active, each.lists.length],
  ]);
  assert.deepEqual(states.sort(), [
    ['blocked@example.net', false, 1],
    ['left@example.net', false, 0],
    ['reader@example.net', true, 1],
    ['waiting@example.net', false, 0],
  ]);
  const reader = subscribers.find(({ email }: { email: string }) => email === 'reader@example.net');
  assert.deepEqual(reader.additional_fields_data, { city: 'Lon"don,', visits: 3 });
  const { results } = (await tenant.api.get('/api/campaigns/LISTMONK-4/emails')).body;
  assert.equal(results.length, 1);
  assert.equal(results[0].status, 'Draft');
  assert.equal(results[0].subject, 'Hi {{subscriber.first_name}}');
  const { body: email } = await tenant.api.get(`/api/campaigns/LISTMONK-4/emails/${results[0].id}`);
  assert.equal(email.content.html, '<b><p>Spring costs $1 https://a.example/x</p></b>');
  assert.deepEqual(email.list_ids, [lists[0].id]);
});

test('the state of another source is rejected', async () => {
  const [tenant, one, other] = [await createMailTenant(app), await startListmonk(), await startListmonk()];
  const { env, sender } = await envOf(tenant);
  assert.equal((await runTessera(['import', 'listmonk', one.url, '--apply', ...sender], env)).code, 0);
  const { code, errors } = await runTessera(['import', 'listmonk', other.url, ...sender], env);
  assert.equal(code, 1);
  assert.match(errors, /state\.json belongs to .*; choose another --state FILE/);
});

test('a source that does not answer like listmonk ends the import with one line', async () => {
  const { env, sender } = await envOf(await createMailTenant(app));
  const source = await startReceiver();
  for (const answer of ['{"data":', '[]', '{"data":{"results":7}}']) {
    source.answer = (_request, response) => response.end(answer);
    const { code, errors } = await runTessera(['import', 'listmonk', source.url, ...sender], env);
    assert.equal(code, 1);
    assert.match(errors, /^the response to \/api\/lists\S* is not a listmonk response\n$/);
  }
});

/** The files of a Mailchimp export, by their name. */
const AUDIENCE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    subscribed: 'stays@example.net,Stella,Stone\nbroken,Bea,',
    unsubscribed: 'left@example.net,Lee,',
    cleaned: 'bounced@example.net,Bo,',
    nonsubscribed: 'never@example.net,Nev,',
  }).map(([name, rows]) => [
    `${name}_email_audience_export_1.csv`,
    `Email Address,First Name,Last Name\n${rows}\n`,
  ]),
);

test('the import of a Mailchimp export keeps unsubscribed and bounced subscribers unmailable', async () => {
  const tenant = await createMailTenant(app);
  const { env, state } = await envOf(tenant);
  const folder = join(await freshFolder(), 'export');
  await mkdir(folder);
  for (const [name, text] of Object.entries(AUDIENCE)) await writeFile(join(folder, name), text);
  const args = ['import', 'mailchimp', folder, '--list', 'From Mailchimp', '--state', state];
  const dry = await runTessera(args, env);
  assert.match(dry.output, /2 rows of subscribed_email_audience_export_1\.csv/);
  for (const _repeat of [1, 2]) {
    const { code, output } = await runTessera([...args, '--apply'], env);
    assert.equal(code, 0, output);
    assert.match(output, /1 subscribers of nonsubscribed\S+: they never consented to mail/);
    assert.match(output, /subscribed_email_audience_export_1\.csv, line 3: email must be a valid/);
  }
  const { lists, subscribers, suppressed } = await recordsOf(tenant);
  assert.deepEqual(suppressed, ['bounced@example.net', 'left@example.net']);
  assert.deepEqual([lists.length, lists[0].subscriber_count, subscribers.length], [1, 1, 3]);
});

test('the ZIP archive of a Mailchimp export is imported as it is', async () => {
  const tenant = await createMailTenant(app);
  const { env, state } = await envOf(tenant);
  const file = join(await freshFolder(), 'audience_export_1.zip');
  await writeFile(file, zipOf({ ...AUDIENCE, '__MACOSX/._subscribed.csv': 'x', 'readme.txt': 'x' }));
  const args = ['import', 'mailchimp', file, '--list', 'From Mailchimp', '--state', state, '--apply'];
  const { code, output } = await runTessera(args, env);
  assert.equal(code, 0, output);
  assert.match(output, /1 subscribers of nonsubscribed\S+: they never consented to mail/);
  const { lists, subscribers, suppressed } = await recordsOf(tenant);
  assert.deepEqual(suppressed, ['bounced@example.net', 'left@example.net']);
  assert.deepEqual([lists[0].subscriber_count, subscribers.length], [1, 3]);
  await writeFile(file, 'no archive');
  const { errors } = await runTessera(args, env);
  assert.match(errors, /audience_export_1\.zip cannot be read as a ZIP archive: .*\n$/);
});

test('a file without addresses and an unknown source are rejected with one line', async () => {
  const { env, state } = await envOf(await createMailTenant(app));
  const file = join(await freshFolder(), 'people.csv');
  await writeFile(file, 'name\nAda\n');
  const missing = await runTessera(['import', 'listmonk', file, '--state', state], env);
  assert.match(missing.errors, /^tessera import: email is missing in the header/m);
  const unknown = await runTessera(['import', 'pigeons', file], env);
  assert.equal(unknown.code, 2);
  assert.match(unknown.errors, /^tessera import: SOURCE must be one of listmonk, mailchimp/);
  const incomplete = await runTessera(['import', 'listmonk'], env);
  assert.match(incomplete.errors, /^tessera import: FROM is missing/);
});
