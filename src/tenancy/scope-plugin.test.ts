import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';
import type { Scope } from './scope.ts';
import { scopePlugin } from './scope-plugin.ts';
import { ScopedTables } from './scoped-tables.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const { app, createTenant } = await startTestApp();
const mine = (await createTenant()).tenantId;
const theirs = (await createTenant()).tenantId;
const north = randomUUID();
const south = randomUUID();

/** Access to all rows, so that missing rows are due to the plugin and not to row-level security. */
const all = app.platform.database.everyTenant('tests').query;
const tables = await ScopedTables.load(app.platform.database);

/** Opens a scope with these units of `mine` for reads, writes and deletes; default: the north. */
function scoped(units: Partial<Scope> = {}) {
  const own = { read: [north], write: [north], remove: [north], shared: 'none' } as const;
  const scope = { tenantId: mine, ...own, ...units };
  return all.withPlugin(scopePlugin(scope, tables));
}

async function addTheme(tenantId: string, code: string, unitId: string): Promise<void> {
  const time = new Date().toISOString();
  const facts = { version: 1, created_at: time, updated_at: time, formBuilderThemeOptions: '{}' };
  await all
    .insertInto('form_themes')
    .values({ tenant_id: tenantId, code, owner_bu_id: unitId, name: code, ...facts })
    .execute();
}

/** Lists the codes of all themes, grouped by a `changed` name. */
async function changedCodes(name: string): Promise<string[]> {
  const rows = await all.selectFrom('form_themes').select('code').where('name', '=', name).execute();
  return codesOf(rows);
}

const codesOf = (rows: readonly { code: string | null }[]) => rows.map(({ code }) => String(code)).sort();

await addTheme(mine, 'mine-north', north);
await addTheme(mine, 'mine-south', south);
await addTheme(theirs, 'theirs', north);

test('a select reaches the authorized units of its tenant', async () => {
  assert.deepEqual(codesOf(await scoped().selectFrom('form_themes').select('code').execute()), [
    'mine-north',
  ]);
  const both = scoped({ read: [north, south] })
    .selectFrom('form_themes')
    .select('code');
  assert.deepEqual(codesOf(await both.execute()), ['mine-north', 'mine-south']);
  const whole = scoped({ read: 'all' }).selectFrom('form_themes').select('code');
  assert.deepEqual(codesOf(await whole.execute()), ['mine-north', 'mine-south']);
});

test('a scope without units reaches nothing', async () => {
  const none = scoped({ read: [], write: [], remove: [] });
  assert.deepEqual(await none.selectFrom('form_themes').select('code').execute(), []);
  const update = await none.updateTable('form_themes').set({ name: 'x' }).executeTakeFirst();
  assert.equal(update.numUpdatedRows, 0n);
  assert.equal((await none.deleteFrom('form_themes').executeTakeFirst()).numDeletedRows, 0n);
});

test('a condition of the query cannot widen the scope', async () => {
  const query = scoped()
    .selectFrom('form_themes')
    .select('code')
    .where((eb) => eb.or([eb('code', '=', 'theirs'), eb.lit(true)]));
  assert.deepEqual(codesOf(await query.execute()), ['mine-north']);
});

test('an alias, a schema name and a second table in `from` are restricted', async () => {
  const alias = scoped().selectFrom('form_themes as t').select('t.code');
  assert.deepEqual(codesOf(await alias.execute()), ['mine-north']);
  const named = scoped().withSchema('public').selectFrom('form_themes').select('code');
  assert.deepEqual(codesOf(await named.execute()), ['mine-north']);
  const two = scoped().selectFrom(['form_themes as a', 'form_themes as b']).select('b.code as code');
  assert.deepEqual(codesOf(await two.execute()), ['mine-north']);
});

test('joined tables are restricted, inner, left, right, full and cross', async () => {
  const units = () => scoped().selectFrom('business_units as u');
  const inner = units()
    .innerJoin('form_themes as t', (join) => join.onTrue())
    .select('t.code');
  const right = units()
    .rightJoin('form_themes as t', (join) => join.onTrue())
    .select('t.code');
  const full = units().fullJoin('form_themes as t', 't.owner_bu_id', 'u.bu_id').select('t.code');
  const cross = units().crossJoin('form_themes as t').select('t.code');
  for (const query of [inner, right, cross]) assert.deepEqual(codesOf(await query.execute()), ['mine-north']);
  assert.deepEqual(await full.execute(), []);
});

test('a left join keeps rows without a match within the scope', async () => {
  const rows = await scoped()
    .selectFrom('form_themes as a')
    .leftJoin('form_themes as b', (join) => join.on('b.code', '=', 'theirs'))
    .select(['a.code as code', 'b.code as partner'])
    .execute();
  assert.deepEqual(rows, [{ code: 'mine-north', partner: null }]);
});

test('subqueries, lateral joins, common table expressions and unions are restricted', async () => {
  const db = scoped();
  const sub = db.selectFrom(db.selectFrom('form_themes').select('code').as('s')).select('s.code');
  const lateral = db
    .selectFrom('business_units')
    .innerJoinLateral(
      (eb) => eb.selectFrom('form_themes').select('code').as('s'),
      (join) => join.onTrue(),
    )
    .select('s.code');
  const cte = db
    .with('s', (query) => query.selectFrom('form_themes').select('code'))
    .selectFrom('s')
    .select('code');
  const union = db
    .selectFrom('form_themes')
    .select('code')
    .union(db.selectFrom('form_themes').select('code'));
  for (const query of [sub, lateral, cte, union])
    assert.deepEqual(codesOf(await query.execute()), ['mine-north']);
  const exists = db
    .selectFrom('business_units')
    .select('name')
    .where((eb) => eb.exists(eb.selectFrom('form_themes').select('code').where('code', '=', 'theirs')));
  assert.deepEqual(await exists.execute(), []);
  const scalar = await db
    .selectNoFrom((eb) => eb.selectFrom('form_themes').select(sql<number>`count(*)`.as('n')).as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(scalar.count, 1);
});

test('an update changes rows of writable units, whatever is readable', async () => {
  const db = scoped({ read: [north, south] });
  const plain = db.updateTable('form_themes').set({ name: 'plain' });
  await plain.execute();
  assert.deepEqual(await changedCodes('plain'), ['mine-north']);
  const aliased = db.updateTable('form_themes as t').set({ name: 'aliased' }).where('t.version', '>', 0);
  await aliased.execute();
  assert.deepEqual(await changedCodes('aliased'), ['mine-north']);
  const inCte = db
    .with('changed', (query) => query.updateTable('form_themes').set({ name: 'cte' }).returning('code'))
    .selectFrom('changed')
    .select('code');
  assert.deepEqual(codesOf(await inCte.execute()), ['mine-north']);
});

test('an update cannot use `from` or a join to see rows outside the readable scope', async () => {
  const peek = scoped()
    .updateTable('form_themes as t')
    .from('form_themes as other')
    .set((eb) => ({ name: eb.ref('other.code') }))
    .where('other.code', '=', 'theirs');
  assert.equal((await peek.executeTakeFirst()).numUpdatedRows, 0n);
  const joined = scoped()
    .updateTable('form_themes as t')
    .from('business_units as u')
    .innerJoin('form_themes as other', (join) => join.onTrue())
    .set((eb) => ({ name: eb.ref('other.code') }))
    .where('other.code', '<>', 'mine-north');
  assert.equal((await joined.executeTakeFirst()).numUpdatedRows, 0n);
});

test('a delete removes rows of deletable units, and cannot see more by `using`', async () => {
  for (const [tenant, unit] of [
    [mine, north],
    [mine, south],
    [theirs, north],
  ] as const)
    await addTheme(tenant, `gone-${tenant}-${unit}`, unit);
  const db = scoped({ read: [north, south], write: [north, south], remove: [south] });
  const using = db
    .deleteFrom('form_themes as t')
    .using('form_themes as other')
    .where('other.code', '=', 'theirs');
  assert.equal((await using.executeTakeFirst()).numDeletedRows, 0n);
  const joined = db
    .deleteFrom('form_themes as t')
    .using('business_units as u')
    .innerJoin('form_themes as other', (join) => join.onTrue())
    .where('other.code', '=', 'theirs');
  assert.equal((await joined.executeTakeFirst()).numDeletedRows, 0n);
  const removed = await db
    .deleteFrom('form_themes')
    .where('code', 'like', 'gone-%')
    .returning('owner_bu_id')
    .execute();
  assert.deepEqual(removed, [{ owner_bu_id: south }]);
});

test('an insert from a select copies only readable rows', async () => {
  await scoped()
    .insertInto('form_themes')
    .columns([
      'tenant_id',
      'code',
      'owner_bu_id',
      'version',
      'created_at',
      'updated_at',
      'name',
      'formBuilderThemeOptions',
    ])
    .expression((eb) =>
      eb
        .selectFrom('form_themes')
        .select((each) => [
          'tenant_id',
          sql<string>`'copy-' || code`.as('code'),
          ...(['owner_bu_id', 'version', 'created_at', 'updated_at'] as const),
          each.val('copy').as('name'),
          'formBuilderThemeOptions',
        ])
        .where('code', 'not like', 'gone-%'),
    )
    .execute();
  assert.deepEqual(await changedCodes('copy'), ['copy-mine-north']);
});

test('the database rejects an insert for another tenant, even without the plugin', async () => {
  const db = app.platform.database.forTenant(mine);
  const time = new Date().toISOString();
  const facts = { version: 1, created_at: time, updated_at: time, formBuilderThemeOptions: '{}' };
  const foreign = { tenant_id: theirs, code: 'planted', owner_bu_id: north, name: 'planted', ...facts };
  await assert.rejects(db.insertInto('form_themes').values(foreign).execute(), { code: '42501' });
});

test('a merge, which would bypass the scope, is rejected', () => {
  const merge = scoped()
    .mergeInto('form_themes')
    .using('form_themes as other', 'form_themes.code', 'other.code')
    .whenMatched()
    .thenDelete();
  assert.throws(() => merge.compile(), /not scoped/);
});
