/** A worker node of a cluster is lost under load: tenants on other nodes are not affected, its own lose nothing. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import { MAX } from 'uuid';
import { createClient } from '../harness/client.ts';
import {
  assertNothingLost,
  assertNotServed,
  moreSubmissions,
  NONE,
  startLoad,
  type TenantLoad,
  untilUnderWay,
} from '../harness/cluster-load.ts';
import { LOAD_BOUND_MS, startClusterSite } from '../harness/cluster-site.ts';
import { undelivered } from '../harness/fault-site.ts';
import { waitUntilEnded } from '../harness/mail.ts';
import type { ClusterNode } from '../harness/own-cluster.ts';
import { eventually } from '../harness/poll.ts';
import { submit } from '../harness/sample-forms.ts';

const MESSAGES = 500;
/** Delay of the relay for each message, so that mail goes out all the time, in ms. */
const MESSAGE_MS = 50;

/** Ways to lose and restore a node. */
export interface Loss {
  lose(node: ClusterNode): Promise<void>;
  bringBack(node: ClusterNode): Promise<void>;
}

/** Loses the node of some tenants while all submit and send, and restores it. */
export async function loseWorker(t: TestContext, { lose, bringBack }: Loss): Promise<void> {
  const site = await startClusterSite();
  const { coordinator, workers } = site.cluster;
  // The node with the rows of the platform's own jobs, whose loss is the worst.
  const victim = await site.homeOf(MAX);
  const survivor = workers.find((node) => node !== victim) ?? coordinator;
  const processes = await Promise.all([
    site.start(coordinator, 'api'),
    site.start(survivor, 'api'),
    site.start(coordinator, 'worker'),
  ]);
  const [api, apiOfSurvivor] = processes;
  const tenants = await site.createTenants(api, 2);
  site.relay.onMessage = () => pause(MESSAGE_MS, null);
  const loads = await Promise.all(
    tenants.map((tenant, index) => startLoad(tenant, index % 2 === 0 ? api : apiOfSurvivor, MESSAGES)),
  );
  const isSpared = ({ tenant }: TenantLoad) => tenant.home === survivor;
  const [spared, hit] = [loads.filter(isSpared), loads.filter((load) => !isSpared(load))];
  await untilUnderWay(loads);

  // Some messages have been sent, and that cannot be stored.
  const tenantsHit = hit.map(({ tenant }) => tenant);
  await site.withDelayedMail(tenantsHit, () => lose(victim));

  await t.test('submissions, deliveries and mail of tenants on other nodes continue', async () => {
    for (const load of spared) {
      const submissions = await moreSubmissions(load, 30);
      await eventually(
        'their deliveries',
        () => undelivered(submissions, site.receiver).length === 0,
        LOAD_BOUND_MS,
      );
      const { counts } = await waitUntilEnded(load.tenant, load.transmissionId, LOAD_BOUND_MS);
      assert.equal(counts.sent, MESSAGES);
    }
    for (const { tenant } of hit) assert.ok(tenant.mailedTo().length < MESSAGES, 'it died in the middle');
  });

  const late = await site.start(coordinator, 'all');
  await t.test('a process started while the node is unavailable serves tenants on other nodes', async () => {
    for (const { tenant } of spared) {
      const id = await submit(tenant.at(late), tenant.formCode);
      await eventually('its delivery', () => undelivered([id], site.receiver).length === 0, LOAD_BOUND_MS);
      await createClient(late.url).get(`/embed/${tenant.publicCode}`);
    }
  });

  await t.test('tenants on the node get an error while processes stay ready', async () => {
    for (const { tenant } of hit) {
      for (const process of [api, apiOfSurvivor, late])
        assertNotServed(await tenant.at(process).send('GET', `/api/forms/${tenant.formCode}`));
      await createClient(late.url).get(`/embed/${tenant.publicCode}`, 503);
    }
    for (const { url } of [...processes, late]) await createClient(url).get('/readyz');
  });

  const open = async ({ tenant }: TenantLoad) => {
    const message = site.relay.messages.find(({ mailFrom }) => mailFrom.endsWith(tenant.domain));
    const { html } = await simpleParser(message?.raw ?? '');
    const [, path = ''] = /src="[^"]+(\/t\/o\/[^"]+)"/.exec(String(html)) ?? [];
    await createClient(api.url).get(path);
  };
  const isOpened = async ({ tenant, transmissionId }: TenantLoad) =>
    (await tenant.api.get(`/api/transmissions/${transmissionId}`)).body.counts.opened === 1;
  await t.test('opened messages are recorded despite events of affected tenants', async () => {
    for (const load of [...hit, ...spared]) await open(load);
    for (const load of spared) await eventually('the opening', () => isOpened(load), LOAD_BOUND_MS);
  });

  await bringBack(victim);
  await t.test('tenants on the node are served again, and no acknowledged data is lost', async () => {
    for (const load of hit) {
      await moreSubmissions(load, 10);
      await eventually('the opening', () => isOpened(load), LOAD_BOUND_MS);
    }
    for (const load of spared) await assertNothingLost(load, site.receiver, NONE);
    for (const load of hit) await assertNothingLost(load, site.receiver, { refusals: true, lostTrack: 1 });
  });
}
