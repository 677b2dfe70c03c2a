/**
 * Values without a maximum length, in every member that allows them: accepted values are readable in every list and
 * page, within bounded memory.
 */
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { TSchema } from 'typebox';
import { MAX_BODY_BYTES } from '../../src/http/body-limit.ts';
import type { Route } from '../../src/http/route.ts';
import { clientsOf, isRead, ownerOf, targetOf } from '../contract/route-calls.ts';
import { allRoutes, createWorld, type NameOf, requestTo } from '../contract/world.ts';
import { type Client, createClient } from '../harness/client.ts';
import { startModelProvider } from '../harness/model-provider.ts';
import { killProcesses, startProcess } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { peakResidentMib, residentMib, withoutResidentMemory } from '../harness/resident-memory.ts';
import { createTenant, testEnv } from '../harness/test-app.ts';
import { createTestDatabase } from '../harness/test-database.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const MIB = 1024 * 1024;
/**
 * Allowance over the memory before: bodies in and out, and garbage that is not collected yet. The memory before varies
 * by 50 MiB, while the peak is nearly the same in each run (660 to 680 MiB).
 */
const MAX_GROWTH_MIB = 220;

/** Returns a text of 3 MiB, or of the body limit of a route that accepts less. */
const largeFor = ({ maxBodyBytes = MAX_BODY_BYTES }: Route) =>
  'x'.repeat(Math.min(3 * MIB, maxBodyBytes - 16 * 1024));

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: unknown;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

type Step = string | number;

/** A path in a body, and whether it takes a text or an object with one. */
interface Place {
  readonly path: readonly Step[];
  readonly isObject: boolean;
}

const BOUNDS = ['maxLength', 'enum', 'const', 'format'];

/** Returns the paths of a body that take any text: one in each member of it. */
function placesIn(body: TSchema): Place[] {
  const found = [...placesOf(body, [])];
  return found.filter(({ path }, index) => found.findIndex((each) => each.path[0] === path[0]) === index);
}

function* placesOf(schema: JsonSchema, path: readonly Step[]): Generator<Place> {
  const { anyOf, properties = {}, items } = schema;
  for (const each of anyOf ?? []) yield* placesOf(each, path);
  if (anyOf !== undefined) return;
  const types = [schema.type ?? []].flat();
  const isBound = BOUNDS.some((keyword) => keyword in schema);
  if (!isBound && (types.length === 0 || types.includes('string'))) yield { path, isObject: false };
  for (const [name, each] of Object.entries(properties)) yield* placesOf(each, [...path, name]);
  if (schema.additionalProperties || schema.patternProperties) yield { path, isObject: true };
  if (items) yield* placesOf(items, [...path, 0]);
}

/** Returns the body with another value at a path. */
function withValue(body: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  const isObject = typeof body === 'object' && body !== null;
  if (step === undefined)
    return isObject && !Array.isArray(body) && typeof value === 'object' ? { ...body, ...value } : value;
  const inside: unknown = isObject ? Reflect.get(body, step) : undefined;
  const changed = withValue(inside, rest, value);
  if (typeof step === 'string') return { ...(isObject ? body : {}), [step]: changed };
  return Array.isArray(body) ? body.with(step, changed) : [changed];
}

/** Routes that only read or delete. */
const KEEPS_NOTHING = /\.(list|search|preview|login|erase|delete|reset)(_|$)/;

/** Routes that store what they get. A PATCH stores the members of the PUT at its path. */
function stores({ id, method, body, access }: Route): boolean {
  const isWrite = method !== 'GET' && method !== 'PATCH';
  return body !== undefined && isWrite && access !== 'operator' && !KEEPS_NOTHING.test(id);
}

function onlyReads(route: Route): boolean {
  return (
    (isRead(route) || /\.list/.test(route.id)) &&
    route.access !== 'operator' &&
    !route.events &&
    !isBuilt(route)
  );
}

/** Files that a build creates. */
function isBuilt({ id }: Route): boolean {
  return ['operations.reference_asset', 'embed.script', 'embed.asset', 'embed.page'].includes(id);
}

/** Sends large values at every path of a route's body that takes them; returns the accepted paths. */
async function fillPlaces(client: Client, route: Route, name: NameOf): Promise<string[]> {
  const request = requestTo(route, name);
  const large = largeFor(route);
  const taken: string[] = [];
  for (const { path, isObject } of route.body ? placesIn(route.body) : []) {
    const body = withValue(request.body ?? {}, path, isObject ? { large } : large);
    const place = `${route.id} ${path.join('.')}`;
    const { status } = await client.send(route.method, targetOf(route, request), { body });
    assert.ok(status < 500, `${place} answered ${status}`);
    if (status === 200) taken.push(place);
  }
  return taken;
}

/** Returns the status and size of a read; the responses themselves would fill this process. */
async function read(client: Client, route: Route, name: NameOf): Promise<readonly [number, number]> {
  const request = requestTo(route, name);
  const headers = { ...client.headers, ...(request.body ? { 'content-type': 'application/json' } : {}) };
  const body = request.body ? { body: JSON.stringify(request.body) } : {};
  const url = `${client.url}${targetOf(route, request)}`;
  const answer = await fetch(url, { method: route.method, headers, redirect: 'manual', ...body });
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  return [answer.status, bytes];
}

test('accepted values of up to 3 MiB are readable in every list, history and page', {
  skip: withoutResidentMemory,
}, async () => {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const receiver = await startReceiver();
  const { url: LLM_BASE_URL } = await startModelProvider();
  const env: Readonly<Record<string, string>> = {
    ...testEnv(database),
    // The least that is accepted.
    MEMORY_LIMIT: '512MiB',
    LOG_LEVEL: 'info',
    LLM_BASE_URL,
  };
  const served = await startProcess(env);
  const anonymous = createClient(served.url);
  const admin = createClient(served.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const tenant = await createTenant(served.url, admin);
  const name = await createWorld(tenant, receiver.url);
  const clientFor = clientsOf({ anonymous, admin }, await ownerOf(tenant));
  const taken: string[] = [];
  // Create every record before replacing one, because other records may need the replaced values.
  const storing = allRoutes.filter(stores);
  const isReplace = ({ method }: Route) => method === 'PUT';
  for (const route of [...storing.filter((each) => !isReplace(each)), ...storing.filter(isReplace)])
    taken.push(...(await fillPlaces(clientFor(route), route, name)));
  assert.ok(taken.includes('templates.create_version html_content'), 'some texts have no bound of their own');
  assert.ok(taken.includes('templates.replace_version html_content'), 'those of replaces have none either');

  const before = await residentMib(served.pid);
  let largest = 0;
  const readAll = async () => {
    for (const route of allRoutes.filter(onlyReads)) {
      const [status, bytes] = await read(clientFor(route), route, name);
      assert.ok(status < 500, `${route.id} answered ${status}`);
      largest = Math.max(largest, bytes);
    }
  };
  const most = await peakResidentMib(served.pid, readAll());
  assert.ok(largest > 6 * MIB, 'a list had several of them');
  const more = Math.round(most - before);
  assert.ok(more < MAX_GROWTH_MIB, `${more} MiB above the ${Math.round(before)} MiB before`);
});
