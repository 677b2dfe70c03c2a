/** Restored records have their JSON as it was written: numbers with all digits, names in their order. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Answer } from '../../../../test/harness/client.ts';
import { createProject } from '../../../../test/harness/documents.ts';
import { formBody } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
const { id: project } = await createProject(api);
const form = (await api.post('/api/forms', formBody())).body.code;

/** Members that parsing and copying would alter. */
const FIRST = [
  '"big":12345678901234567890',
  '"10":1.0',
  '"9":1e400',
  '"b":-0',
  '"a":{"2":"x","1":{"z":9007199254740993,"0":1E+2}}',
  '"A":0.10',
  '"a ":[12345678901234567890.5,{"b":1.50,"a":2}]',
  '"constructor":{"toString":1.0,"b":1,"a":0.0000001}',
  '"__proto__x":1e-400',
  `"deep":${'['.repeat(60)}1.0${']'.repeat(60)}`,
];
/** The same names in another order; some values differ only beyond the precision of a double. */
const SECOND = [
  '"deep":[2.0]',
  '"b":-1.0',
  '"9":1e401',
  '"big":12345678901234567891',
  '"10":1.10',
  '"a ":[12345678901234567890.6]',
  '"A":0.20',
  '"a":{"1":{"0":1E+3,"z":9007199254740995},"2":"y"}',
  '"__proto__x":1e-401',
  '"constructor":2.0',
];
const [ONE, TWO] = [`{${FIRST.join(',')}}`, `{${SECOND.join(',')}}`];

/** A kind of record with a member that holds JSON. */
interface Kind {
  readonly member: string;
  /** Returns the member's value, as JSON that includes this one. */
  readonly around?: (value: string) => string;
  /** Other members of the body. */
  readonly rest: (name: string) => object;
  /** Path of the collection; records of projects are written there with PUT. */
  readonly path: string;
  /** Member of the response that names the record. */
  readonly key: string;
}

const inProject = (kind: string) => ({ path: `/api/pages/${project}/${kind}`, key: 'id' });
const MODEL = { label: 'Page', format: 'page', repeatable: true, status: true };
const KINDS: Readonly<Record<string, Kind>> = {
  form: {
    member: 'formBuilderOptions',
    around: (value) => `{"pages":[{"name":"p","elements":[{"type":"text","name":"q","free":${value}}]}]}`,
    rest: (name) => formBody({ name }),
    path: '/api/forms',
    key: 'code',
  },
  form_theme: {
    member: 'formBuilderThemeOptions',
    rest: (name) => ({ name }),
    path: '/api/form_themes',
    key: 'code',
  },
  webhook: {
    member: 'test_data',
    rest: (name) => ({
      name,
      event: { event_type: 'form.submission', form_code: form },
      target: { url: 'https://hooks.example/' },
    }),
    path: '/api/webhooks',
    key: 'id',
  },
  ai_assistant: {
    member: 'llmConfiguration',
    around: (value) =>
      `{"system":"S","temperature":0.50,"model":"any","max_tokens":100,"tools":[{"name":"find","description":"F",
        "input_schema":{"type":"object","properties":${value},"required":[]}}]}`,
    rest: (name) => ({ name, description: 'D' }),
    path: '/api/ai/assistants',
    key: 'id',
  },
  user_journey: {
    member: 'steps',
    around: (value) =>
      `[{"key":"call","type":"http_request","method":"POST","url":"https://hooks.example/","body":${value}}]`,
    rest: (name) => ({ name, active: false, trigger: { type: 'manual' } }),
    path: '/api/journeys',
    key: 'id',
  },
  automation: {
    member: 'actions',
    around: (value) => `[{"key":"note","name":"Note","actionTypeKey":"log","params":{"message":${value}}}]`,
    rest: (key) => ({ key, name: key, app: 'a', active: false, triggerType: 'webhook', triggerParams: {} }),
    path: '/api/automations',
    key: 'key',
  },
  entity: {
    member: 'fields',
    // Defaults reject numbers beyond the range of a double.
    around: (value) => `[{"name":"data","type":"json","default":${value.replace(/"9":1e40.,/, '')}}]`,
    rest: (name) => ({ name }),
    path: '/api/entities',
    key: 'name',
  },
  pages_document_model: {
    member: 'json',
    around: (value) => `{"Main":{"10":{"type":"Text","config":${value}},"9":{"type":"Text"}}}`,
    rest: (id) => ({ ...MODEL, id }),
    ...inProject('document-model'),
  },
  pages_slice_model: {
    member: 'variations',
    around: (value) => `[{"id":"v","free":${value}}]`,
    rest: (id) => ({ id, name: 'Hero' }),
    ...inProject('slice-model'),
  },
};

/** Removes blanks between tokens, which are not preserved. */
const compact = (text: string) => text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_all, quoted) => quoted ?? '');

function includes({ text }: Answer, value: string): void {
  assert.ok(compact(text).includes(compact(value)), `${value} in ${text}`);
}

async function send(method: string, path: string, rawBody: string): Promise<Answer> {
  const answer = await api.send(method, path, { rawBody });
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer;
}

const restore = (entityType: string, entitySortKey: string, more: object = {}) =>
  api.post('/api/entity/restore', { entityType, entitySortKey, ...more });

for (const [entityType, { member, around = (value: string) => value, rest, path, key }] of Object.entries(
  KINDS,
))
  test(`a ${entityType} is restored with its JSON as written`, async () => {
    const name = `r_${randomUUID().replaceAll('-', '_')}`;
    const [one, two] = [around(ONE), around(TWO)];
    const body = (value: string) => `${JSON.stringify(rest(name)).slice(0, -1)},"${member}":${value}}`;
    const isInProject = path.startsWith('/api/pages/');
    const created = await send(isInProject ? 'PUT' : 'POST', path, body(one));
    const id: string = created.body[key];
    const record = `${path}/${id}`;
    const sortKey = isInProject ? `${project}#${id}` : id;
    const read = () => api.get(record);
    includes(await read(), one);
    const named = isInProject ? `"id":"${id}",` : '';
    await send('PATCH', isInProject ? path : record, `{${named}"${member}":${two}}`);
    includes(await read(), two);

    const dry = await restore(entityType, sortKey, { version: 1, dry_run: true });
    assert.deepEqual(dry.body.changed_fields, [member]);
    includes(await read(), two);
    await restore(entityType, sortKey, { version: 1 });
    includes(await read(), one);
    await restore(entityType, sortKey, { version: 2, fields: [member] });
    includes(await read(), two);

    for (const [more, expected] of [
      [{}, two],
      [{ version: 1 }, one],
      [{ version: 2, fields: [member] }, two],
    ] as const) {
      await api.delete(record);
      await restore(entityType, sortKey, { ...more, dry_run: true });
      await api.get(record, 404);
      await restore(entityType, sortKey, more);
      includes(await read(), expected);
    }
    const versions = await api.get(
      `/api/entity/versions?entityType=${entityType}&entitySortKey=${encodeURIComponent(sortKey)}`,
    );
    assert.equal(compact(versions.text).split(compact(one)).length - 1, 3);
    assert.equal(compact(versions.text).split(compact(two)).length - 1, 4);
  });

const settingsPath = (id: string) => `/api/pages/${id}/site-settings`;

/** Settings in two versions, and their restoration in part. */
async function createSettings(first: readonly string[], second: readonly string[]) {
  const { id } = await createProject(api);
  for (const members of [first, second]) await send('PUT', settingsPath(id), `{${members.join(',')}}`);
  const restoreThese = (more: object) => restore('pages_site_settings', `${id}#site_settings`, more);
  return { id, restoreThese, read: () => api.get(settingsPath(id)) };
}

test('members of free-form settings are restored as written', async () => {
  const { restoreThese, read } = await createSettings(FIRST, SECOND);
  const dry = await restoreThese({ version: 1, dry_run: true });
  assert.equal(dry.body.changed_fields.length, FIRST.length);
  includes(await read(), SECOND.join(','));
  await restoreThese({ version: 1 });
  includes(await read(), FIRST.join(','));
  await restoreThese({ version: 2 });
  includes(await read(), SECOND.join(','));
});

for (const [index, member] of FIRST.entries())
  test(`only a named member of free-form settings is restored: ${member.slice(0, 40)}`, async () => {
    const { restoreThese, read } = await createSettings(FIRST, SECOND);
    const name = Object.keys(JSON.parse(`{${member}}`))[0] ?? '';
    const { body } = await restoreThese({ version: 1, fields: [name] });
    assert.deepEqual(body.changed_fields, [name]);
    const place = SECOND.findIndex((each) => each.startsWith(`"${name}":`));
    includes(await read(), SECOND.with(place, FIRST[index] ?? '').join(','));
  });

test('deleted free-form settings are restored as written', async () => {
  const { id, restoreThese, read } = await createSettings(FIRST, SECOND);
  const place = SECOND.findIndex((each) => each.startsWith('"big":'));
  for (const [more, expected] of [
    [{}, SECOND],
    [{ version: 1 }, FIRST],
    [{ version: 2 }, SECOND],
    [{ version: 1, fields: ['big'] }, SECOND.with(place, FIRST[0] ?? '')],
  ] as const) {
    await api.delete(`/api/pages/project_metadata/${id}`);
    await restore('pages_project_metadata', id);
    await restoreThese({ ...more, dry_run: true });
    await restoreThese(more);
    includes(await read(), expected.join(','));
  }
});

test('changes are stored as written', async () => {
  const { id, restoreThese, read } = await createSettings(FIRST, SECOND);
  const change = (changes: string) =>
    send(
      'POST',
      '/api/entity/restore',
      `{"entityType":"pages_site_settings","entitySortKey":"${id}#site_settings","version":1,"changes":${changes}}`,
    );
  await change('{"big":98765432109876543210,"11":2.50}');
  const expected = [...FIRST.with(0, '"big":98765432109876543210'), '"11":2.50'];
  includes(await read(), expected.join(','));
  await api.delete(`/api/pages/project_metadata/${id}`);
  await restore('pages_project_metadata', id);
  await change('{"big":98765432109876543211,"11":2.5000}');
  includes(await read(), [...FIRST.with(0, '"big":98765432109876543211'), '"11":2.5000'].join(','));
  await restoreThese({ version: 1, fields: ['big'] });
  includes(await read(), [...FIRST, '"11":2.5000'].join(','));
});

test('a version does not restore a state that the record no longer has', async () => {
  const { id, restoreThese, read } = await createSettings(['"a":1', '"active":true', '"b":1'], ['"a":2']);
  await restoreThese({ version: 1 });
  includes(await read(), '"a":1,"b":1}');
  await api.delete(`/api/pages/project_metadata/${id}`);
  await restore('pages_project_metadata', id);
  await restoreThese({ version: 1 });
  includes(await read(), '"a":1,"b":1}');
  await restoreThese({ version: 1, fields: ['active'] });
  includes(await read(), '"a":1,"b":1,"active":true}');
});
