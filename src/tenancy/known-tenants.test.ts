import assert from 'node:assert/strict';
import test from 'node:test';
import { KnownTenants } from './known-tenants.ts';

/** Creates a cache over a record of searched names and a map of names with a tenant. */
function knownTenants() {
  const lookups: string[] = [];
  const tenants = new Map([['a', 'tenant-a']]);
  const known = new KnownTenants(async (name) => {
    lookups.push(name);
    const tenant_id = tenants.get(name);
    return { rows: tenant_id === undefined ? [] : [{ tenant_id }] };
  });
  return { looks: lookups, tenants, known };
}

test('the tenant of a name is looked up once, also by concurrent calls', async () => {
  const { looks: lookups, known } = knownTenants();
  assert.deepEqual(await Promise.all([known.find('a'), known.find('a')]), ['tenant-a', 'tenant-a']);
  assert.equal(await known.find('a'), 'tenant-a');
  assert.deepEqual(lookups, ['a']);
});

test('a name without a tenant is looked up again', async () => {
  const { tenants, known } = knownTenants();
  assert.equal(await known.find('b'), null);
  tenants.set('b', 'tenant-b');
  assert.equal(await known.find('b'), 'tenant-b');
});

test('a failed look-up is repeated', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve({ rows: [{ tenant_id: 'tenant-a' }] })];
  const known = new KnownTenants(() => answers.shift() ?? Promise.resolve({ rows: [] }));
  await assert.rejects(known.find('a'), /away/);
  assert.equal(await known.find('a'), 'tenant-a');
});

test('a missing name is not reported while some tenants cannot be read', async () => {
  const failure = new Error('away');
  const known = new KnownTenants(async (name) => ({
    rows: name === 'a' ? [{ tenant_id: 'tenant-a' }] : [],
    failure,
  }));
  assert.equal(await known.find('a'), 'tenant-a');
  await assert.rejects(known.find('b'), /away/);
});
