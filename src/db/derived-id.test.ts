import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7, validate, version } from 'uuid';
import { startTestApp } from '../../test/harness/test-app.ts';
import { derivedId } from './derived-id.ts';
import { firstIdOf } from './time-ordered-id.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();

async function idOf(moment: Date, seed: string): Promise<string> {
  const id = derivedId(moment, sql`uuid_send(${seed}::uuid)`);
  const { rows } = await app.app.platform.database
    .everyTenant('tests')
    .raw(sql<{ id: string }>`select ${id} as id`);
  return rows[0]?.id ?? '';
}

test('an id derived in SQL is a UUIDv7 of its time', async () => {
  const moment = new Date('2026-11-22T10:00:00.123Z');
  const id = await idOf(moment, uuidv7());
  assert.ok(validate(id));
  assert.equal(version(id), 7);
  assert.ok(id >= firstIdOf(moment) && id < firstIdOf(new Date(moment.getTime() + 1)), id);
});

test('equal seeds give equal ids, different seeds different ones', async () => {
  const [moment, seed] = [new Date(), uuidv7()];
  assert.equal(await idOf(moment, seed), await idOf(moment, seed));
  assert.notEqual(await idOf(moment, seed), await idOf(moment, uuidv7()));
});
