import assert from 'node:assert/strict';
import test from 'node:test';
import { readSchemaFiles, statementsOf } from './schema-files.ts';

test('a file is split between its statements, but not inside a body', () => {
  const text = `-- Why it is so;
-- and not otherwise.
create table a (
  id int
);
create function f() returns int language plpgsql as $$ begin
  execute $query$ select 1; $query$;
  return 1;
end $$;
insert into a values (1); -- and
drop table a;`;
  const statements = statementsOf({ text });
  assert.deepEqual(
    statements.map((statement) => statement.split('\n').length),
    [5, 4, 2],
  );
});

test('no part of a migration contains several statements that a cluster accepts only one by one', async () => {
  const { migrations } = await readSchemaFiles();
  for (const { name, text } of migrations) {
    for (const statement of statementsOf({ text })) {
      const begins =
        statement.match(/^(?:create|alter|drop|select|insert|update|delete|do|grant|revoke)\b/gim) ?? [];
      const isBody = statement.includes('$$');
      assert.ok(isBody || begins.length === 1, `${name}: ${statement}`);
    }
  }
});
