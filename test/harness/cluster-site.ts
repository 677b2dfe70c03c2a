/** A cluster for one test, with tenants on known nodes, and the receiver and relay that they send to. */
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

/**
 * Maximum wait while tenants are under load or a node is lost. Both slow a busy machine, where 20 messages have taken
 * more than 30 s; and a process notices only at its next poll that a node is back.
 */
export const LOAD_BOUND_MS = 180_000;

/** Concurrent messages of one worker. If it is killed, at most this many are sent twice. */
export const CONNECTIONS = 5;

/** A tenant of a site. Its form's submissions are delivered to the receiver, under a unique path. */
export interface SiteTenant extends MailTenant {
  /** The worker with the tenant's rows. */
  readonly home: ClusterNode;
  readonly formCode: string;
  /** The form's public code. */
  readonly publicCode: string;
  /** Returns a client of a process with the owner's key. */
  at(process: TestProcess): Client;
  /** Returns the tenant's deliveries that the receiver got. */
  received(): Received[];
  /** Returns the recipients of the tenant's messages that the relay accepted, repeats included. */
  mailedTo(): string[];
}

/** A cluster with tenants. A test starts processes, each connected to one of its nodes. */
export interface ClusterSite {
  readonly cluster: OwnCluster;
  readonly receiver: Receiver;
  readonly relay: Relay;
  /** Delays all messages at the relay until `work` ends. Starts `work` when a message of these tenants is delayed. */
  withDelayedMail(tenants: readonly SiteTenant[], work: () => Promise<void>): Promise<void>;
  /** Returns the node with the rows of a tenant. */
  homeOf(tenantId: string): Promise<ClusterNode>;
  /** Starts a process that connects to a node. */
  start(node: ClusterNode, role: 'api' | 'worker' | 'all'): Promise<TestProcess>;
  /** Returns a client of a process with the operator's token. */
  admin(process: TestProcess): Client;
  /** Creates `perWorker` tenants on each worker. */
  createTenants(process: TestProcess, perWorker: number): Promise<SiteTenant[]>;
}

/** Starts a cluster, a receiver and a relay; all of them are stopped after the file's tests. */
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
    withDelayedMail: (tenants, work) => delayMail(relay, tenants, work),
    ...{ homeOf, admin },
    start: (node, role) => startProcess({ ...env, DATABASE_URL: node.url, ROLE: role }),
    async createTenants(process, perWorker) {
      const tenantsByWorker = new Map<ClusterNode, SiteTenant[]>(
        cluster.workers.map((worker) => [worker, []]),
      );
      const needsMore = () => [...tenantsByWorker.values()].some(({ length }) => length < perWorker);
      while (needsMore()) {
        const tenant = await createSiteTenant(process);
        tenantsByWorker.get(tenant.home)?.push(tenant);
      }
      return [...tenantsByWorker.values()].flatMap((tenants) => tenants.slice(0, perWorker));
    },
  };
}

async function delayMail(
  relay: Relay,
  tenants: readonly SiteTenant[],
  work: () => Promise<void>,
): Promise<void> {
  const { promise: done, resolve } = Promise.withResolvers<null>();
  const delayed: RelayedMessage[] = [];
  relay.onMessage = (message) => {
    delayed.push(message);
    return done;
  };
  const hasOne = ({ domain }: SiteTenant) => delayed.some(({ mailFrom }) => mailFrom.endsWith(domain));
  await eventually('a delayed message', () => tenants.some(hasOne), LOAD_BOUND_MS);
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
