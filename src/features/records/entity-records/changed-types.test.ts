/**
 * A prepared statement outlives the definition for which it was made: writes and filters after a change of a field's
 * type.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const tenant = await createRecordsTenant(app, []);
const { api, owner } = tenant;

const UUID = '0190a0b0-0000-7000-8000-000000000001';
const DAY = '2026-01-31';
const TIME = '2026-01-31T12:00:00.000Z';

/** Types in turn, each with a matching value, which may not fit the previous type. */
const CHANGES: readonly (readonly [name: string, ...steps: (readonly [type: string, value: unknown])[]])[] = [
  ['number to enum and back', ['number', 1.5], ['enum', '1.5'], ['number', 2.5]],
  ['integer to number', ['integer', 7], ['number', 7.5]],
  ['integer to enum', ['integer', 7], ['enum', '7'], ['string', 'x'], ['text', 'y']],
  ['string to numbers', ['string', '12'], ['integer', 12], ['number', 12.5], ['text', 'a']],
  ['boolean to others', ['boolean', true], ['string', 'x'], ['text', 'y']],
  ['date to datetime', ['date', DAY], ['datetime', TIME], ['string', TIME], ['text', 'x']],
  ['date to enum', ['date', DAY], ['enum', DAY]],
  ['uuid to text', ['uuid', UUID], ['string', 'x'], ['text', 'y']],
  ['json to text', ['json', 'a'], ['string', 'b']],
  ['text to json', ['string', 'a'], ['json', { b: 1 }]],
  ['json to integer', ['json', 5], ['integer', 6], ['number', 6.5]],
];

const VALUES_OF_ENUM = ['1.5', '2.5', '7', 'a', 'true', 'false', DAY, UUID];

for (const [index, [title, ...steps]] of CHANGES.entries())
  test(`writes and filters follow a field that changes its type: ${title}`, async () => {
    const entity = `changed${index}`;
    const path = `/api/${entity}`;
    let ids: string[] = [];
    for (const [turn, [type, value]] of steps.entries()) {
      const field = { name: 'v', type, ...(type === 'enum' && { enum: VALUES_OF_ENUM }) };
      if (turn === 0) await api.post('/api/entities', { name: entity, fields: [field] });
      else {
        const changed = await api.send('PUT', `/api/entities/${entity}`, { body: { fields: [field] } });
        assert.equal(changed.status, 200, `${steps[turn - 1]?.[0]} to ${type}: ${changed.text}`);
      }
      // Twice: the second time the statement is prepared.
      for (let round = 0; round < 2; round += 1) {
        const { id } = (await owner.post(path, { v: value })).body;
        ids = [...ids, id];
        assert.deepEqual((await owner.put(`${path}/${id}`, { v: value })).body.v, value, type);
        await owner.post(`${path}/bulk`, { records: [{ v: value }, { v: null }] });
        await owner.put(`${path}/bulk`, { filter: { id__in: ids.join(',') }, update: { v: value } });
        assert.deepEqual((await owner.get(`${path}/${ids[0]}`)).body.v, value, type);
        if (type !== 'json') {
          const filter = encodeURIComponent(String(value));
          assert.ok((await owner.get(`${path}?v=${filter}&sort=v`)).body.data.length > 0, type);
          assert.ok((await owner.get(`${path}?v__in=${filter}`)).body.data.length > 0, type);
        }
      }
      await owner.put(`${path}/bulk`, { filter: { v__null: false }, update: { v: value } });
    }
  });
