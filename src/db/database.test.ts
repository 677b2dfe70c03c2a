import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../test/harness/test-app.ts';

const app = await startTestApp();
const { database } = app.app.platform;

test('a text that fails inside a transaction of its own leaves no connection in it', async () => {
  await assert.rejects(database.executeSql('begin; select 1 / 0; commit;'), /division by zero/);
  const { rows } = await database.executeSql('select 1 as one');
  assert.deepEqual(rows, [{ one: 1 }]);
  await app.createTenant();
});

test('vacuuming goes over every table and leaves connections in the application role', async () => {
  await database.vacuum();
  const { rows } = await database.executeSql('select current_user::text as name');
  assert.deepEqual(rows, [{ name: 'tessera_app' }]);
});

test('between two transactions the event loop takes what has arrived, however many are waiting', async () => {
  const waiting = 50;
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await Promise.all(Array.from({ length: waiting }, () => database.executeSql('select 1')));
  clearImmediate(next);
  assert.ok(turns >= waiting - 1, `${turns} turns`);
});
