import assert from 'node:assert/strict';
import { eventually } from '../harness/poll.ts';
import { createForm, goodAnswers, submit } from '../harness/sample-forms.ts';
import type { TestApp, TestTenant } from '../harness/test-app.ts';

/** Stores some data; the returned check fails unless the process still answers and still has that data unchanged. */
export async function acceptBefore(app: TestApp, tenant: TestTenant): Promise<() => Promise<void>> {
  const form = await createForm(tenant.api, { name: 'Accepted before' });
  const submission = await submit(tenant.api, form);
  const before = (await tenant.api.get(`/api/forms/${form}`)).text;
  return async () => {
    await app.anonymous.get('/healthz');
    // A busy process responds with 503.
    await eventually('the process to be ready', async () => {
      return (await app.anonymous.send('GET', '/readyz')).status === 200;
    });
    assert.equal((await tenant.api.get(`/api/forms/${form}`)).text, before);
    const stored = (await tenant.api.get(`/api/form_submissions/${submission}`)).body;
    assert.deepEqual(stored.form_data, goodAnswers);
    await submit(tenant.api, form);
  };
}
