import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../test/harness/client.ts';
import { backendMemory, peakBackendMemory } from './harness/backend-memory.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { type Child, runCommand, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { callEach, type LoadRequest, loadRound } from './harness/load.ts';
import type { Bench, BenchOptions, DatabaseKind, OnEnd } from './harness/options.ts';
import {
  createEntityTenants,
  type EntityTenant,
  type EntityTenants,
  entityNames,
  fieldsOf,
} from './harness/sample-entities.ts';

const TENANTS = 1000;
const STARTS = 3;
/** Number of tenants whose first request is measured. */
const FIRST_REQUESTS = 50;
const CHANGES = 5;
const CONNECTIONS = 16;
const ROUND_SECONDS = 2;
/** Maximum ratio to a database with one tenant, for a start, a tenant's first request, and a change of a definition. */
const SLOWER_AIM = 1.25;
const ALONE_AIM = 0.9;
const SPREAD_AIM = 0.4;
const MORE_MEMORY_AIM_MIB = 200;
const BACKENDS_AIM_MIB = 500;

/** A database with tenants, and a Tessera process. */
interface Site extends EntityTenants {
  readonly database: BenchDatabase;
  readonly server: Child;
}

/** 1,000 tenants with 20 entities each against one: start, first requests, steady load, definition changes, memory. */
export const manyEntities: Bench = async (kind, options, onEnd) => {
  if (kind !== 'server') return skip(kind);
  const count = options.rows ?? TENANTS;
  const [one, many] = [await prepare(1, onEnd), await prepare(count, onEnd)];
  const print = (text: string) => console.log(`many-entities (${kind}), ${count} tenants: ${text}`);
  const reached: boolean[] = [];
  const times = (what: string, own: readonly number[], limit: readonly number[]) => {
    const ratio = median(own) / median(limit);
    const isReached = ratio <= SLOWER_AIM;
    reached.push(isReached);
    const figures = `${median(own).toFixed(0)} and ${median(limit).toFixed(0)} ms`;
    print(
      `${what} takes ${ratio.toFixed(2)} of the time with one tenant (aim at most ${SLOWER_AIM}${isReached ? '' : ', MISSED'}); ${figures}`,
    );
  };

  const [starts, firsts] = [emptyTimes(), emptyTimes()];
  for (let turn = 0; turn < STARTS; turn += 1)
    for (const [place, site] of [one, many].entries()) {
      const tessera = await timed(starts[place], () => startTessera(site.database.env));
      await timed(firsts[place], () => callEach(tessera.url, [list(site.tenants[0], 'entity1')], 1));
      await tessera.stop();
    }
  times('a start', starts[1], starts[0]);
  times('the first request after it', firsts[1], firsts[0]);

  const [own, limit] = [await open(many, options, onEnd), await open(one, options, onEnd)];
  await callEach(
    own.server.url,
    entityNames.map((name) => list(own.tenants[0], name)),
    1,
  );
  const firstTimes: number[] = [];
  for (const tenant of own.tenants.slice(1, 1 + FIRST_REQUESTS))
    await timed(firstTimes, () => callEach(own.server.url, [list(tenant, 'entity3')], 1));
  print(`the first request of a tenant takes ${median(firstTimes).toFixed(1)} ms`);
  for (const site of [limit, own])
    await callEach(
      site.server.url,
      site.tenants.flatMap((tenant) => entityNames.map((name) => list(tenant, name))),
      CONNECTIONS,
    );
  const memory = await ownMemory(own);
  print(`after one request per entity: ${memory.text}`);

  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const listsOfAll = ({ server, tenants }: Site) =>
    loadRound(server, () => list(oneOf(tenants), oneOf(entityNames)), load);
  const listsOfFirst = ({ server, tenants }: Site) =>
    loadRound(server, () => list(tenants[0], oneOf(entityNames)), load);
  for (const [name, aim, work] of [
    ['lists of one tenant', ALONE_AIM, listsOfFirst],
    ['lists of all entities of all tenants', SPREAD_AIM, listsOfAll],
  ] as const)
    reached.push(
      await compare({
        name: `many-entities (${kind}), ${name}`,
        against: 'lists with only one tenant',
        aim,
        limit: () => listsOfFirst(limit),
        tessera: () => work(own),
      }),
    );
  const [after, limitMemory] = [await ownMemory(own), await ownMemory(limit)];
  const isSmall =
    after.process - limitMemory.process <= MORE_MEMORY_AIM_MIB && after.backends <= BACKENDS_AIM_MIB;
  reached.push(isSmall);
  print(
    `under load: ${after.text}; with one tenant: ${limitMemory.text} (aim at most ${MORE_MEMORY_AIM_MIB} MiB more, and ${BACKENDS_AIM_MIB} MiB for all sessions${isSmall ? '' : ', MISSED'})`,
  );

  const [changes, resets] = [emptyTimes(), emptyTimes()];
  for (let turn = 0; turn < CHANGES; turn += 1)
    for (const [place, site] of [limit, own].entries())
      await timed(changes[place], () => addField(site, turn));
  times('a new field', changes[1], changes[0]);
  for (const [place, site] of [limit, own].entries()) await timed(resets[place], () => reset(site));
  times('a reset of the tenant', resets[1], resets[0]);
  return reached.every(Boolean);
};

/** Backup and restore of the same tenants. */
export const manyEntitiesBackup: Bench = async (kind, { rows }, onEnd) => {
  if (kind !== 'server') return skip(kind);
  const { database, tenants } = await prepare(rows ?? TENANTS, onEnd);
  const target = await createBenchDatabase(kind);
  onEnd(target.remove);
  const folder = await mkdtemp(join(tmpdir(), 'tessera-bench-'));
  onEnd(() => rm(folder, { recursive: true }));
  const file = join(folder, 'many.backup');
  const { SECRET_KEY = '' } = database.env;
  for (const [command, on] of [
    ['backup', database],
    ['restore', target],
  ] as const) {
    const times: number[] = [];
    const peak = await peakBackendMemory(on, () =>
      timed(times, () => runCommand([command, file], { ...on.env, SECRET_KEY })),
    );
    const seconds = ((times[0] ?? 0) / 1000).toFixed(1);
    console.log(
      `many-entities-backup (${kind}), ${tenants.length} tenants: ${command} in ${seconds} s; at most ${peak.toFixed(0)} MiB in one session`,
    );
  }
  console.log(`the file: ${((await stat(file)).size / 1024 ** 2).toFixed(1)} MiB`);
  return true;
};

function skip(kind: DatabaseKind): boolean {
  console.log(`many-entities (${kind}): skipped, measured only on a server`);
  return true;
}

type Prepared = Omit<Site, 'server'>;

async function prepare(count: number, onEnd: OnEnd): Promise<Prepared> {
  const database = await createBenchDatabase('server');
  onEnd(database.remove);
  return { database, ...(await createEntityTenants(database, count)) };
}

async function open(prepared: Prepared, options: BenchOptions, onEnd: OnEnd): Promise<Site> {
  const server = await startTessera(prepared.database.env, options);
  onEnd(server.stop);
  return { ...prepared, server };
}

function list(tenant: EntityTenant | undefined, entity: string | undefined): LoadRequest {
  const headers = { authorization: `Bearer ${tenant?.token}` };
  return { method: 'GET', path: `/api/${entity}`, headers };
}

function oneOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}

async function addField({ server, apiKey }: Site, turn: number): Promise<void> {
  const added = Array.from({ length: turn + 1 }, (_, n) => ({
    name: `more${n}`,
    type: 'string',
    indexed: true,
  }));
  const api = createClient(server.url, { 'x-api-key': apiKey });
  await api.put('/api/entities/entity1', { fields: [...fieldsOf(0), ...added] });
}

async function reset({ server, database: { env }, tenants: [first] }: Site): Promise<void> {
  const operator = createClient(server.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  await operator.post(`/admin/tenants/${first?.code}/reset`, { confirm: first?.code });
}

async function ownMemory({ server, database }: Site) {
  const [process, { largest, total: backends }] = [
    await server.residentMebibytes(),
    await backendMemory(database),
  ];
  const text = `${process.toFixed(0)} MiB, sessions of the database ${backends.toFixed(0)} MiB, the largest ${largest.toFixed(0)}`;
  return { process, backends, text };
}

function emptyTimes(): [number[], number[]] {
  return [[], []];
}

async function timed<T>(times: number[] | undefined, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  times?.push(performance.now() - begun);
  return result;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
