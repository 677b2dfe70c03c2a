/** The coordinator of a cluster dies and comes back: processes at other nodes do not notice, those at it lose nothing. */
import test, { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from '../harness/client.ts';
import {
  assertNothingLost,
  assertNotServed,
  moreSubmissions,
  RETURN_BOUND_MS,
  startLoad,
  untilUnderWay,
} from '../harness/cluster-load.ts';
import { startClusterSite } from '../harness/cluster-site.ts';
import { undelivered } from '../harness/fault-site.ts';
import { ownClusterSkip } from '../harness/own-cluster.ts';
import { eventually } from '../harness/poll.ts';
import type { TestProcess } from '../harness/process.ts';
import { submit } from '../harness/sample-forms.ts';
import { createTenant, type TestTenant } from '../harness/test-app.ts';

export const runsOn = ['cluster'];

const MESSAGES = 500;
/** After a tenant that could not be made, milliseconds. */
const TENANT_PAUSE_MS = 100;

/** Makes tenants until it is stopped, whatever becomes of them; a tenant is written to all nodes at once. */
function streamTenants({ url }: TestProcess, admin: Client) {
  const made: TestTenant[] = [];
  let isStopped = false;
  const make = async () => {
    while (!isStopped) {
      await createTenant(url, admin).then(
        (tenant) => made.push(tenant),
        () => pause(TENANT_PAUSE_MS),
      );
    }
  };
  const ended = make();
  const stop = () => {
    isStopped = true;
    return ended;
  };
  after(stop);
  return { made, stop };
}

test('the coordinator dies under load and comes back', { skip: ownClusterSkip }, async (t) => {
  const site = await startClusterSite();
  const {
    coordinator,
    workers: [node, otherNode],
  } = site.cluster;
  const [api, apiOfNode] = await Promise.all([
    site.start(coordinator, 'api'),
    site.start(node, 'api'),
    site.start(coordinator, 'worker'),
    site.start(otherNode, 'worker'),
  ]);
  const tenants = await site.createTenants(api, 2);
  const load = (through: typeof api, rest: number) =>
    Promise.all(
      tenants.filter((_, index) => index % 2 === rest).map((tenant) => startLoad(tenant, through, MESSAGES)),
    );
  // Of each a tenant on either node.
  const [throughIt, pastIt] = [await load(api, 0), await load(apiOfNode, 1)];
  const creating = streamTenants(api, site.admin(api));
  await untilUnderWay([...throughIt, ...pastIt]);
  await site.withMailInHand(tenants, () => coordinator.kill());

  await t.test('processes at other nodes go on for tenants of all nodes', async () => {
    for (const past of pastIt) {
      const owed = await moreSubmissions(past, 30);
      await eventually('their deliveries', () => undelivered(owed, site.receiver).length === 0);
    }
  });

  await t.test('processes at it say that they are not ready, and serve nobody', async () => {
    await createClient(api.url).get('/readyz', 503);
    for (const { tenant } of [...throughIt, ...pastIt])
      assertNotServed(await tenant.at(api).send('GET', `/api/forms/${tenant.formCode}`));
  });

  const late = await site.start(node, 'api');
  await t.test('a process at another node starts meanwhile and serves all', async () => {
    for (const tenant of tenants) await submit(tenant.at(late), tenant.formCode);
  });

  await coordinator.start();
  await t.test('nothing that was acknowledged is lost', async () => {
    for (const through of throughIt) await moreSubmissions(through, 10);
    const { length } = creating.made;
    await eventually('another tenant', () => creating.made.length > length, RETURN_BOUND_MS);
    await creating.stop();
    for (const tenant of creating.made) await tenant.api.get('/api/tenant/info');
    // What a worker at the coordinator had under way may be done by the other.
    for (const past of pastIt)
      await assertNothingLost(past, site.receiver, { refusals: false, lostTrack: 1 });
    for (const through of throughIt)
      await assertNothingLost(through, site.receiver, { refusals: true, lostTrack: 1 });
  });
});
