import assert from 'node:assert/strict';
import { createForm, goodAnswers, submit } from '../harness/sample-forms.ts';
import type { TestApp, TestTenant } from '../harness/test-app.ts';

/**
 * Accepts some data now; the returned check fails unless the process still answers and still has it, as it was.
 */
export async function acceptBefore(app: TestApp, tenant: TestTenant): Promise<() => Promise<void>> {
  const form = await createForm(tenant.api, { name: 'Accepted before' });
  const submission = await submit(tenant.api, form);
  const before = (await tenant.api.get(`/api/forms/${form}`)).text;
  return async () => {
    await app.anonymous.get('/healthz');
    await app.anonymous.get('/readyz');
    assert.equal((await tenant.api.get(`/api/forms/${form}`)).text, before);
    const stored = (await tenant.api.get(`/api/form_submissions/${submission}`)).body;
    assert.deepEqual(stored.form_data, goodAnswers);
    await submit(tenant.api, form);
  };
}
