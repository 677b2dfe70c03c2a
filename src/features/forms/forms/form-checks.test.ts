import assert from 'node:assert/strict';
import test from 'node:test';
import { createForm, formBody, goodAnswers } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { AppError } from '../../../errors/app-error.ts';
import { RATE_LIMITED } from '../../../errors/platform-errors.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { checkAnswers, type FormForSubmission, findFormByCode } from './index.ts';

const site = await startTestApp();
const { platform } = site.app;
const tenant = await site.createTenant();
const db = platform.scoped(wholeTenant(tenant.tenantId));

async function readForm(code: string): Promise<FormForSubmission> {
  const form = await findFormByCode(db, code);
  assert.ok(form);
  return form;
}

test('answers are checked against the version of the form that was read, even if it changes meanwhile', async () => {
  const code = await createForm(tenant.api);
  const form = await readForm(code);
  const changed = { pages: [{ name: 'p', elements: [{ type: 'text', name: 'other' }] }] };
  await tenant.api.put(`/api/forms/${code}`, formBody({ formBuilderOptions: changed }));
  assert.deepEqual(await checkAnswers(platform, db, form, goodAnswers), { ok: true, answers: goodAnswers });
  const now = await checkAnswers(platform, db, await readForm(code), { other: 'x' });
  assert.deepEqual(now, { ok: true, answers: { other: 'x' } });
});

test('answers behind too many waiting ones are rejected temporarily, not as invalid', async () => {
  const definition = { pages: [{ name: 'p', elements: [{ type: 'signaturepad', name: 's' }] }] };
  const form = await readForm(await createForm(tenant.api, { formBuilderOptions: definition }));
  const check = () => checkAnswers(platform, db, form, { s: 'data:,' });
  await check();
  const outcomes = await Promise.allSettled(Array.from({ length: 250 }, check));
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') assert.ok(outcome.value.ok);
    else assert.ok(outcome.reason instanceof AppError && outcome.reason.definition === RATE_LIMITED);
  }
  assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['fulfilled', 'rejected']);
});

const BOUND = { timeout: 60_000 };

test(
  'a check inside a transaction does not wait for one outside, which waits for its connection',
  BOUND,
  async () => {
    const form = await readForm(await createForm(tenant.api));
    const { inside, outside } = await db.transaction(async (tx) => {
      const other = checkAnswers(platform, db, form, goodAnswers);
      return { inside: await checkAnswers(platform, tx, form, goodAnswers), outside: () => other };
    });
    assert.ok(inside.ok);
    assert.ok((await outside()).ok);
  },
);
