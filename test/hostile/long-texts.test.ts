/** Texts on which a regular expression could take quadratic time: input of callers is read in linear time. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import test from 'node:test';
import { compileCondition } from '../../src/flows/conditions.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const app = await startTestApp();
const CALLS = 40;
/** Each once blocked the process for a tenth of a second or more. */
const MAX_MS = 2_000;

test('a header of only white space is parsed in linear time', async () => {
  const encoding = `gzip${' '.repeat(12_000)}x`;
  const call = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${app.url}/embed.js`, { headers: { 'accept-encoding': encoding } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      sent.on('error', reject).end();
    });
  assert.equal(await call(), 200);
  const { user } = process.cpuUsage();
  for (let calls = 0; calls < CALLS; calls += 1) assert.equal(await call(), 200);
  const ms = (process.cpuUsage().user - user) / 1000;
  assert.ok(ms < MAX_MS, `${ms} ms of processor time`);
});

test('a condition compares a text of a hundred thousand digits in linear time', () => {
  const rule = { field: '{{text}}', operator: 'lessThan', value: 'x' };
  const holds = compileCondition({ combinator: 'and', rules: [rule] });
  assert.ok(typeof holds === 'function', JSON.stringify(holds));
  const { user } = process.cpuUsage();
  holds({ text: `${'1'.repeat(100_000)}x` });
  const ms = (process.cpuUsage().user - user) / 1000;
  assert.ok(ms < MAX_MS, `${ms} ms of processor time`);
});
