import assert from 'node:assert/strict';
import test from 'node:test';
import { createAutomation, endedRuns } from '../../../../test/harness/automations.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const fields = [{ name: 'title', type: 'string' }];

test('automations of a deleted entity do not run for another of the same name until they are activated', async () => {
  const { api, owner } = await createRecordsTenant(app, [
    { name: 'item', fields },
    { name: 'other', fields },
  ]);
  const triggers = ['afterCreate', 'afterUpdate', 'afterDelete'];
  for (const triggerType of triggers)
    await createAutomation(api, triggerType, { triggerType, entityKey: 'item' });
  await createAutomation(api, 'unrelated', { triggerType: 'afterCreate', entityKey: 'other' });
  await createAutomation(api, 'hook', { triggerType: 'webhook' });
  await api.delete('/api/entities/item');
  for (const key of triggers) {
    const { body } = await api.get(`/api/automations/${key}`);
    assert.deepEqual([body.active, body.version], [false, 2], key);
  }
  for (const key of ['unrelated', 'hook'])
    assert.equal((await api.get(`/api/automations/${key}`)).body.active, true, key);

  await api.post('/api/entities', { name: 'item', fields });
  const { id } = (await owner.post('/api/item', { title: 'new' })).body;
  await owner.put(`/api/item/${id}`, { title: 'newer' });
  await api.patch('/api/automations/afterDelete', { active: true });
  await owner.delete(`/api/item/${id}`);
  await owner.post('/api/other', { title: 'a' });
  await endedRuns(api, 'afterDelete', 1);
  await endedRuns(api, 'unrelated', 1);
  for (const key of ['afterCreate', 'afterUpdate'])
    assert.deepEqual((await api.get(`/api/automations/${key}/runs`)).body.results, [], key);
});
