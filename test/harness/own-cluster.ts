/**
 * A Citus cluster for one test, which may kill its nodes: a coordinator and two workers, all PostgreSQL 15 servers on
 * this machine. If the test runs as root, the servers run as the user `postgres`, because PostgreSQL refuses to run as
 * root.
 */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { addToCluster, databaseUrl, joinNodes, migrateAndShard, runOn } from './cluster-nodes.ts';
import { eventually } from './poll.ts';
import { databaseKind } from './test-database.ts';

const run = promisify(execFile);

const PROGRAMS = '/usr/lib/postgresql/15/bin';
const CITUS = '/usr/share/postgresql/15/extension/citus.control';
const DATABASE = 'tessera';
/** Several per worker, so that tenants are in different shards, and other shards stay when one is moved. */
const SHARDS = 8;
/** Below the ephemeral ports of the system, so that no process takes the port of a stopped node. */
const PORTS = { from: 20_000, to: 32_000 };
/** The page cache of the system survives a kill of the servers, so nothing need be written to a disk. */
const SETTINGS = `
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
max_prepared_transactions = 200
max_worker_processes = 64
wal_level = logical
fsync = off
citus.node_conninfo = 'sslmode=disable keepalives_idle=2 keepalives_interval=1 keepalives_count=3 tcp_user_timeout=3000'
citus.node_connection_timeout = '3s'
citus.recover_2pc_interval = '2s'
`;

/**
 * Setting of late releases of PostgreSQL that lists the decoders of changes. Citus uses its own while it splits a
 * shard.
 */
const DECODERS_SETTING = 'output_plugin_libraries';

/** Reason to skip tests of cluster faults; false if they run. */
export const ownClusterSkip =
  databaseKind() !== 'cluster'
    ? 'nodes are killed by npm run test:nodes'
    : !existsSync(CITUS) && `Citus is not installed: there is no ${CITUS}`;

/** A server of a cluster. */
export interface ClusterNode {
  /** URL of the test's database on this node. */
  readonly url: string;
  readonly port: number;
  /** Kills all of its processes at once, as if the machine had crashed, and waits until they have ended. */
  kill(): Promise<void>;
  /** Starts the server, also after a kill, and waits until it accepts connections. */
  start(): Promise<void>;
  /** Drops all packets to and from it, as in a network failure; see `packetDropSkip`. */
  dropPackets(): Promise<void>;
  /** Stops dropping packets. */
  passPackets(): Promise<void>;
}

/** Reason why packets cannot be dropped on this machine, which needs firewall rules; false if they can. */
export const packetDropSkip =
  ownClusterSkip ||
  (spawnSync('iptables', ['-L', 'INPUT']).status === 0 ? false : 'needs iptables, and the right to use it');

/** A running cluster with a migrated, sharded database. */
export interface OwnCluster {
  readonly coordinator: ClusterNode;
  readonly workers: readonly [ClusterNode, ClusterNode];
  /** All nodes, including added ones. */
  readonly nodes: readonly ClusterNode[];
  /** Adds a node without tenants. */
  addNode(): Promise<ClusterNode>;
  /** Runs a query as a superuser, by default on the coordinator. */
  query(text: string, values?: unknown[], node?: ClusterNode): Promise<Record<string, unknown>[]>;
  /** Stops all nodes and deletes their data. */
  remove(): Promise<void>;
}

/** Starts a cluster. The caller must remove it. */
export async function startOwnCluster(): Promise<OwnCluster> {
  const account = await accountOfServers();
  const folder = await mkdtemp(join(tmpdir(), 'tessera-cluster-'));
  await chmod(folder, 0o755);
  const template = join(folder, 'template');
  const inAccount = (program: string, ...args: string[]) => run(program, args, { ...account, cwd: folder });
  if (account.uid !== undefined) await run('chown', [`${account.uid}:${account.gid}`, folder]);
  const initdb = join(PROGRAMS, 'initdb');
  const encoding = ['--encoding=UTF8', '--locale=C.UTF-8'];
  await inAccount(initdb, '-D', template, '-A', 'trust', '-U', 'postgres', '--no-sync', ...encoding);
  await appendFile(join(template, 'postgresql.conf'), SETTINGS);
  const isKnown = await inAccount(join(PROGRAMS, 'postgres'), '-D', template, '-C', DECODERS_SETTING).then(
    () => true,
    () => false,
  );
  if (isKnown)
    await appendFile(join(template, 'postgresql.conf'), `${DECODERS_SETTING} = 'pgoutput, citus'\n`);
  const nodes: ServerNode[] = [];
  const makeNode = async () => {
    const dataDir = join(folder, `node${nodes.length}`);
    await inAccount('cp', '-a', template, dataDir);
    const node = new ServerNode(dataDir, await freePort(), account);
    nodes.push(node);
    return node;
  };
  const remove = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let count = 0; count < 3; count += 1) await makeNode();
    await Promise.all(nodes.map((node) => node.start()));
    for (const { serverUrl } of nodes) await runOn(serverUrl, `create database ${DATABASE}`);
    const urls = nodes.map(({ url }) => url);
    await joinNodes(urls, SHARDS);
    await migrateAndShard(urls[0] ?? '');
  } catch (error) {
    await remove();
    throw error;
  }
  const [coordinator, ...workers] = nodes;
  const [first, second] = workers;
  if (coordinator === undefined || first === undefined || second === undefined)
    throw new Error('Three nodes.');
  return {
    coordinator,
    workers: [first, second],
    nodes,
    async addNode() {
      const node = await makeNode();
      await node.start();
      await runOn(node.serverUrl, `create database ${DATABASE}`);
      await addToCluster(coordinator.url, node.url);
      return node;
    },
    query: (text, values, node = coordinator) => queryOn(node.url, text, values),
    remove,
  };
}

async function queryOn(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The account that runs the servers; without ids, the user of the test. */
interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

async function accountOfServers(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map((which) => run('id', [which, 'postgres'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

/** Running servers. `after` does not run when a test file fails while it loads. */
const running = new Set<ServerNode>();
process.once('exit', () => {
  for (const node of running) node.killNow();
});

class ServerNode implements ClusterNode {
  readonly port: number;
  readonly #dataDir: string;
  readonly #account: Account;
  #server: ChildProcess | null = null;
  #errorOutput = '';
  #dropsPackets = false;

  constructor(dataDir: string, port: number, account: Account) {
    this.#dataDir = dataDir;
    this.port = port;
    this.#account = account;
  }

  get serverUrl(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  get url(): string {
    return databaseUrl(this.serverUrl, DATABASE);
  }

  async start(): Promise<void> {
    const args = ['-D', this.#dataDir, '-p', String(this.port)];
    const server = spawn(join(PROGRAMS, 'postgres'), args, {
      ...this.#account,
      cwd: this.#dataDir,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#server = server;
    running.add(this);
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-10_000);
    });
    await eventually('the node to answer', () => {
      if (server.exitCode !== null) throw new Error(`The node has ended:\n${this.#errorOutput}`);
      return runOn(this.serverUrl).then(
        () => true,
        () => false,
      );
    });
  }

  async kill(): Promise<void> {
    const pids = this.killNow();
    await eventually(
      'the node to be dead',
      async () => !(await Promise.all(pids.map(isAlive))).includes(true),
    );
  }

  async dropPackets(): Promise<void> {
    this.#dropsPackets = true;
    for (const rule of this.#dropRules) execFileSync('iptables', ['-I', ...rule]);
  }

  async passPackets(): Promise<void> {
    this.#passPacketsNow();
  }

  #passPacketsNow(): void {
    if (!this.#dropsPackets) return;
    this.#dropsPackets = false;
    for (const rule of this.#dropRules) execFileSync('iptables', ['-D', ...rule]);
  }

  get #dropRules(): string[][] {
    return ['--dport', '--sport'].map((side) => [
      'INPUT',
      '-i',
      'lo',
      '-p',
      'tcp',
      side,
      String(this.port),
      '-j',
      'DROP',
    ]);
  }

  /** Kills all processes of a server. The first is stopped before, because it would replace killed processes. */
  killNow(): number[] {
    this.#passPacketsNow();
    const pid = this.#server?.pid;
    if (pid === undefined || this.#server?.exitCode !== null || this.#server.signalCode !== null) return [];
    process.kill(pid, 'SIGSTOP');
    const pids = [pid, ...childrenOf(pid)];
    for (const each of pids) killIfThere(each);
    running.delete(this);
    return pids;
  }
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

/** True if the process runs; one that only waits to be reaped holds no resources. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
