/**
 * The coordinator of a cluster dies and returns: processes at other nodes are not affected, those at it lose nothing.
 */
import test, { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from '../harness/client.ts';
import {
  assertNothingLost,
  assertNotServed,
  moreSubmissions,
  startLoad,
  untilUnderWay,
} from '../harness/cluster-load.ts';
import { LOAD_BOUND_MS, startClusterSite } from '../harness/cluster-site.ts';
import { undelivered } from '../harness/fault-site.ts';
import { ownClusterSkip } from '../harness/own-cluster.ts';
import { eventually } from '../harness/poll.ts';
import type { TestProcess } from '../harness/process.ts';
import { submit } from '../harness/sample-forms.ts';
import { createTenant, type TestTenant } from '../harness/test-app.ts';

export const runsOn = ['cluster'];

const MESSAGES = 500;
/** Pause after a tenant that could not be created, in ms. */
const TENANT_PAUSE_MS = 100;

/** Creates tenants until it is stopped, ignoring errors; a tenant is written to all nodes at once. */
function streamTenants({ url }: TestProcess, admin: Client) {
  const created: TestTenant[] = [];
  let isStopped = false;
  const make = async () => {
    while (!isStopped) {
      await createTenant(url, admin).then(
        (tenant) => created.push(tenant),
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
  return { made: created, stop };
}

test('the coordinator dies under load and returns', { skip: ownClusterSkip }, async (t) => {
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
  // A tenant on each node.
  const [throughIt, pastIt] = [await load(api, 0), await load(apiOfNode, 1)];
  await untilUnderWay([...throughIt, ...pastIt]);
  const creating = streamTenants(api, site.admin(api));
  await eventually('a tenant', () => creating.made.length > 0, LOAD_BOUND_MS);
  await site.withDelayedMail(tenants, () => coordinator.kill());

  await t.test('processes at other nodes continue for tenants of all nodes', async () => {
    for (const past of pastIt) {
      const submissions = await moreSubmissions(past, 30);
      await eventually(
        'their deliveries',
        () => undelivered(submissions, site.receiver).length === 0,
        LOAD_BOUND_MS,
      );
    }
  });

  await t.test('processes at the coordinator report that they are not ready and serve nobody', async () => {
    await createClient(api.url).get('/readyz', 503);
    for (const { tenant } of [...throughIt, ...pastIt])
      assertNotServed(await tenant.at(api).send('GET', `/api/forms/${tenant.formCode}`));
  });

  const late = await site.start(node, 'api');
  await t.test('a process started at another node in the meantime serves all tenants', async () => {
    for (const tenant of tenants) await submit(tenant.at(late), tenant.formCode);
  });

  await coordinator.start();
  await t.test('no acknowledged data is lost', async () => {
    for (const through of throughIt) await moreSubmissions(through, 10);
    const { length } = creating.made;
    await eventually('another tenant', () => creating.made.length > length, LOAD_BOUND_MS);
    await creating.stop();
    for (const tenant of creating.made) await tenant.api.get('/api/tenant/info');
    // The other worker may repeat what a worker at the coordinator had under way.
    for (const past of pastIt)
      await assertNothingLost(past, site.receiver, { refusals: false, lostTrack: 1 });
    for (const through of throughIt)
      await assertNothingLost(through, site.receiver, { refusals: true, lostTrack: 1 });
  });
});
