/** A cluster of a test's own with tenants of which it is known where they are, and what they send to. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Client, createClient } from './client.ts';
import { createMailTenantAt, type MailTenant } from './mail.ts';
import { type ClusterNode, type OwnCluster, startOwnCluster } from './own-cluster.ts';
import { eventually } from './poll.ts';
import { killProcesses, startProcess, type TestProcess } from './process.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { type Relay, type RelayedMessage, startRelay } from './relay.ts';
import { createForm } from './sample-forms.ts';
import { createWebhook } from './submission-load.ts';
import { testEnv } from './test-app.ts';

/** Messages under way at once in one worker: as many may be repeated when nobody knows whether they left. */
export const CONNECTIONS = 5;

/** A tenant of a site. Its form's submissions go to the receiver, under a path of its own. */
export interface SiteTenant extends MailTenant {
  /** The worker that has its rows. */
  readonly home: ClusterNode;
  readonly formCode: string;
  /** The name of its form in embeds. */
  readonly publicCode: string;
  /** Calls with the owner's key at a process. */
  at(process: TestProcess): Client;
  /** What the receiver got for it. */
  received(): Received[];
  /** The recipients of the messages that the relay took over for it, repeats included. */
  mailedTo(): string[];
}

/** Processes of the product are started on it node by node. */
export interface ClusterSite {
  readonly cluster: OwnCluster;
  readonly receiver: Receiver;
  readonly relay: Relay;
  /** Has the relay keep a message of one of these in hand while something is done, and then take all. */
  withMailInHand(tenants: readonly SiteTenant[], work: () => Promise<void>): Promise<void>;
  /** The node that has the rows of a tenant, or of what stands for one. */
  homeOf(tenantId: string): Promise<ClusterNode>;
  /** Starts a process that works through a node. */
  start(node: ClusterNode, role: 'api' | 'worker' | 'all'): Promise<TestProcess>;
  /** Calls with the operator's token at a process. */
  admin(process: TestProcess): Client;
  /** Makes so many tenants on each worker. */
  createTenants(process: TestProcess, onEach: number): Promise<SiteTenant[]>;
}

/** Starts a cluster, a receiver and a relay; all ends with the file's tests. */
export async function startClusterSite(): Promise<ClusterSite> {
  const cluster = await startOwnCluster();
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-site-'));
  after(async () => {
    await killProcesses();
    await cluster.remove();
    await rm(dataDir, { recursive: true, force: true });
  });
  const [receiver, relay] = [await startReceiver(), await startRelay()];
  const database = { kind: 'cluster', env: { DATA_DIR: dataDir }, remove: async () => {} } as const;
  const more = { LOG_LEVEL: 'info', SMTP_URL: relay.url, SMTP_CONNECTIONS: String(CONNECTIONS) };
  const env = { ...testEnv(database), ...more };
  const homeOf = (tenantId: string) => findHome(cluster, tenantId);
  const admin = ({ url }: TestProcess) => createClient(url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const createSiteTenant = async (process: TestProcess): Promise<SiteTenant> => {
    const tenant = await createMailTenantAt(process.url, admin(process));
    const formCode = await createForm(tenant.api);
    const { public_code: publicCode } = (await tenant.api.get(`/api/forms/${formCode}`)).body;
    const path = `/${tenant.code}`;
    await createWebhook(tenant.api, formCode, receiver.url + path);
    return {
      ...tenant,
      ...{ formCode, publicCode },
      home: await homeOf(tenant.tenantId),
      at: ({ url }) => createClient(url, { 'x-api-key': tenant.apiKey }),
      received: () => receiver.received.filter((request) => request.path === path),
      mailedTo: () =>
        relay.messages
          .filter(({ mailFrom }) => mailFrom.endsWith(tenant.domain))
          .flatMap(({ rcptTo }) => rcptTo),
    };
  };
  return {
    cluster,
    receiver,
    relay,
    withMailInHand: (tenants, work) => keepInHand(relay, tenants, work),
    ...{ homeOf, admin },
    start: (node, role) => startProcess({ ...env, DATABASE_URL: node.url, ROLE: role }),
    async createTenants(process, onEach) {
      const made = new Map<ClusterNode, SiteTenant[]>(cluster.workers.map((worker) => [worker, []]));
      const isLacking = () => [...made.values()].some(({ length }) => length < onEach);
      while (isLacking()) {
        const tenant = await createSiteTenant(process);
        made.get(tenant.home)?.push(tenant);
      }
      return [...made.values()].flatMap((tenants) => tenants.slice(0, onEach));
    },
  };
}

async function keepInHand(
  relay: Relay,
  tenants: readonly SiteTenant[],
  work: () => Promise<void>,
): Promise<void> {
  const { promise: done, resolve } = Promise.withResolvers<null>();
  const inHand: RelayedMessage[] = [];
  relay.onMessage = (message) => {
    inHand.push(message);
    return done;
  };
  const hasOne = ({ domain }: SiteTenant) => inHand.some(({ mailFrom }) => mailFrom.endsWith(domain));
  await eventually('messages to be in hand', () => tenants.some(hasOne));
  await work();
  relay.onMessage = () => null;
  resolve(null);
}

async function findHome(cluster: OwnCluster, tenantId: string): Promise<ClusterNode> {
  const [row] = await cluster.query(
    `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('business_units', $1::uuid)`,
    [tenantId],
  );
  const home = cluster.nodes.find(({ port }) => port === row?.port);
  if (home === undefined) throw new Error(`No node has the tenant ${tenantId}.`);
  return home;
}
