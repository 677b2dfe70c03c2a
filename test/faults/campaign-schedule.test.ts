import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { pino } from 'pino';
import { startApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createCampaign, createEmail, createListOf, waitForStatus } from '../harness/campaigns.ts';
import { createClient } from '../harness/client.ts';
import { createMailTenant, mailsTo } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];

// In this time zone clocks are set back at 2027-10-31T01:00:00Z.
const { TZ } = process.env;
process.env.TZ = 'Europe/Berlin';
after(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

/** How far the processes' clock is ahead, in ms. */
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
const setClock = (time: string) => {
  ahead = Date.parse(time) - Date.now();
};

setClock('2027-10-30T22:00:00Z');
const relay = await startRelay();
const first = await startOwnApp({ SMTP_URL: relay.url }, { clock });
const tenant = await createMailTenant(first);
const { listId, subscribers } = await createListOf(tenant, 1);
const code = await createCampaign(tenant);

/** Schedules an email with a unique subject. */
async function schedule(subject: string, sent_date: string) {
  const { path } = await createEmail(tenant, code, { list_ids: [listId], subject, sent_date });
  assert.equal((await tenant.api.get(`${path}/process`)).body.status, 'Scheduled');
  return path;
}

const subjects = async () =>
  (await mailsTo(relay, subscribers[0]?.email ?? '')).map(({ subject }) => subject);
const arrives = (subject: string) =>
  eventually(`the mail "${subject}"`, async () => (await subjects()).includes(subject));

test('in the hour that occurs twice in a night each email is sent at its own time', async () => {
  const summer = await schedule('Summer', '2027-10-31T02:30:00+02:00');
  const winter = await schedule('Winter', '2027-10-31T02:30:00+01:00');
  const unsaid = await schedule('Unsaid', '2027-10-31T02:30:00');
  const dates = await Promise.all(
    [summer, winter, unsaid].map(async (path) => (await tenant.api.get(path)).body.sent_date),
  );
  assert.deepEqual(dates, [
    '2027-10-31T00:30:00.000Z',
    '2027-10-31T01:30:00.000Z',
    '2027-10-31T02:30:00.000Z',
  ]);
  for (const [subject, due, later] of [
    ['Summer', '2027-10-31T00:30:01Z', [winter, unsaid]],
    ['Winter', '2027-10-31T01:30:01Z', [unsaid]],
    ['Unsaid', '2027-10-31T02:30:01Z', []],
  ] as const) {
    setClock(due);
    await arrives(subject);
    for (const other of later) assert.equal((await tenant.api.get(other)).body.status, 'Scheduled');
  }
  assert.deepEqual(await subjects(), ['Summer', 'Winter', 'Unsaid']);
});

test('emails that become due while no process runs are sent after the start, unless more than a day late', async (t) => {
  setClock('2027-11-01T10:00:00Z');
  const tooLate = await schedule('Too late', '2027-11-01T11:00:00Z');
  await schedule('Late', '2027-11-01T13:00:00Z');
  await first.app.stop();
  setClock('2027-11-02T12:00:00Z');
  const second = await startApp(loadConfig(first.env), { clock, log: pino({ level: 'fatal' }) });
  t.after(() => second.stop());
  const api = createClient(second.platform.publicUrl(), { 'x-api-key': tenant.apiKey });
  await arrives('Late');
  const { cancel_reason } = await waitForStatus({ api }, tooLate, 'Cancelled');
  assert.match(cancel_reason, /more than 24 hours/);
  assert.equal((await subjects()).includes('Too late'), false);
});
