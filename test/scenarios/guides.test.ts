/** The commands of the README and of every guide, run in one shell in the order of the README's table. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import test from 'node:test';
import { bashBlocks, freePort, runBash } from '../harness/bash-blocks.ts';
import { blocksOf } from '../harness/guide-blocks.ts';
import { readText } from '../harness/repository.ts';
import { PASSWORD, startTestApp } from '../harness/test-app.ts';

export const neverRunsOn = ['cluster'];

const readme = await readText('README.md');
const linked = [...readme.matchAll(/^\| \[(docs\/[\w-]+\.md)\]/gm)].map(([, page = '']) => page);

const app = await startTestApp({ RATE_LIMITS: 'on', WEBHOOK_BACKOFF_SECONDS: '1,1,2,4' });
const tenant = await app.createTenant();
const [receiver, website] = [await freePort(), await freePort()];
const before = await readdir('.');
const pages = ['README.md', ...linked];
const scripts = await Promise.all(
  pages.map(async (page) => `echo '== ${page}'\n${await bashBlocks(page, app.url, receiver, website)}`),
);
const output = await runBash(scripts.join('\n'), {
  ...{ TESSERA_KEY: tenant.apiKey, TESSERA_ADMIN: app.app.platform.config.adminToken },
  ...{ TESSERA_OWNER: tenant.ownerEmail, TESSERA_PASSWORD: PASSWORD },
});

/** Returns the output of the commands of a page. */
function of(page: string): string {
  const [, printed = ''] = output.split(`== ${page}\n`);
  return `${printed.split('\n== ')[0]}\n`;
}

test('the README links every guide', async () => {
  const all = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  assert.deepEqual(linked.toSorted(), all.sort());
});

test('the guides leave no files in the folder', async () => {
  assert.deepEqual(await readdir('.'), before);
});

test('the tour of the README works when pasted', async () => {
  const printed = of('README.md');
  assert.match(printed, /"code":"INVALID_SUBMISSION".*"field":"guests"/);
  assert.match(printed, /"field":"wishes"/);
  assert.equal(printed.match(/^{"submission_id":/gm)?.length, 2);
  assert.match(printed, /"email_address":"ada@example\.org".*"total":1/);
  assert.match(printed, /"status":"Sent".*"delivered":1/);
  assert.match(printed, /Grace, the garden is open/);
  assert.match(printed, /received correct horse \{"data":/);
  assert.match(printed, /"status":"success","attempts":\d,"last_status_code":200/);
  assert.match(printed, /"code":"TEMPLATE_RENDER_ERROR".*"variable":"visit","line":1/);
  assert.match(
    printed,
    /^{"subject":"A table for ADA & BOB","html":"<p>Dear Ada &amp; Bob, your table for 2 /m,
  );
  assert.match(printed, /"state":"completed".*"counts":{"recipients":2,"queued":0,"sent":1,"failed":1,/);
  assert.match(
    printed,
    /"recipient":"eve@example\.org","status":"failed","error":"The variable \\"name\\" is/,
  );
  assert.match(printed, /"subject":"A table for ADA & BOB".*is kept on 01 May 2030.*"dkim-signature":"v=1;/);
  assert.match(printed, /^The link leads to https:\/\/shop\.example\/menu\?utm_source=mail$/m);
  assert.match(printed, /^event v1,\S+ {"event":"click".*"recipient":"ada@example\.org"/m);
  assert.match(printed, /"step":"rendered".*"step":"handed_over".*"step":"clicked"/);
  const filters = { name: { operation: 'eq', value: 'Visit' } };
  const { body } = await tenant.api.post('/api/forms/list', { page: 1, limit: 10, filters });
  const publicCode = body.results[0].public_code;
  assert.match(printed, new RegExp(`Open ${app.url}/embed/${publicCode} in a browser`));
});

test('the output in a guide is that of its commands', async () => {
  const shown = (await Promise.all(pages.map(blocksOf))).flat().filter(({ language }) => language === 'text');
  assert.ok(shown.length >= 2);
  for (const { page, line, code } of shown)
    assert.ok(of(page).includes(code), `${page}:${line}: ${code}is not in\n${of(page)}`);
});

test('the guide to moving shows who can be mailed and who cannot', () => {
  const printed = of('docs/moving.md');
  assert.match(printed, /"recipient":"left@example\.net","type":"unsubscribe"/);
  assert.match(printed, /"recipient":"blocked@example\.net","type":"unsubscribe"/);
  assert.match(printed, /"email":"noname@example\.net","active":true/);
  assert.match(printed, /"email":"bounced@example\.net","active":false/);
  assert.match(printed, /"email":"unsubscribed@example\.net","active":false/);
  assert.match(printed, /"email":"reader@example\.net","active":true.*"visits":3/);
});

test('the guide to records shows the counts and errors that it describes', () => {
  const printed = of('docs/records.md');
  assert.match(printed, /"results":\[{"value" ?: ?"new", ?"count" ?: ?1, ?"sum" ?: ?120\.5}\]/);
  assert.match(printed, /"error":"validation_failed"/);
});

test('the guide to pages shows the website, a redirect and a preview', () => {
  const printed = of('docs/pages.md');
  assert.match(printed, /<h1>Welcome<\/h1>/);
  assert.match(printed, /"target_url":"\/about\?ref=mail"/);
  assert.match(printed, /<h1>Soon<\/h1>/);
});

test('the guide to automations shows a dry run, a run, a replay and a queue', () => {
  const printed = of('docs/automations.md');
  // A dry run of an order that does not exist, and of one that does.
  assert.match(printed, /^{"status":"failed","error":"[^"]+","actions":\[{"key":"note","status":"failed"/m);
  assert.match(printed, /^{"status":"succeeded","error":null,"actions":\[{"key":"note".*"key":"regular"/m);
  assert.match(printed, /"subject":"Order 2026-1 is paid"/);
  // The run for this order: both conditions hold, and the record has the note.
  assert.match(printed, /^called \/parcels [0-9a-f-]{36}$/m);
  assert.match(printed, /"status":"succeeded".*"result":{"status":200,.*"parcel":"P-77".*"key":"regular"/);
  assert.match(printed, /"note":"Paid: 120\.5"/);
  // The run that failed, and its replay.
  assert.match(
    printed,
    /"status":"failed".*"key":"note","status":"succeeded".*"key":"ship","status":"failed"/,
  );
  assert.match(printed, /"status":"succeeded".*"parcel":"P-78".*"key":"regular","status":"skipped"/);
  // Subscribers from the hook and from the file.
  assert.match(printed, /^{"run_id":"[0-9a-f-]{36}"}$/m);
  const people = printed.split('\n').findLast((line) => line.includes('joan@example.org')) ?? '';
  for (const email of ['ada@example.org', 'grace@example.org', 'joan@example.org'])
    assert.ok(people.includes(email), `${email} is a regular`);
});
