/** Random JSON as the body of every route: the route declares the response, and it is never an unexpected error. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { callRoute, clientsOf, ownerOf } from '../contract/route-calls.ts';
import { allRoutes, createWorld, requestTo } from '../contract/world.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { acceptBefore } from './survivors.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const RUNS = 25;

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const names = await createWorld(tenant, receiver.url);
const checkSurvivors = await acceptBefore(app, tenant);

/** A reset would delete the data that the survivors' check reads; its body can only be the tenant's code. */
const bodyRoutes = allRoutes.filter(({ body, id }) => body && id !== 'tenants.reset');

const clientOf = clientsOf(app, await ownerOf(tenant));

/** A valid body with some values, at any depth, replaced or removed. */
function spoiled(value: unknown): fc.Arbitrary<unknown> {
  const mutated = Array.isArray(value)
    ? fc.tuple(...value.map(spoiled))
    : typeof value === 'object' && value !== null
      ? fc.record(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoiled(each)])), {
          requiredKeys: [],
        })
      : fc.constant(value);
  return fc.oneof({ weight: 12, arbitrary: mutated }, { weight: 1, arbitrary: fc.jsonValue() });
}

for (const route of bodyRoutes) {
  test(`${route.id}: no JSON body causes an unexpected error`, async () => {
    const { body, ...request } = requestTo(route, names);
    const bodies = fc.oneof(
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 3, arbitrary: spoiled(body) },
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (sent) => {
        await callRoute(clientOf(route), route, request, { rawBody: JSON.stringify(sent) });
      }),
      { numRuns: RUNS },
    );
  });
}

test('afterwards the process answers and has the accepted data', async () => {
  await checkSurvivors();
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});
