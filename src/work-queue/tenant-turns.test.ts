import assert from 'node:assert/strict';
import test from 'node:test';
import { TenantTurns } from './tenant-turns.ts';

test('a tenant gets at most its share, and others get the rest', async () => {
  const turns = new TenantTurns({ total: 3, perTenant: 2 });
  const [first, second] = [await turns.take('one', 1000), await turns.take('one', 1000)];
  assert.ok(first !== null && second !== null);
  const third = turns.take('one', 10_000);
  const other = await turns.take('other', 1000);
  assert.ok(other !== null);
  assert.equal(await turns.take('more', 10), null);
  other();
  first();
  assert.ok((await third) !== null);
});
