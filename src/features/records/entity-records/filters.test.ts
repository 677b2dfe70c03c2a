/** Filters against the same rows in JavaScript. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { owner } = await createRecordsTenant(app, [
  {
    name: 'row',
    fields: [
      { name: 'place', type: 'integer', required: true, unique: true },
      { name: 'text', type: 'string' },
      { name: 'kind', type: 'enum', enum: ['a', 'b'] },
      { name: 'count', type: 'integer', indexed: true },
      { name: 'amount', type: 'number' },
      { name: 'flag', type: 'boolean' },
      { name: 'day', type: 'date' },
      { name: 'moment', type: 'datetime' },
      { name: 'token', type: 'uuid' },
    ],
  },
]);

type Value = string | number | boolean | null;
type Row = Readonly<Record<string, Value>>;

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const VALUES = {
  text: fc.string({ unit: fc.constantFrom('a', 'B', 'b', '%', '_', '\\', "'", 'ü'), maxLength: 3 }),
  kind: fc.constantFrom('a', 'b'),
  count: fc.integer({ min: -3, max: 3 }),
  amount: fc.constantFrom(-1.5, 0, 0.1, 2, 1e21),
  flag: fc.boolean(),
  day: fc.constantFrom('2024-02-29', '2026-01-01', '0001-01-01', '9999-12-31'),
  moment: fc.constantFrom('2026-11-23T10:00:00.000Z', '2026-11-23T10:00:00.001Z', '0001-01-01T00:00:00.000Z'),
  token: fc.constantFrom('00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'),
} satisfies Record<string, fc.Arbitrary<Value>>;
type Field = keyof typeof VALUES;
const FIELDS = Object.keys(VALUES).filter((name): name is Field => Object.hasOwn(VALUES, name));

const rows: readonly Row[] = fc
  .sample(fc.record(Object.fromEntries(FIELDS.map((name) => [name, maybe<Value>(VALUES[name])]))), {
    numRuns: 60,
    seed: 11,
  })
  .map((row, place) => ({ ...row, place }));
await owner.post('/api/row/bulk', { records: rows });

/** JavaScript version of each operator. Texts have only equality and `like`, because their order is the database's. */
const OPERATORS: Readonly<Record<string, (stored: Value, value: Value) => boolean>> = {
  '': (stored, value) => stored === value,
  __ne: (stored, value) => stored !== value,
  __gt: (stored, value) => stored !== null && value !== null && stored > value,
  __gte: (stored, value) => stored !== null && value !== null && stored >= value,
  __lt: (stored, value) => stored !== null && value !== null && stored < value,
  __lte: (stored, value) => stored !== null && value !== null && stored <= value,
};

async function placesFound(query: Readonly<Record<string, string>>): Promise<number[]> {
  const { body } = await owner.get(`/api/row?${new URLSearchParams({ ...query, per_page: '100' })}`);
  assert.equal(body.pagination.total, body.data.length);
  return body.data.map(({ place }: { place: number }) => place).sort((a: number, b: number) => a - b);
}

const placesOf = (meets: (row: Row) => boolean) => rows.flatMap((row, place) => (meets(row) ? [place] : []));

const condition = fc.constantFrom(...FIELDS).chain((field) => {
  const isOrdered = field !== 'flag' && field !== 'text';
  const operators = Object.keys(OPERATORS).slice(0, isOrdered ? undefined : 2);
  return fc.record({
    field: fc.constant(field),
    operator: fc.constantFrom(...operators),
    value: VALUES[field],
  });
});

test('comparisons agree with JavaScript, and can be combined', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(condition, { maxLength: 3, selector: (each) => `${each.field}${each.operator}` }),
      async (conditions) => {
        const query = Object.fromEntries(
          conditions.map(({ field, operator, value }) => [`${field}${operator}`, String(value)]),
        );
        const expected = placesOf((row) =>
          conditions.every(({ field, operator, value }) => OPERATORS[operator]?.(row[field] ?? null, value)),
        );
        assert.deepEqual(await placesFound(query), expected);
      },
    ),
    { numRuns: 150 },
  );
});

test('lists of values match with in and not_in, and not_in includes nulls', async () => {
  const listFilter = fc
    .constantFrom<Field>('kind', 'count', 'day', 'token')
    .chain((field) =>
      fc.record({ field: fc.constant(field), values: fc.array<Value>(VALUES[field], { maxLength: 3 }) }),
    );
  await fc.assert(
    fc.asyncProperty(listFilter, async ({ field, values }) => {
      const list = values.join(',');
      assert.deepEqual(
        await placesFound({ [`${field}__in`]: list }),
        placesOf((row) => values.includes(row[field] ?? null)),
      );
      assert.deepEqual(
        await placesFound({ [`${field}__nin`]: list }),
        placesOf((row) => !values.includes(row[field] ?? null)),
      );
    }),
    { numRuns: 50 },
  );
});

test('like is a case-insensitive contains with literal % _ and \\', async () => {
  await fc.assert(
    fc.asyncProperty(VALUES.text, async (text) => {
      const expected = placesOf(({ text: stored }) =>
        String(stored ?? '\0')
          .toLowerCase()
          .includes(text.toLowerCase()),
      );
      assert.deepEqual(
        await placesFound({ text__like: text }),
        text === '' ? placesOf((row) => row.text !== null) : expected,
      );
    }),
    { numRuns: 50 },
  );
});

test('null tests for a missing value in every type', async () => {
  for (const field of FIELDS) {
    assert.deepEqual(
      await placesFound({ [`${field}__null`]: 'true' }),
      placesOf((row) => row[field] === null),
    );
    assert.deepEqual(
      await placesFound({ [`${field}__null`]: 'false' }),
      placesOf((row) => row[field] !== null),
    );
  }
});

test('system fields can be filtered and sorted like others', async () => {
  const { data } = (await owner.get('/api/row?sort=place&per_page=100')).body;
  const all = rows.map((_, place) => place);
  assert.deepEqual(await placesFound({ _created_at__lte: data[0]._created_at }), all);
  assert.deepEqual(await placesFound({ _created_at__gt: data[0]._created_at }), []);
  assert.deepEqual(await placesFound({ _created_by: data[0]._created_by, _updated_by__null: 'false' }), all);
  assert.deepEqual(await placesFound({ id__in: `${data[3].id},${data[5].id}` }), [3, 5]);
  const sorted = (await owner.get('/api/row?sort=-_created_at,id&per_page=2&fields=place')).body.data;
  assert.deepEqual(
    sorted.map(({ place }: Row) => place),
    [0, 1],
  );
});

test('every sort puts nulls last and is stable over pages', async () => {
  const order = fc.uniqueArray(
    fc.record({ field: fc.constantFrom<Field>('count', 'flag', 'day', 'amount'), descends: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 2,
      selector: ({ field }) => field,
    },
  );
  await fc.assert(
    fc.asyncProperty(order, fc.integer({ min: 5, max: 40 }), async (steps, perPage) => {
      const sort = steps.map(({ field, descends }) => `${descends ? '-' : ''}${field}`).join();
      const found: number[] = [];
      for (let page = 1; page <= Math.ceil(rows.length / perPage); page += 1) {
        const { body } = await owner.get(
          `/api/row?fields=place&sort=${sort}&page=${page}&per_page=${perPage}`,
        );
        found.push(...body.data.map(({ place }: { place: number }) => place));
      }
      const compare = (a: Row, b: Row) => {
        for (const { field, descends } of steps) {
          const [one, other] = [a[field] ?? null, b[field] ?? null];
          if (one === other) continue;
          if (one === null) return 1;
          if (other === null) return -1;
          return one < other === descends ? 1 : -1;
        }
        // Created together; the later one is the newer.
        return Number(b.place) - Number(a.place);
      };
      assert.deepEqual(
        found,
        [...rows].sort(compare).map(({ place }) => place),
      );
    }),
    { numRuns: 25 },
  );
});
