import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail } from '../../../../test/harness/campaigns.ts';
import { createJourney } from '../../../../test/harness/journeys.ts';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { actingIn, createMember, createUnit } from '../../../../test/harness/members.ts';
import { formBody } from '../../../../test/harness/sample-forms.ts';
import { createSubscriber, getSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();

for (const [path, kind, entityType] of [
  ['/api/lists', 'lists', 'marketing_list'],
  ['/api/audiences', 'audiences', 'marketing_audience'],
] as const) {
  const create = async ({ api }: Pick<TestTenant, 'api'>, name: string): Promise<string> =>
    (await api.post(path, { name })).body.id;
  const countOf = async ({ api }: TestTenant, id: string): Promise<number> =>
    (await api.get(`${path}/${id}`)).body.subscriber_count;

  test(`${kind}: a group reads as it was written, and its versions stay in history`, async () => {
    const tenant = await app.createTenant();
    const { api } = tenant;
    const { id } = (await api.post(path, { name: 'News', description: 'Monthly' })).body;
    const { body } = await api.get(`${path}/${id}`);
    assert.deepEqual(body, {
      id,
      name: 'News',
      description: 'Monthly',
      subscriber_count: 0,
      business_unit: tenant.defaultUnitId,
      version: 1,
      created_at: body.created_at,
      updated_at: body.created_at,
    });
    assert.deepEqual((await api.put(`${path}/${id}`, { name: 'Weekly', version: 1 })).body, { id });
    assert.equal(
      (await api.put(`${path}/${id}`, { name: 'x', version: 1 }, 409)).body.code,
      'VERSION_CONFLICT',
    );
    assert.deepEqual((await api.delete(`${path}/${id}`)).body, { id });
    await api.get(`${path}/${id}`, 404);
    const history = await api.get(`/api/entity/versions?entityType=${entityType}&entitySortKey=${id}`);
    assert.deepEqual(
      history.body.map(({ data }: { data: { name: string } }) => data.name),
      ['News', 'Weekly'],
    );
    assert.equal((await api.post(path, { name: '' }, 400)).body.code, 'INVALID_REQUEST');
  });

  test(`${kind}: the list has pages, filters by name and searches, newest first`, async () => {
    const tenant = await app.createTenant();
    for (const name of ['alpha', 'beta', 'alpha beta']) await create(tenant, name);
    const names = async (body: object) =>
      (await tenant.api.post(`${path}/list`, { page: 1, limit: 10, ...body })).body.results.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual(await names({}), ['alpha beta', 'beta', 'alpha']);
    assert.deepEqual(await names({ search: 'BETA al' }), ['alpha beta']);
    assert.deepEqual(await names({ filters: { name: { operation: 'eq', value: 'beta' } } }), ['beta']);
  });

  test(`${kind}: the count changes when subscribers join, leave and are deleted`, async () => {
    const tenant = await app.createTenant();
    const [one, other] = [await create(tenant, 'One'), await create(tenant, 'Other')];
    const ada = await createSubscriber(tenant, { [kind]: [one, other] });
    const bob = await createSubscriber(tenant, { [kind]: [one], active: false, inactive_reason: 'asked' });
    assert.deepEqual([await countOf(tenant, one), await countOf(tenant, other)], [2, 1]);
    await tenant.api.put(`/api/subscribers/${ada.id}`, { ...ada.body, [kind]: [other, other] });
    assert.deepEqual([await countOf(tenant, one), await countOf(tenant, other)], [1, 1]);
    await tenant.api.delete(`/api/subscribers/${bob.id}`);
    assert.deepEqual([await countOf(tenant, one), await countOf(tenant, other)], [0, 1]);
  });

  test(`${kind}: deleting a group removes its members, who stay in other groups`, async () => {
    const tenant = await app.createTenant();
    const [gone, kept] = [await create(tenant, 'Gone'), await create(tenant, 'Kept')];
    const { id, body } = await createSubscriber(tenant, { [kind]: [gone, kept] });
    await tenant.api.delete(`${path}/${gone}`);
    assert.deepEqual((await getSubscriber(tenant, id))[kind], [kept]);
    const again = await tenant.api.put(`/api/subscribers/${id}`, body, 400);
    assert.deepEqual([again.body.code, again.body.issues[0].field], ['INVALID_SUBSCRIBER', `${kind}[0]`]);
  });

  test(`${kind}: joining a group while it is deleted leaves no members`, async () => {
    const tenant = await app.createTenant();
    const id = await create(tenant, 'Busy');
    const { body } = await createSubscriber(tenant, {});
    const joins = Array.from({ length: 8 }, (_, n) =>
      tenant.api.send('POST', '/api/subscribers', {
        body: { ...body, email: `racer${n}@example.com`, [kind]: [id] },
      }),
    );
    await Promise.all([...joins, tenant.api.delete(`${path}/${id}`)]);
    const { results } = (await tenant.api.post('/api/subscribers/list', { page: 1, limit: 100, filters: {} }))
      .body;
    assert.ok(results.every((each: Record<string, string[]>) => each[kind]?.length === 0));
  });

  test(`${kind}: a group belongs to a unit, and callers who cannot see it cannot add members`, async () => {
    const tenant = await app.createTenant();
    const north = await createUnit(tenant, 'North');
    const member = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
    const id = await create(tenant, 'Of Default');
    await member.api.get(`${path}/${id}`, 404);
    const refused = { first_name: 'Ada', email: 'ada@example.com', active: true, lists: [], audiences: [] };
    await member.api.post('/api/subscribers', { ...refused, [kind]: [id] }, 400);
    const own = await create(member, 'Of North');
    await member.api.post('/api/subscribers', { ...refused, [kind]: [own] });
    assert.equal((await member.api.delete(`${path}/${own}`, 403)).body.code, 'FORBIDDEN');
  });

  test(`${kind}: a group names the records that use it, active or not`, async () => {
    const tenant = await createMailTenant(app);
    const { api } = tenant;
    const id = await create(tenant, 'Used');
    assert.deepEqual((await api.get(`${path}/${id}/usage`)).body, { results: [] });
    const mapping = (enabled: boolean) => ({ subscriber_mapping: { enabled, [kind]: [id] } });
    const { code: form } = (await api.post('/api/forms', formBody({ name: 'Sign-up', ...mapping(true) })))
      .body;
    const { code: idle } = (await api.post('/api/forms', formBody({ name: 'Idle', ...mapping(false) }))).body;
    const campaign = await createCampaign(tenant);
    const groups = { [kind === 'lists' ? 'list_ids' : 'audience_ids']: [id] };
    const draft = await createEmail(tenant, campaign, { name: 'Draft', status: 'Draft', ...groups });
    const ready = await createEmail(tenant, campaign, { name: 'Ready', ...groups });
    const trigger =
      kind === 'lists' ? { type: 'list_joined', list_id: id } : { type: 'audience_entered', audience_id: id };
    const wait = { key: 'day', type: 'wait', seconds: 86_400 };
    const journey = await createJourney(tenant, [wait], { trigger, active: false });
    const { id: audience } = (
      await api.post('/api/audiences', {
        name: 'Readers',
        filters: { any: [{ [kind]: { operation: 'in', value: [id] } }] },
      })
    ).body;
    const { results } = (await api.get(`${path}/${id}/usage`)).body;
    const used = (entity_type: string, key: string, title: string, is_active: boolean) => ({
      ...{ entity_type, key, title, is_active },
    });
    const order = ({ key }: { key: string }, other: { key: string }) => (key < other.key ? -1 : 1);
    assert.deepEqual(
      results.sort(order),
      [
        used('form', form, 'Sign-up', true),
        used('form', idle, 'Idle', false),
        used('marketing_email', draft.id, 'Draft', false),
        used('marketing_email', ready.id, 'Ready', true),
        used('user_journey', journey, 'Welcome', false),
        used('marketing_audience', audience, 'Readers', true),
      ].sort(order),
    );
  });

  test(`${kind}: usage contains only records of units that the caller sees`, async () => {
    const tenant = await app.createTenant();
    const north = await createUnit(tenant, 'North');
    const member = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
    const id = await create({ api: await actingIn(tenant.api, north) }, 'Of North');
    const filters = { [kind]: { operation: 'eq', value: id } };
    await tenant.api.post('/api/audiences', { name: 'Of Default', filters });
    assert.equal((await tenant.api.get(`${path}/${id}/usage`)).body.results.length, 1);
    assert.deepEqual((await member.api.get(`${path}/${id}/usage`)).body, { results: [] });
    const other = await app.createTenant();
    await other.api.get(`${path}/${id}/usage`, 404);
    await member.api.get(`${path}/${await create(tenant, 'Hidden')}/usage`, 404);
  });
}
