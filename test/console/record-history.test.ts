/** The page with the history of a record of any kind: generated over all kinds, and what people do on it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { NOT_RESTORED } from '../../src/features/tenancy/entity-history/index.ts';
import { ENTITY_TYPES } from '../../src/resources/entity-types.ts';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs, shareWindow } from '../harness/console.ts';
import { KIND_CHANGES, KIND_RECORDS } from '../harness/kind-records.ts';
import { createMailTenant } from '../harness/mail.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { createForm, submit } from '../harness/sample-forms.ts';
import { createSubscriber } from '../harness/subscribers.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();
const tenant = await createMailTenant(app);
const { api } = tenant;
const site = { api, unit: tenant.defaultUnitId, domain: tenant.domain };
const windowOf = await shareWindow(browser, app, tenant.ownerEmail);
const url = `${app.url}/console/t/${tenant.code}`;
const pathOf = (kind: string, key: string) => `${url}/activity/${kind}/${encodeURIComponent(key)}`;

/** Returns the key of the newest record of a kind, which need not be in a response of the API. */
async function lastKey(kind: string): Promise<string> {
  const { sort_key } = await app.app.platform.database
    .everyTenant('tests')
    .query.selectFrom('record_history')
    .select('sort_key')
    .where('tenant_id', '=', tenant.tenantId)
    .where('entity_type', '=', kind)
    .orderBy('recorded_at', 'desc')
    .executeTakeFirstOrThrow();
  return sort_key;
}

/** Creates a record of each kind that is never restored, and returns its key. */
const OTHERS: Readonly<Record<string, () => Promise<string>>> = {
  business_unit: async () => {
    const { bu_id } = (await api.post('/api/client/v1/business-units', { name: 'Garden' })).body;
    await api.put(`/api/client/v1/business-units/${bu_id}`, { name: 'Kitchen' });
    return bu_id;
  },
  tenant_membership: async () => {
    const { membershipId } = await createMember(tenant, []);
    await api.patch(`/api/client/v1/memberships/${membershipId}`, { status: 'inactive' });
    return membershipId;
  },
  business_unit_grant: async () => {
    await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
    return lastKey('business_unit_grant');
  },
  marketing_subscriber: async () => {
    const { id } = await createSubscriber(tenant);
    await api.patch(`/api/subscribers/${id}`, { first_name: 'Grace' });
    return id;
  },
  form_submission: async () => submit(api, await createForm(api, { name: 'Contact' })),
  marketing_email_sending_job: async () => {
    const { key } = (await KIND_RECORDS.marketing_email?.(site)) ?? { key: '' };
    const { campaign_code } = await contentOf('marketing_email', key);
    await api.get(`/api/campaigns/${campaign_code}/emails/${key}/process`);
    return lastKey('marketing_email_sending_job');
  },
  user_journey_state: async () => {
    const { key } = (await KIND_RECORDS.user_journey?.(site)) ?? { key: '' };
    const { id } = await createSubscriber(tenant);
    return (await api.post(`/api/journeys/${key}/enter`, { subscriber_id: id })).body.state_id;
  },
};

async function contentOf(entityType: string, entitySortKey: string) {
  const query = new URLSearchParams({ entityType, entitySortKey });
  return (await api.get(`/api/entity/versions?${query}`)).body.at(-1).data;
}

async function versionsOf(entityType: string, entitySortKey: string): Promise<number[]> {
  const query = new URLSearchParams({ entityType, entitySortKey });
  const { body } = await api.get(`/api/entity/versions?${query}`);
  return body.map(({ version }: { version: number }) => version);
}

const restoreButton = (page: Page) => page.getByRole('button', { name: /^Restore \d+ fields?$/ });

test('every kind has a record here', () => {
  assert.deepEqual([...Object.keys(KIND_RECORDS), ...Object.keys(OTHERS)].sort(), [...ENTITY_TYPES].sort());
  assert.deepEqual(Object.keys(OTHERS).sort(), Object.keys(NOT_RESTORED).sort());
});

for (const kind of Object.keys(KIND_CHANGES))
  test(`an older version of a ${kind} is compared, and restored by the button`, { skip }, async () => {
    const { page } = windowOf();
    const {
      key,
      path,
      deletion = path,
      change = deletion,
    } = (await KIND_RECORDS[kind]?.(site)) ?? {
      key: '',
      path: '',
    };
    const [first = 0] = (await versionsOf(kind, key)).slice(-1);
    await api.send('PATCH', change, { body: KIND_CHANGES[kind] });
    const last = (await versionsOf(kind, key)).at(-1) ?? 0;
    assert.equal(last, first + 1);
    await page.goto(`${pathOf(kind, key)}?version=${first}`);
    await restoreButton(page).waitFor();
    for (const member of Object.keys(KIND_CHANGES[kind] ?? {}).filter((name) => name !== 'id'))
      assert.ok(
        (await page
          .locator('ul')
          .getByText(new RegExp(`^${member}`))
          .count()) > 0,
        member,
      );
    // A field of an entity that is removed has to be named by `drop`.
    if (kind === 'entity') await page.getByText('fields', { exact: true }).click();
    await page.getByRole('button', { name: 'Check without saving' }).click();
    await page.getByText(`Version ${last + 1} would be saved`).waitFor();
    await restoreButton(page).click();
    await page.getByText(`Restored from version ${first}`).last().waitFor();
    await eventually('the new version', async () => (await versionsOf(kind, key)).at(-1) === last + 1);
    await page.getByRole('link', { name: `Version ${last + 1}` }).waitFor();
  });

for (const [kind, create] of Object.entries(OTHERS))
  test(`the history of a ${kind} is shown, and nothing of it can be restored`, { skip }, async () => {
    const { page } = windowOf();
    const key = await create();
    const versions = await versionsOf(kind, key);
    await page.goto(`${pathOf(kind, key)}?version=${versions[0]}`);
    await page.getByRole('heading', { name: `Version ${versions[0]}` }).waitFor();
    if (versions.length > 1) await page.getByText(/restored in their own list|cannot be restored/).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Restore/ }).count(), 0);
  });

for (const kind of Object.keys(KIND_RECORDS).filter((each) => !(each in KIND_CHANGES)))
  test(`the history of a ${kind} is shown, whose versions nobody can change`, { skip }, async () => {
    const { page } = windowOf();
    const { key } = (await KIND_RECORDS[kind]?.(site)) ?? { key: '' };
    await page.goto(pathOf(kind, key));
    await page.getByRole('heading', { name: /^Version \d+$/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Restore/ }).count(), 0);
  });

test('changes in a tree are shown by their path, and a deleted record comes back from its page', {
  skip,
}, async () => {
  const { page, faults } = await openWindowAs(browser, app, tenant.ownerEmail);
  const element = { type: 'text', name: 'email', title: 'Your email' };
  const definition = (title: string) => ({ pages: [{ name: 'page1', elements: [{ ...element, title }] }] });
  const code = await createForm(api, { name: 'Contact', formBuilderOptions: definition('Your email') });
  await api.patch(`/api/forms/${code}`, { formBuilderOptions: definition('Address') });
  await page.goto(pathOf('form', code));
  await page.getByText('[page1].elements[email].title').waitFor();
  await page.locator('del', { hasText: 'Your email' }).waitFor();
  await page.locator('ins', { hasText: 'Address' }).waitFor();
  assert.deepEqual(await findFaults(page), []);

  await api.delete(`/api/forms/${code}`);
  await page.goto(`${url}/bin?kind=form`);
  await page.getByRole('link', { name: 'Contact' }).first().click();
  await page.getByText('Deleted by Owner (you)').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('link', { name: 'Version 1' }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore “Contact”?' });
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('“Contact” restored').waitFor();
  const { body } = await api.get(`/api/forms/${code}`);
  assert.equal(body.formBuilderOptions.pages[0].elements[0].title, 'Your email');
  await page.getByText('Deleted by').waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
});

test('a version that only restored a deleted record says so in both places', { skip }, async () => {
  const { page, faults } = await openWindowAs(browser, app, tenant.ownerEmail);
  const code = await createForm(api, { name: 'Feedback' });
  await api.delete(`/api/forms/${code}`);
  await api.post('/api/entity/restore', { entityType: 'form', entitySortKey: code });
  await page.goto(pathOf('form', code));
  const said = page.getByText('Restored after it was deleted.');
  await eventually('both texts', async () => (await said.count()) === 2);
  assert.equal(await page.getByText('Nothing that is shown here').count(), 0);
  assert.deepEqual(faults, []);
});

test('long HTML is compared by word, and side by side as pages', { skip }, async () => {
  const { page, faults } = await openWindowAs(browser, app, tenant.ownerEmail);
  const content = (word: string) => `<h1>${word}</h1><p>${'The garden is open again. '.repeat(10)}</p>`;
  const name = `s-${randomUUID()}`;
  const { id } = (await api.post('/api/template_snippets', { name, content: content('Herbs') })).body;
  await api.patch(`/api/template_snippets/${id}`, { content: content('Flowers') });
  await page.goto(pathOf('email_template_snippet', id));
  await page.locator('ins', { hasText: /^Flowers$/ }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('button', { name: 'Show as page' }).click();
  await page.frameLocator('iframe').last().getByRole('heading', { name: 'Flowers' }).waitFor();
  assert.deepEqual(faults, []);
});

test('versions that are too large for the list are read when they are compared', { skip }, async () => {
  const { page } = windowOf();
  const code = await createForm(api, { name: 'Large' });
  for (const letter of ['a', 'b', 'c', 'd']) {
    const html = letter.repeat(400_000);
    const formBuilderOptions = {
      pages: [{ name: 'page', elements: [{ type: 'html', name: 'text', html }] }],
    };
    await api.patch(`/api/forms/${code}`, { name: `Form ${letter}`, formBuilderOptions });
  }
  await page.goto(pathOf('form', code));
  await page.getByText('Changed: formBuilderOptions, name').first().waitFor();
  await page.getByRole('link', { name: 'Version 2' }).click();
  await page.getByRole('heading', { name: 'Version 2' }).waitFor();
  await page.getByText('Large', { exact: true }).last().waitFor();
  await page.getByText('Current version').click();
  await page.getByText('Form d', { exact: true }).waitFor();
});

test('older versions are shown by a button, and one of them by its address', { skip }, async () => {
  const { page } = windowOf();
  const { id } = (await api.post('/api/lists', { name: 'List 1' })).body;
  for (let version = 2; version <= 52; version += 1)
    await api.patch(`/api/lists/${id}`, { name: `List ${version}` });
  await page.goto(`${pathOf('marketing_list', id)}?version=1`);
  await page.getByText('List 52', { exact: true }).last().waitFor();
  await page.getByText('List 1', { exact: true }).last().waitFor();
  assert.equal(await page.getByRole('link', { name: /^Version/ }).count(), 50);
  await page.getByRole('button', { name: 'Show older versions' }).click();
  await page.getByText('Created', { exact: true }).waitFor();
  assert.equal(await page.getByRole('link', { name: /^Version/ }).count(), 52);
});

test('one field is restored, the restoration is undone, and the activity of the record shows both', {
  skip,
}, async () => {
  const { page, faults } = await openWindowAs(browser, app, tenant.ownerEmail);
  const { id } = (await api.post('/api/lists', { name: 'Friends', description: 'Old' })).body;
  await api.patch(`/api/lists/${id}`, { name: 'Readers', description: 'New' });
  const read = async () => (await api.get(`/api/lists/${id}`)).body;
  await page.goto(pathOf('marketing_list', id));
  await page.getByRole('link', { name: 'Version 1' }).click();
  await page.getByText('description', { exact: true }).last().click();
  await page.getByRole('button', { name: 'Restore 1 field' }).click();
  // A message stays while the pointer is on it.
  await page.getByText('Restored from version 1').hover();
  const restored = await read();
  assert.deepEqual([restored.name, restored.description], ['Friends', 'New']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually('the undo', async () => (await read()).name === 'Readers');
  await page.getByRole('link', { name: 'Activity' }).last().click();
  await page.getByText('Changed by Owner (you): Name', { exact: true }).first().waitFor();
  assert.equal(await page.getByText(/^Changed by/).count(), 3);
  assert.deepEqual(faults, []);
});

test('a viewer sees the history and not the way back, and a stranger nothing', { skip }, async () => {
  const { id } = (await api.post('/api/lists', { name: 'Friends' })).body;
  await api.patch(`/api/lists/${id}`, { name: 'Readers' });
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page } = await openWindowAs(browser, app, viewer.email);
  await page.goto(`${pathOf('marketing_list', id)}?version=1`);
  await restoreButton(page).waitFor();
  assert.equal(await restoreButton(page).getAttribute('aria-disabled'), 'true');
  const stranger = await createMember(tenant, []);
  const { page: other } = await openWindowAs(browser, app, stranger.email);
  await other.goto(pathOf('marketing_list', id));
  await other.getByRole('heading', { name: 'No such record' }).waitFor();
});
