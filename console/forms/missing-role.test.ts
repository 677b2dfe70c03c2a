import assert from 'node:assert/strict';
import test from 'node:test';
import { missingRole } from './missing-role.ts';

function member(roles: Readonly<Record<string, 'viewer' | 'editor' | 'admin'>>, is_tenant_admin = false) {
  const units = Object.entries(roles).map(([slug, role]) => ({ slug, is_default: slug === 'default', role }));
  return { is_tenant_admin, units };
}

test('an owner lacks no role', () => {
  for (const access of ['owner', 'admin', 'member'] as const)
    assert.equal(missingRole({ access }, member({}, true), undefined), null);
});

test('what is for owners needs an owner, also for an admin of all units', () => {
  assert.equal(missingRole({ access: 'owner' }, member({ north: 'admin' }), undefined), 'owner');
});

test('a stronger role is enough, a weaker one is not', () => {
  assert.equal(missingRole({ access: 'editor' }, member({ north: 'admin' }), 'north'), null);
  assert.equal(missingRole({ access: 'editor' }, member({ north: 'viewer' }), 'north'), 'editor');
});

test('the role counts in the chosen unit; without one, in any', () => {
  const both = member({ north: 'viewer', south: 'editor' });
  assert.equal(missingRole({ access: 'editor' }, both, 'north'), 'editor');
  assert.equal(missingRole({ access: 'editor' }, both, 'south'), null);
  assert.equal(missingRole({ access: 'editor' }, both, undefined), null);
});

test('every member may call what is for members', () => {
  assert.equal(missingRole({ access: 'member' }, member({}), undefined), null);
});

test('a role that counts in Default counts there only, whatever unit is chosen', () => {
  const operation = { access: 'admin', accessUnit: 'default' } as const;
  const [inDefault, elsewhere] = [member({ default: 'admin', north: 'viewer' }), member({ north: 'admin' })];
  for (const unit of ['north', undefined]) {
    assert.equal(missingRole(operation, inDefault, unit), null);
    assert.equal(missingRole(operation, elsewhere, unit), 'admin');
  }
});
