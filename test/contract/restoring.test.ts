/** Restoring of every kind of record: a restored record equals the deleted one, and the rules of creating apply. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { features } from '../../src/features/index.ts';
import { NOT_RESTORED, restorersOf } from '../../src/features/tenancy/entity-history/index.ts';
import { ENTITY_TYPES } from '../../src/resources/entity-types.ts';
import type { Client } from '../harness/client.ts';
import { KIND_CHANGES, KIND_RECORDS } from '../harness/kind-records.ts';
import { createMailTenant } from '../harness/mail.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { startTestApp } from '../harness/test-app.ts';
import { calledFeatures } from './world.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;
const unit = await createUnit(tenant, 'Garden');
const elsewhere = await createUnit(tenant, 'Elsewhere');
const viewer = await createMember(tenant, [
  { bu_id: unit, role: 'viewer' },
  { bu_id: elsewhere, role: 'editor' },
]);
const editor = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
const stranger = await createMember(tenant, [{ bu_id: elsewhere, role: 'admin' }]);
const foreigner = await app.createTenant();
const site = { api, unit, domain: tenant.domain };

/** Kinds that belong to the tenant and only its owners can write. */
const OF_TENANT = ['entity', 'automation'];
/** True if records are never deleted, so only older versions are restored. */
const LASTING = ['email_settings'];

const restorers = features.flatMap((feature) => restorersOf(feature));
const kindsOf = (some: typeof restorers) => some.map(({ entityType }) => entityType);
const restorable = kindsOf(restorers).filter((kind) => !LASTING.includes(kind));
const versioned = kindsOf(restorers.filter(({ update }) => update));
const called = kindsOf(calledFeatures.flatMap((feature) => restorersOf(feature)));
const isCalled = (kind: string) => called.some((each) => each === kind);

const restore = (client: Client, entityType: string, entitySortKey: string, more: object = {}) =>
  client.send('POST', '/api/entity/restore', { body: { entityType, entitySortKey, ...more } });

async function deletedKeys(entityType: string): Promise<string[]> {
  const { body } = await api.get(`/api/entity/deleted-records?entityType=${entityType}`);
  return body.filter(({ pk }: { pk: string }) => pk.endsWith('#DELETED')).map(({ sk }: { sk: string }) => sk);
}

async function lastVersion(entityType: string, key: string) {
  const query = `entityType=${entityType}&entitySortKey=${encodeURIComponent(key)}`;
  return (await api.get(`/api/entity/versions?${query}`)).body.at(-1);
}

/** Returns a record without the members that every write changes, and without those that name a restored hook. */
function contentOf({
  version: _version,
  updated_at: _updated,
  updated_by_id: _by,
  webhook_url: _address,
  ...content
}: Record<string, unknown>) {
  return content;
}

test('each kind of history is restorable or has a reason why not', () => {
  const never = Object.keys(NOT_RESTORED);
  assert.deepEqual([...restorable, ...LASTING, ...never].sort(), [...ENTITY_TYPES].sort());
  assert.deepEqual(Object.keys(KIND_RECORDS).sort(), [...restorable, ...LASTING].sort());
  assert.deepEqual(Object.keys(KIND_CHANGES).sort(), [...versioned].sort());
});

for (const entityType of restorable.filter(isCalled))
  test(`a deleted ${entityType} is restored unchanged, once, by those who may write it`, async () => {
    const {
      key,
      path,
      deletion = path,
      needed,
    } = (await KIND_RECORDS[entityType]?.(site)) ?? { key: '', path: '' };
    const before = await api.get(path);
    assert.equal((await restore(api, entityType, key)).body.code, 'NOT_DELETED');
    const last = await lastVersion(entityType, key);
    await api.delete(deletion);
    assert.ok((await deletedKeys(entityType)).includes(key));

    const isOfTenant = OF_TENANT.includes(entityType);
    assert.equal((await restore(stranger.api, entityType, key)).status, isOfTenant ? 403 : 404);
    assert.equal((await restore(foreigner.api, entityType, key)).status, 404);
    assert.equal((await restore(viewer.api, entityType, key)).status, 403);
    const { body: tried } = await restore(api, entityType, key, { dry_run: true });
    if (!needed) assert.equal(tried.version, last.version + 1);
    await api.send('GET', path).then(({ status }) => assert.equal(status, 404));
    if (needed) {
      const refusal = await restore(api, entityType, key);
      assert.equal(refusal.status, 422, refusal.text);
      assert.equal((await restore(api, needed.entityType, needed.key)).status, 200);
    }
    const two = isOfTenant ? [api, api] : [editor.api, api];
    const answers = await Promise.all(two.map((client) => restore(client, entityType, key)));
    assert.deepEqual(
      answers.map(({ status }) => status).sort(),
      [200, 409],
      answers.map(({ text }) => text).join(),
    );

    const after = await api.get(path);
    assert.deepEqual(contentOf(after.body), contentOf(before.body));
    const version = await lastVersion(entityType, key);
    assert.equal(version.version, last.version + 1);
    assert.equal(version.actor.kind, 'member');
    assert.ok(!(await deletedKeys(entityType)).includes(key));
    assert.equal((await restore(api, entityType, key)).status, 409);
    // A restored record can be deleted and restored again.
    await api.delete(deletion);
    if (needed) assert.equal((await restore(api, needed.entityType, needed.key)).status, 200);
    const again = await restore(api, entityType, key);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.version, last.version + 2);
  });

for (const entityType of versioned.filter(isCalled))
  test(`an older version of a ${entityType} is restored by those who may write it`, async () => {
    const {
      key,
      path,
      deletion = path,
      change = deletion,
    } = (await KIND_RECORDS[entityType]?.(site)) ?? { key: '', path: '' };
    const before = await api.get(path);
    const first = await lastVersion(entityType, key);
    await api.send('PATCH', change, { body: KIND_CHANGES[entityType] });
    const changed = await api.get(path);
    const second = await lastVersion(entityType, key);
    assert.equal(second.version, first.version + 1);

    const older = { version: first.version };
    const refused = await restore(viewer.api, entityType, key, older);
    assert.equal(refused.status, 403);
    assert.equal((await restore(foreigner.api, entityType, key, older)).status, 404);
    const names = Object.keys(KIND_CHANGES[entityType] ?? {}).filter((name) => name !== 'id');
    const drop = entityType === 'entity' ? { changes: { drop: ['more'] } } : {};
    const dry = await restore(api, entityType, key, { ...older, ...drop, dry_run: true });
    assert.deepEqual([dry.status, dry.body.changed_fields?.toSorted()], [200, names.sort()], dry.text);
    assert.equal(dry.body.version, second.version + 1);
    assert.deepEqual((await api.get(path)).body, changed.body);

    const answer = await restore(api, entityType, key, { ...older, ...drop });
    assert.deepEqual(answer.body, dry.body);
    assert.deepEqual(contentOf((await api.get(path)).body), contentOf(before.body));
    assert.equal((await lastVersion(entityType, key)).version, second.version + 1);
    const again = await restore(api, entityType, key, older);
    assert.deepEqual([again.body.version, again.body.changed_fields], [second.version + 1, []], again.text);
  });

for (const [entityType, reason] of Object.entries(NOT_RESTORED))
  test(`a ${entityType} cannot be restored, and the response says why`, async () => {
    const refusal = await restore(api, entityType, randomUUID());
    assert.equal(refusal.status, 422, refusal.text);
    assert.ok(refusal.body.issues[0].message.endsWith(reason));
  });
