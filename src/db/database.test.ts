import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const { database } = app.app.platform;

test('vacuuming processes every table and leaves connections in the application role', async () => {
  await database.vacuum();
  const { rows } = await database.everyTenant('tests').raw(sql`select current_user::text as name`);
  assert.deepEqual(rows, [{ name: 'tessera_app' }]);
});

test('between two transactions the event loop handles incoming events, however many transactions wait', async () => {
  const waiting = 50;
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const query = () => database.everyTenant('tests').raw(sql`select 1`);
  await Promise.all(Array.from({ length: waiting }, query));
  clearImmediate(next);
  // All ten connections of a server may respond in one turn.
  const atOnce = database.kind === 'server' ? 10 : 1;
  assert.ok(turns >= waiting / atOnce - 1, `${turns} turns`);
});
