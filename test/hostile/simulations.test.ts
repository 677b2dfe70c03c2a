/** Simulations without end, and those whose caller has disconnected. */
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

test('the simulations of one caller are limited per minute without effect on another tenant', async () => {
  const path = `/api/journeys/${await createJourney(attacked, steps)}/simulate`;
  for (let call = 0; call < PER_MINUTE; call += 1) await attacked.api.post(path, body);
  const refused = await attacked.api.post(path, body, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  await neighbour.api.post(`/api/journeys/${await createJourney(neighbour, steps)}/simulate`, body);
});

test('a simulation stops at its next step when its caller has disconnected', async () => {
  const { platform } = app.app;
  const id = await createJourney(attacked, steps);
  const caller = new AbortController();
  caller.abort();
  const db = platform.scoped(wholeTenant(attacked.tenantId));
  const ctx = { platform, db, now: platform.clock(), disconnectSignal: () => caller.signal };
  const simulated = await simulate(ctx, id, body);
  assert.ok(simulated instanceof JsonText);
  const { status, steps: simulatedSteps } = JSON.parse(simulated.text);
  assert.equal(status, 'failed');
  assert.deepEqual([simulatedSteps.length, simulatedSteps[0].step], [1, 'day']);
  assert.match(simulatedSteps[0].error, /^The simulation took longer than 20 s of real time/);
});
