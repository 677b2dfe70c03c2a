import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { byArithmetic, byExtension, type Scoring } from './scoring.ts';

const app = await startOwnApp();
const { tenantId } = await app.createTenant();
const { platform } = app.app;
const db = platform.scoped(wholeTenant(tenantId));

/** Returns reproducible vectors of length 1. */
function vectors(count: number, dimensions: number): number[][] {
  let state = 7;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Array.from({ length: dimensions }, next);
    const length = Math.hypot(...vector);
    return vector.map((value) => Math.round((value / length) * 1e6) / 1e6);
  });
}

const product = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);

/** Returns the scores of items as the database computes them. */
async function scoresOf(scoring: Scoring, items: number[][], query: number[]): Promise<number[]> {
  const rows = items.map((embedding, place) => ({ place, embedding }));
  const score: RawBuilder<number> = scoring(query);
  const { rows: scored } = await db.raw(
    (tenant) => sql<{ score: number }>`
      select ${score} as score from json_to_recordset(${JSON.stringify(rows)}::json) as item (place int, embedding real[])
      where ${tenant}::uuid is not null order by place`,
  );
  return scored.map((each) => each.score);
}

for (const dimensions of [1, 64, 65, 256, 3072]) {
  test(`arithmetic computes the product of vectors of ${dimensions} numbers`, async () => {
    const [query = [], ...items] = vectors(8, dimensions);
    for (const [place, score] of (await scoresOf(byArithmetic, items, query)).entries())
      assert.ok(Math.abs(score - product(items[place] ?? [], query)) < 1e-5);
  });
}

test('the extension computes the same except for rounding', async (t: TestContext) => {
  const { rows } = await db.raw(
    (tenant) => sql<{ name: string }>`
      select name from pg_available_extensions where name = 'vector' and ${tenant}::uuid is not null`,
  );
  if (rows.length === 0) return t.skip('the database has no pgvector');
  await platform.database.ownerSession(async (run) => {
    await run(sql`create extension if not exists vector`);
  });
  const [query = [], ...items] = vectors(50, 256);
  const [own, its] = await Promise.all(
    [byArithmetic, byExtension].map((scoring) => scoresOf(scoring, items, query)),
  );
  for (const [place, score] of (its ?? []).entries()) assert.ok(Math.abs(score - (own?.[place] ?? 0)) < 1e-5);
});
