/** Simulations that are asked for without end, or whose caller has gone. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { simulate } from '../../src/features/journeys/simulation/simulation.ts';
import { JsonText } from '../../src/http/json-text.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';
import { createJourney } from '../harness/journeys.ts';
import { startOwnApp } from '../harness/test-app.ts';

const PER_MINUTE = 120;
const app = await startOwnApp({ RATE_LIMITS: 'on' });
const [attacked, neighbour] = [await app.createTenant(), await app.createTenant()];
const steps = [
  { key: 'day', type: 'wait', seconds: 86_400 },
  { key: 'out', type: 'exit' },
];
const body = { subscriber: { first_name: 'Ada' } };

test('one caller simulates so often in a minute, and another tenant does not notice', async () => {
  const path = `/api/journeys/${await createJourney(attacked, steps)}/simulate`;
  for (let call = 0; call < PER_MINUTE; call += 1) await attacked.api.post(path, body);
  const refused = await attacked.api.post(path, body, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  await neighbour.api.post(`/api/journeys/${await createJourney(neighbour, steps)}/simulate`, body);
});

test('a simulation stops at its next step when nobody waits for it any more', async () => {
  const { platform } = app.app;
  const id = await createJourney(attacked, steps);
  const gone = new AbortController();
  gone.abort();
  const db = platform.scoped(wholeTenant(attacked.tenantId));
  const ctx = { platform, db, now: platform.clock(), whenGone: () => gone.signal };
  const simulated = await simulate(ctx, id, body);
  assert.ok(simulated instanceof JsonText);
  const { status, steps: told } = JSON.parse(simulated.text);
  assert.equal(status, 'failed');
  assert.deepEqual([told.length, told[0].step], [1, 'day']);
  assert.match(told[0].error, /^The simulation took longer than 20 s of real time/);
});
