import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api, code: tenantCode, defaultUnitId } = await app.createTenant();

const options = {
  themeName: 'sharp',
  colorPalette: 'dark',
  isPanelless: true,
  backgroundImage: 'https://example.com/a.png',
  backgroundImageFit: 'cover',
  backgroundImageAttachment: 'fixed',
  backgroundOpacity: 0.5,
  primaryColor: '#19b394',
  header: { height: 256, inheritWidthFrom: 'container', logoPositionX: 'right', overlapEnabled: false },
  cssVariables: { '--sjs-primary-backcolor': '#19b394' },
  unknownOption: { kept: ['as', 'is'] },
};
const body = (more: object = {}) => ({ name: 'Dark', formBuilderThemeOptions: options, ...more });

test('a theme is created, read, replaced and deleted, and every version stays readable', async () => {
  const created = await api.post('/api/form_themes', body());
  const warning = {
    field: 'formBuilderThemeOptions.unknownOption',
    message: 'is not a theme option; it is stored but has no effect',
  };
  assert.deepEqual(created.body, { code: created.body.code, warnings: [warning] });
  const path = `/api/form_themes/${created.body.code}`;
  const read = (await api.get(path)).body;
  assert.deepEqual(read.formBuilderThemeOptions, options);
  assert.deepEqual([read.name, read.version, read.business_unit], ['Dark', 1, defaultUnitId]);
  const replaced = await api.put(path, body({ name: 'Light', formBuilderThemeOptions: {} }));
  assert.deepEqual(replaced.body, { success: true, code: created.body.code });
  assert.deepEqual((await api.get(path)).body.formBuilderThemeOptions, {});
  assert.deepEqual((await api.delete(path)).body, { code: created.body.code });
  await api.get(path, 404);
  await api.put(path, body(), 404);
  await api.delete(path, 404);
  const key = `entityType=form_theme&entitySortKey=${created.body.code}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.deepEqual(
    versions.map((version: { data: { name: string } }) => version.data.name),
    ['Dark', 'Light'],
  );
  const deleted = (await api.get('/api/entity/deleted-records?entityType=form_theme')).body;
  assert.deepEqual(
    deleted.map((entry: { pk: string; sk: string }) => [entry.pk, entry.sk]),
    [
      [`${tenantCode}#form_theme#DELETED`, created.body.code],
      [`${tenantCode}#form_theme#UPDATED`, `${created.body.code}#VERSION-1`],
    ],
  );
});

test('unknown options are named in a warning, including those of the header', async () => {
  const misspelt = {
    primaryColour: '#19b394',
    headerView: 'advanced',
    header: { hight: 100, mobileHeight: 50 },
  };
  const { code, warnings } = (await api.post('/api/form_themes', body({ formBuilderThemeOptions: misspelt })))
    .body;
  const fields = (list: { field: string }[]) => list.map(({ field }) => field);
  const expected = ['formBuilderThemeOptions.primaryColour', 'formBuilderThemeOptions.header.hight'];
  assert.deepEqual(fields(warnings), expected);
  const again = await api.put(`/api/form_themes/${code}`, body({ formBuilderThemeOptions: misspelt }));
  assert.deepEqual(fields(again.body.warnings), expected);
  await api.delete(`/api/form_themes/${code}`);
});

test('a theme has a maximum size, because pages of forms contain it completely', async () => {
  const formBuilderThemeOptions = { text: 'x'.repeat(2 * 1024 * 1024) };
  const refused = (
    await api.post('/api/form_themes', body({ formBuilderThemeOptions, name: 'x'.repeat(501) }), 400)
  ).body;
  assert.deepEqual(
    refused.issues.map(({ field }: { field: string }) => field),
    ['name', 'formBuilderThemeOptions'],
  );
});

test('a list filters by name and time, searches names, and works without filters', async () => {
  for (const name of ['Ocean blue', 'Ocean green', 'Desert'])
    await api.post('/api/form_themes', body({ name }));
  const list = async (more: object) =>
    (await api.post('/api/form_themes/list', { page: 1, limit: 10, ...more })).body;
  const names = (answer: { results: { name: string }[] }) => answer.results.map((theme) => theme.name);
  assert.deepEqual(names(await list({})), ['Desert', 'Ocean green', 'Ocean blue']);
  assert.deepEqual(names(await list({ search: 'ocean blue' })), ['Ocean blue']);
  assert.deepEqual(names(await list({ filters: { name: { operation: 'like', value: 'OCEAN' } } })), [
    'Ocean green',
    'Ocean blue',
  ]);
  assert.equal((await list({ filters: { created_at: { operation: 'lte', value: '2001-01-01' } } })).total, 0);
  const refused = await api.post(
    '/api/form_themes/list',
    { page: 1, limit: 10, filters: { active: { operation: 'eq', value: true } } },
    400,
  );
  assert.equal(refused.body.issues[0].field, 'filters.active');
});

for (const [what, change, field] of [
  ['no name', { name: undefined }, 'name'],
  ['no options', { formBuilderThemeOptions: undefined }, 'formBuilderThemeOptions'],
  [
    'an unknown palette',
    { formBuilderThemeOptions: { colorPalette: 'sepia' } },
    'formBuilderThemeOptions.colorPalette',
  ],
  [
    'an opacity over 1',
    { formBuilderThemeOptions: { backgroundOpacity: 1.1 } },
    'formBuilderThemeOptions.backgroundOpacity',
  ],
  [
    'an opacity under 0',
    { formBuilderThemeOptions: { backgroundOpacity: -0.1 } },
    'formBuilderThemeOptions.backgroundOpacity',
  ],
  [
    'an unknown image fit',
    { formBuilderThemeOptions: { backgroundImageFit: 'fill' } },
    'formBuilderThemeOptions.backgroundImageFit',
  ],
  [
    'isPanelless that is no boolean',
    { formBuilderThemeOptions: { isPanelless: 1 } },
    'formBuilderThemeOptions.isPanelless',
  ],
  [
    'a CSS variable that is no text',
    { formBuilderThemeOptions: { cssVariables: { '--a': 1 } } },
    'formBuilderThemeOptions.cssVariables.--a',
  ],
] as const) {
  test(`a theme with ${what} is rejected by name`, async () => {
    const answer = await api.post('/api/form_themes', body(change), 400);
    assert.equal(answer.body.code, 'INVALID_REQUEST');
    assert.deepEqual(
      answer.body.issues.map((issue: { field: string }) => issue.field),
      [field],
    );
  });
}
