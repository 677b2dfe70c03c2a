/**
 * Members that an update keeps, clears and changes, for every PUT route (docs/specification/conventions.md#updates).
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { TSchema } from 'typebox';
import type { Route } from '../../src/http/route.ts';
import type { Answer } from '../harness/client.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { OTHER_PUTS, UPDATE_CASES, type UpdateCase } from './full-bodies.ts';
import { targetOf } from './route-calls.ts';
import { allRoutes, calledRoutes, createWorld, recordsOfCalled, requestTo } from './world.ts';

type Members = Readonly<Record<string, unknown>>;

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const names = await createWorld(tenant, receiver.url, recordsOfCalled('receiver'));
const isPut = ({ method }: Route) => method === 'PUT';
const patches = new Map(allRoutes.flatMap((route) => (route.patches ? [[route.patches, route]] : [])));

/** Members that change without a write. */
const MOVING = ['computation', 'metrics', 'counts', 'subscriber_count'];
/** Members that every write changes. */
const FOLLOWING = ['version', 'updated_at', 'updated_by_id', 'template_version', 'url'];

/** A stored record and the calls that read and update it. */
function openCase(route: Route, updateCase: UpdateCase) {
  const request = requestTo(route, names);
  const path = targetOf(route, request);
  const body: Members = { ...request.body, ...updateCase.full(names) };
  const target = updateCase.read?.(path, body) ?? path;
  const { named = [] } = patches.get(route.id)?.updates ?? {};
  const naming = only(body, named);
  return {
    body,
    required: requiredOf(route.body),
    read: async (): Promise<Members> => without((await tenant.api.get(target)).body, MOVING),
    put: (members: Members) => tenant.api.put(path, members),
    patch: (members: Members) => tenant.api.patch(path, { ...naming, ...members }),
  };
}

function requiredOf(schema: TSchema | undefined): readonly string[] {
  return schema && 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
}

function only(members: Members, selected: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => selected.includes(name)));
}

function without(members: Members, unwanted: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !unwanted.includes(name)));
}

/** Returns the optional members of the record whose type allows null. */
function nullableMembers(schema: TSchema | undefined, record: Members): string[] {
  const properties: Readonly<Record<string, unknown>> =
    schema && 'properties' in schema ? Object(schema.properties) : {};
  return Object.keys(properties).filter((name) => {
    const type = JSON.stringify(properties[name]);
    const takesNull = /"type":"null"/.test(type.slice(0, 8000)) || /^\{"type":\["\w+","null"\]/.test(type);
    return takesNull && (record[name] ?? null) !== null && !/business_unit/.test(name);
  });
}

function isTopNullable(schema: TSchema | undefined, name: string): boolean {
  const property: unknown = Object(schema && 'properties' in schema ? schema.properties : {})[name];
  const { type, anyOf } = Object(property);
  return (
    (Array.isArray(type) && type.includes('null')) ||
    (Array.isArray(anyOf) && anyOf.some((each: unknown) => Object(each).type === 'null'))
  );
}

test('each PUT is either a standard update or a listed exception', () => {
  const known = [...Object.keys(UPDATE_CASES), ...Object.keys(OTHER_PUTS)];
  assert.deepEqual(
    allRoutes
      .filter(isPut)
      .map(({ id }) => id)
      .toSorted(),
    known.toSorted(),
  );
});

for (const [id, updateCase] of Object.entries(UPDATE_CASES)) {
  const route = calledRoutes.find((each) => isPut(each) && each.id === id);
  if (!route) continue;
  const isFree = route.updates?.replacesWhole === true;

  test(`${id}: a PUT of the GET response changes nothing`, async () => {
    const { body, read, put } = openCase(route, updateCase);
    await put(body);
    const before = await read();
    for (const [name, value] of Object.entries(updateCase.full(names)))
      if (!JSON.stringify(value).includes('"secret"')) assert.deepEqual(before[name], value, name);
    const answer = await put(before);
    assert.deepEqual(await read(), before);
    assert.deepEqual(Object.keys(answer.body).toSorted(), keysOfReply(answer, route));
  });

  test(`${id}: a PUT without optional members keeps them`, async () => {
    if (isFree) return;
    const { required, read, put } = openCase(route, updateCase);
    const before = await read();
    await put(only(before, required));
    assert.deepEqual(await read(), before);
    const [changed] = Object.keys(updateCase.change);
    await put({ ...only(before, required), ...updateCase.change });
    const after = await read();
    assert.deepEqual(
      without(after, [...FOLLOWING, changed ?? '']),
      without(before, [...FOLLOWING, changed ?? '']),
    );
    await put({ ...only(before, required), ...only(before, Object.keys(updateCase.change)) });
  });

  test(`${id}: a PUT without a required member is rejected`, async () => {
    const { required, read } = openCase(route, updateCase);
    const before = await read();
    for (const name of required) {
      const path = targetOf(route, requestTo(route, names));
      const { status, text } = await tenant.api.send('PUT', path, {
        body: without(only(before, required), [name]),
      });
      assert.equal(status, 400, name);
      assert.match(text, new RegExp(`"${name}"`));
    }
    assert.deepEqual(await read(), before);
  });

  test(`${id}: a PATCH changes only the given member`, async () => {
    const { read, patch } = openCase(route, updateCase);
    const before = await read();
    const answer = await patch(updateCase.change);
    const after = await read();
    assert.deepEqual(after, { ...after, ...updateCase.change });
    const changed = [...FOLLOWING, ...Object.keys(updateCase.change)];
    assert.deepEqual(without(after, changed), without(before, changed));
    assert.deepEqual(Object.keys(answer.body).toSorted(), keysOfReply(answer, route));
    if (typeof before.version === 'number' && id !== 'templates.replace_version')
      assert.equal(after.version, before.version + 1);
    await patch(only(before, Object.keys(updateCase.change)));
    const repeated = await read();
    await patch({});
    await patch(only(before, Object.keys(updateCase.change)));
    assert.deepEqual(await read(), repeated);
  });

  test(`${id}: null clears only the given member`, async () => {
    const { read, patch } = openCase(route, updateCase);
    const before = await read();
    const clearable = nullableMembers(route.body, before).filter(
      (name) => isTopNullable(route.body, name) && !updateCase.neverNull?.includes(name),
    );
    for (const name of clearable) {
      await patch({ [name]: null, ...updateCase.withNull });
      const after = await read();
      const shown =
        updateCase.shownForNull && name in updateCase.shownForNull ? updateCase.shownForNull[name] : null;
      assert.deepEqual(after[name], shown, name);
      assert.deepEqual(without(after, [...FOLLOWING, name]), without(before, [...FOLLOWING, name]), name);
      await patch({ [name]: before[name] });
    }
    assert.deepEqual(without(await read(), FOLLOWING), without(before, FOLLOWING));
  });
}

/** Returns the members in the response of an update. */
function keysOfReply({ body }: Answer, { reply }: Route): string[] {
  const required = requiredOf(reply);
  return Object.keys(body)
    .filter((name) => required.includes(name))
    .toSorted();
}
