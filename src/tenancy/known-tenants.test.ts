import assert from 'node:assert/strict';
import test from 'node:test';
import { KnownTenants } from './known-tenants.ts';

/** Names that were looked for, and those that have a tenant. */
function knownTenants() {
  const looks: string[] = [];
  const tenants = new Map([['a', 'tenant-a']]);
  const known = new KnownTenants(async (name) => {
    looks.push(name);
    const tenant_id = tenants.get(name);
    return { rows: tenant_id === undefined ? [] : [{ tenant_id }] };
  });
  return { looks, tenants, known };
}

test('the tenant of a name is looked for once, by calls at the same time too', async () => {
  const { looks, known } = knownTenants();
  assert.deepEqual(await Promise.all([known.find('a'), known.find('a')]), ['tenant-a', 'tenant-a']);
  assert.equal(await known.find('a'), 'tenant-a');
  assert.deepEqual(looks, ['a']);
});

test('a name without a tenant is looked for again', async () => {
  const { tenants, known } = knownTenants();
  assert.equal(await known.find('b'), null);
  tenants.set('b', 'tenant-b');
  assert.equal(await known.find('b'), 'tenant-b');
});

test('a look that fails does not count', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve({ rows: [{ tenant_id: 'tenant-a' }] })];
  const known = new KnownTenants(() => answers.shift() ?? Promise.resolve({ rows: [] }));
  await assert.rejects(known.find('a'), /away/);
  assert.equal(await known.find('a'), 'tenant-a');
});

test('that nobody has a name is not said while some tenants cannot be asked', async () => {
  const failure = new Error('away');
  const known = new KnownTenants(async (name) => ({
    rows: name === 'a' ? [{ tenant_id: 'tenant-a' }] : [],
    failure,
  }));
  assert.equal(await known.find('a'), 'tenant-a');
  await assert.rejects(known.find('b'), /away/);
});
