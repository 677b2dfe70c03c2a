import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createJourney } from '../harness/journeys.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { startTestApp } from '../harness/test-app.ts';

const { createTenant } = await startTestApp();

/** A form whose submissions set off a journey. */
const formOf = (journeyId: string) => ({
  name: 'Form',
  form_type: 'embedded_form',
  active: true,
  allowed_origins: [],
  formBuilderOptions: { pages: [{ elements: [{ type: 'text', name: 'word' }] }] },
  post_submit_actions: [{ type: 'trigger_journey', journey_id: journeyId }],
});

test('a journey of another unit, of another tenant and of nobody are refused alike in a form', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const unit = await createUnit(tenant, 'Mine');
  const editor = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  const ofDefault = await createJourney(tenant, [{ key: 'out', type: 'exit' }]);
  const foreign = await createJourney(other, [{ key: 'out', type: 'exit' }]);
  const answers = await Promise.all(
    [ofDefault, foreign, randomUUID(), 'none'].map((id) => editor.api.post('/api/forms', formOf(id), 422)),
  );
  const [first, ...others] = answers.map(({ body }) => body);
  for (const body of others) assert.deepEqual(body, first);
  await tenant.api.post('/api/forms', formOf(ofDefault));
});
