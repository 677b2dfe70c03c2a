/**
 * Functions that read the clock use the day of the visitor's time zone; without one, a day on either side is accepted.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FormEngine } from './form-engine.ts';

type Json = Record<string, unknown>;

const engine = new FormEngine({ deadlineMs: 30_000 });
after(() => engine.close());

/** Two zones whose days always differ: their clocks are 26 hours apart. */
const EARLIEST = 'Pacific/Kiritimati';
const LATEST = 'Etc/GMT+12';

const DAY_MS = 24 * 60 * 60 * 1000;
const formats = new Map(
  [EARLIEST, LATEST].map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv', { timeZone })]),
);
/** Returns the date in a zone, as `YYYY-MM-DD`. */
const dayIn = (zone: string, days = 0) => formats.get(zone)?.format(Date.now() + days * DAY_MS);

const date = (more: Json): Json => ({ type: 'text', inputType: 'date', name: 'q', ...more });
const rule = (expression: string): Json => date({ validators: [{ type: 'expression', expression }] });

/** Elements, and a day that only one of the two zones accepts: that of `EARLIEST` or of `LATEST`. */
const CASES: Record<string, [element: Json, day: () => string | undefined, accepting: string]> = {
  'no later than today': [rule('{q} <= today()'), () => dayIn(EARLIEST), EARLIEST],
  'no earlier than today': [rule('{q} >= today()'), () => dayIn(LATEST), LATEST],
  'only today, for the earliest': [rule('{q} = today()'), () => dayIn(EARLIEST), EARLIEST],
  'only today, for the latest': [rule('{q} = today()'), () => dayIn(LATEST), LATEST],
  'from tomorrow': [rule('{q} > today()'), () => dayIn(LATEST, 1), LATEST],
  'up to three days ahead': [rule('{q} <= today(3)'), () => dayIn(EARLIEST, 3), EARLIEST],
  'in the past by the minute': [rule('{q} <= currentDate()'), () => dayIn(EARLIEST), EARLIEST],
  'at most seven days away': [rule('dateDiff({q}, today()) <= 7'), () => dayIn(EARLIEST, 7), EARLIEST],
  'an expression as the least value': [date({ minValueExpression: 'today()' }), () => dayIn(LATEST), LATEST],
  'an expression as the greatest value': [
    date({ maxValueExpression: 'today()' }),
    () => dayIn(EARLIEST),
    EARLIEST,
  ],
  'a sum of days': [rule("{q} <= dateAdd(today(), 30, 'days')"), () => dayIn(EARLIEST, 30), EARLIEST],
  'of this day of the month': [rule('day({q}) = day()'), () => dayIn(EARLIEST), EARLIEST],
};

for (const [name, [element, day, accepting]] of Object.entries(CASES))
  for (const engineName of ['compiled rules', 'the full model']) {
    // The compiled rules do not support file questions.
    const more = engineName === 'compiled rules' ? [] : [{ type: 'signaturepad', name: 's' }];
    const definition = { pages: [{ name: 'p', elements: [element, ...more] }] };
    const code = `${name}, ${engineName}`;
    const check = async (q: unknown, zone?: string) =>
      (await engine.check({ tenantId: 't', code, version: 1 }, async () => definition, { q }, 'en', zone)).ok;

    test(`${name}, by ${engineName}`, async () => {
      const other = accepting === EARLIEST ? LATEST : EARLIEST;
      const given = day();
      assert.equal(await check(given, accepting), true, 'in its zone');
      assert.equal(await check(given, other), false, 'in the other zone');
      assert.equal(await check(given), true, 'without a zone');
    });
  }

test('without a zone, more than a day on either side is rejected', async () => {
  const definition = { pages: [{ name: 'p', elements: [rule('{q} = today()')] }] };
  for (const q of [dayIn(EARLIEST, 2), dayIn(LATEST, -2)]) {
    const result = await engine.check({ tenantId: 't', code: 'far', version: 1 }, async () => definition, {
      q,
    });
    assert.equal(result.ok, false);
  }
});

test("without a zone, the days around UTC's are accepted, whatever the time zone of the process", async () => {
  const definition = { pages: [{ name: 'p', elements: [rule('{q} = today()')] }] };
  const utc = new Intl.DateTimeFormat('sv', { timeZone: 'UTC' });
  const before = process.env.TZ;
  try {
    // The day of one of them is not that of UTC.
    for (const zone of [EARLIEST, LATEST]) {
      process.env.TZ = zone;
      for (const days of [-2, -1, 0, 1, 2]) {
        const q = utc.format(Date.now() + days * DAY_MS);
        const form = { tenantId: 't', code: `around ${zone}`, version: 1 };
        const { ok } = await engine.check(form, async () => definition, { q });
        assert.equal(ok, Math.abs(days) < 2, `${zone} ${days}`);
      }
    }
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, 'TZ');
    else process.env.TZ = before;
  }
});
