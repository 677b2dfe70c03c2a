import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { startTestApp } from '../../test/harness/test-app.ts';
import { AppError } from '../errors/app-error.ts';
import { conditionSql, FILTER_OPERATIONS, type FilterOperation } from './filter-sql.ts';
import { type FilterDefinition, limitConditions, readFilters } from './filters.ts';

export const runsOn = ['embedded', 'server'];

const { platform } = (await startTestApp()).app;

/** A row with each field; null stands for missing. */
interface Row {
  text: string | null;
  number: number | null;
  flag: boolean | null;
  list: unknown;
}

const definition: FilterDefinition = {
  fields: {
    text: { type: 'text' },
    number: { type: 'number' },
    flag: { type: 'boolean' },
    list: { type: 'json' },
  },
  operations: FILTER_OPERATIONS,
};

/** Returns the indexes of the `rows` that the database finds. */
async function found(rows: readonly Row[], filters: Record<string, unknown>): Promise<number[]> {
  const conditions = readFilters(definition, filters).map((condition) =>
    conditionSql(condition, condition.operands),
  );
  const values = rows.map((row, index) => ({ ...row, index }));
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const result = await sql<{ index: number }>`
    select index from json_to_recordset(${JSON.stringify(values)}::json)
      as r (index int, text text, number float8, flag boolean, list json)
    where ${where} order by index`.execute(platform.database.everyTenant('tests').query);
  return result.rows.map((row) => row.index);
}

const row = (part: Partial<Row>): Row => ({ text: null, number: null, flag: null, list: null, ...part });

test('ne and nlike also match missing values', async () => {
  const rows = [row({ text: 'a' }), row({ text: null }), row({ text: 'b' })];
  assert.deepEqual(await found(rows, { text: { operation: 'ne', value: 'a' } }), [1, 2]);
  assert.deepEqual(await found(rows, { text: { operation: 'nlike', value: 'A' } }), [1, 2]);
  assert.deepEqual(await found(rows, { text: { operation: 'nin', value: ['a', 'b'] } }), [1]);
});

test('an impossible day is not a date', () => {
  const fields = { made: { type: 'time' } } as const;
  for (const value of ['2099-02-30', '2026-06-31T10:00:00Z', '2026-13-01', '2025-02-29T00:00'])
    assert.throws(
      () => readFilters({ ...definition, fields }, { made: { operation: 'gt', value } }),
      AppError,
    );
  assert.ok(readFilters({ ...definition, fields }, { made: { operation: 'gt', value: '2028-02-29' } }));
});

test('empty means null, missing, an empty text, array or object', async () => {
  const texts = [row({}), row({ text: '' }), row({ text: ' ' })];
  assert.deepEqual(await found(texts, { text: { operation: 'empty' } }), [0, 1]);
  assert.deepEqual(await found(texts, { text: { operation: 'nempty', value: 'ignored' } }), [2]);
  const lists = [row({}), row({ list: [] }), row({ list: {} }), row({ list: [0] }), row({ list: 'text' })];
  assert.deepEqual(await found(lists, { list: { operation: 'empty' } }), [0, 1, 2]);
  assert.deepEqual(await found(lists, { list: { operation: 'nemptyarray' } }), [3]);
});

test('like is a case-insensitive contains with literal % _ and \\', async () => {
  const any = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '%', '_', '\\', "'", 'ü') });
  await fc.assert(
    fc.asyncProperty(fc.array(any, { maxLength: 20 }), any, async (texts, wanted) => {
      const rows = texts.map((text) => row({ text }));
      const expected = texts.flatMap((text, index) =>
        text.toLowerCase().includes(wanted.toLowerCase()) ? [index] : [],
      );
      assert.deepEqual(await found(rows, { text: { operation: 'like', value: wanted } }), expected);
    }),
    { numRuns: 50 },
  );
});

test('every comparison of numbers agrees with JavaScript', async () => {
  const compare: Partial<Record<FilterOperation, (a: number, b: number) => boolean>> = {
    eq: (a, b) => a === b,
    gt: (a, b) => a > b,
    gte: (a, b) => a >= b,
    lt: (a, b) => a < b,
    lte: (a, b) => a <= b,
  };
  const number = fc.integer({ min: -5, max: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(number, { maxLength: 10 }),
      number,
      fc.constantFrom('eq', 'gt', 'gte', 'lt', 'lte'),
      async (numbers, value, operation) => {
        const rows = numbers.map((each) => row({ number: each }));
        const expected = numbers.flatMap((each, index) => (compare[operation]?.(each, value) ? [index] : []));
        assert.deepEqual(await found(rows, { number: { operation, value } }), expected);
      },
    ),
    { numRuns: 50 },
  );
});

test('between includes both ends', async () => {
  const rows = [1, 2, 3, 4].map((number) => row({ number }));
  assert.deepEqual(await found(rows, { number: { operation: 'between', value: [2, 3] } }), [1, 2]);
});

test('a filter may have several operations, which must all match', async () => {
  const rows = [1, 2, 3, 4].map((number) => row({ number, text: String(number) }));
  assert.deepEqual(await found(rows, { number: { gte: 2, lt: 4 } }), [1, 2]);
  assert.deepEqual(await found(rows, { number: { gt: 1, ne: 3, lte: 4 }, text: { equals: '4' } }), [3]);
  assert.deepEqual(await found(rows, { text: { nempty: true, nin: ['1', '2'] } }), [2, 3]);
});

test('an error in one of several operations is named by its path', () => {
  const faultsOf = (filters: Record<string, unknown>) => {
    try {
      readFilters(definition, filters);
    } catch (error) {
      assert.ok(error instanceof AppError);
      return error.issues?.map(({ field }) => field);
    }
  };
  assert.deepEqual(faultsOf({ number: { gte: 1, below: 3, lt: 'x' } }), [
    'filters.number.below',
    'filters.number.lt',
  ]);
  assert.deepEqual(faultsOf({ number: {}, text: 3, flag: [] }), [
    'filters.number',
    'filters.text',
    'filters.flag',
  ]);
});

test('each operation counts as a condition', () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`x${n}`, n]));
  assert.throws(
    () => readFilters(definition, { number: many }),
    (error) => error instanceof AppError && error.issues?.[0]?.message === 'must have at most 50 conditions',
  );
});

test('no filter reaches the database as anything but a value', async () => {
  const anything = fc.object({
    maxDepth: 3,
    key: fc.oneof(fc.string(), fc.constantFrom('operation', 'value', 'text', 'number')),
  });
  await fc.assert(
    fc.asyncProperty(anything, async (filters) => {
      await found([row({ text: 'a' })], JSON.parse(JSON.stringify(filters).replaceAll('\\u0000', ''))).catch(
        (error) => {
          assert.equal(error.definition?.code, 'INVALID_REQUEST', error);
        },
      );
    }),
    { numRuns: 100 },
  );
});

test('filters that are not objects do not count against the limit of conditions', () => {
  const filters: object[] = JSON.parse('[null, 1, true, {"text": {"eq": "a"}}]');
  assert.doesNotThrow(() => limitConditions(filters));
});
