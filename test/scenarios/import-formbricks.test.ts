/** `tessera import formbricks`: surveys become forms. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { importFormbricks, importFormbricksFile } from '../../src/cli/moving/formbricks.ts';
import { freshFolder } from '../harness/fresh-database.ts';
import { newStateFile, runImport } from '../harness/imports.ts';
import { runTessera } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();

const de = (text: string, german: string) => ({ default: text, 'de-DE': german });
const en = (text: string) => ({ default: text });
const choice = (id: string, label: object) => ({ id, label });
const question = (id: string, type: string, more: object = {}) => ({
  ...{ id, type, headline: en(`Question ${id}`), required: false, isDraft: true, ...more },
});
const survey = (id: string, more: object = {}) => ({
  ...{ id, name: `Survey ${id}`, type: 'link', status: 'inProgress', environmentId: 'e', createdBy: null },
  ...{ welcomeCard: { enabled: false, timeToFinish: false, showResponseCount: false }, questions: [] },
  ...{ hiddenFields: { enabled: false, fieldIds: [] }, variables: [], followUps: [], triggers: [] },
  ...{
    endings: [],
    styling: null,
    segment: null,
    singleUse: null,
    recaptcha: null,
    pin: null,
    languages: [],
  },
  ...{ isVerifyEmailEnabled: false, autoComplete: null, delay: 0, displayOption: 'displayOnce', ...more },
});
const part = (show: boolean, required = false, placeholder = '') => ({
  ...{ show, required, placeholder: en(placeholder) },
});

const FULL = survey('full', {
  blocks: [
    {
      id: 'b1',
      name: 'Block 1',
      buttonLabel: de('Next', 'Weiter'),
      elements: [
        question('mail', 'openText', {
          headline: de('<p class="fb-editor-paragraph"><b>Your</b> address</p>', '<p>Deine Adresse</p>'),
          ...{ inputType: 'email', required: true, placeholder: de('you@example.org', 'du@example.org') },
          charLimit: { enabled: true, min: 5, max: 100 },
        }),
        question('colour', 'multipleChoiceSingle', {
          choices: [
            choice('c1', de('Red', 'Rot')),
            choice('c2', de('Blue', 'Blau')),
            choice('other', de('Another', 'Andere')),
          ],
          ...{ shuffleOption: 'exceptLast', otherOptionPlaceholder: en('Which?') },
        }),
      ],
      logic: [{ id: 'l1', conditions: {}, actions: [] }],
    },
    {
      id: 'b2',
      name: 'Block 2',
      elements: [
        question('why', 'openText', {
          headline: en(
            'Why #recall:colour/fallback:thisnbspcolour# and #recall:source/fallback:mynbspsite#?',
          ),
          ...{ longAnswer: true, imageUrl: 'https://forms.example/a.png', videoUrl: 'https://v.example/1' },
          validation: {
            logic: 'and',
            rules: [
              { id: 'r1', type: 'minLength', params: { min: 3 } },
              { id: 'r2', type: 'contains', params: { value: 'x' } },
            ],
          },
        }),
        question('fruits', 'multipleChoiceMulti', {
          choices: [choice('f1', en('Apple')), choice('f2', en('Pear')), choice('none', en('None'))],
          validation: { logic: 'and', rules: [{ id: 'r', type: 'maxSelections', params: { max: 1 } }] },
        }),
        question('nps', 'nps', { lowerLabel: en('No'), upperLabel: en('Yes') }),
        question('stars', 'rating', { scale: 'star', range: 7, required: true }),
        question('ease', 'ces', { scale: 'number', range: 7 }),
        question('consent', 'consent', { label: en('I agree'), required: true }),
        question('more', 'cta', {
          ...{
            subheader: en('<p>Read on</p>'),
            buttonExternal: true,
            buttonUrl: 'https://a.example/?a=1&b=2',
          },
          ctaButtonLabel: en('Go & on'),
        }),
        question('picture', 'pictureSelection', {
          ...{ allowMulti: true, choices: [{ id: 'p1', imageUrl: 'https://forms.example/1.png' }] },
        }),
        question('day', 'date', { format: 'd-M-y' }),
        question('cv', 'fileUpload', {
          ...{ allowMultipleFiles: false, maxSizeInMB: 2, allowedFileExtensions: ['pdf', 'png'] },
        }),
        question('grid', 'matrix', {
          rows: [
            { id: 'r1', label: en('Food') },
            { id: 'r2', label: en('Room') },
          ],
          columns: [
            { id: 'k1', label: en('Bad') },
            { id: 'k2', label: en('Good') },
          ],
        }),
        question('place', 'address', {
          ...{ addressLine1: part(true, true, 'Street'), addressLine2: part(false), city: part(true) },
          ...{ state: part(false), zip: part(false), country: part(false) },
        }),
        question('order', 'ranking', { choices: [choice('o1', en('First')), choice('o2', en('Second'))] }),
        question('call', 'cal', { calUserName: 'me' }),
        { id: 7 },
      ],
    },
  ],
  welcomeCard: { enabled: true, headline: de('Hello', 'Hallo'), html: en('<p>Two minutes</p>') },
  endings: [
    {
      ...{ id: 'e1', type: 'endScreen', headline: de('Thanks', 'Danke'), subheader: en('<p>Bye</p>') },
      ...{ buttonLabel: en('Home'), buttonLink: 'https://a.example' },
    },
    { id: 'e2', type: 'redirectToUrl', url: 'https://a.example/2' },
  ],
  languages: [
    { default: true, enabled: true, language: { id: 'l1', code: 'en-US', alias: null } },
    { default: false, enabled: true, language: { id: 'l2', code: 'de-DE', alias: null } },
  ],
  hiddenFields: { enabled: true, fieldIds: ['source'] },
  variables: [{ id: 'v1', name: 'score', type: 'number', value: 0 }],
  followUps: [{ id: 'f1' }],
  ...{ recaptcha: { enabled: true, threshold: 0.5 }, pin: '1234', autoComplete: 100 },
  ...{ closeOn: '2027-01-01T00:00:00.000Z', styling: { overwriteThemeStyling: true } },
});
const OLD = survey('old', {
  status: 'paused',
  questions: [
    question('name', 'openText', {
      headline: 'Your name',
      logic: [{ condition: 'skipped', destination: 'end' }],
    }),
    question('grid', 'matrix', { rows: [en('Food')], columns: [en('Bad'), en('Good')], required: true }),
  ],
  thankYouCard: { enabled: true, headline: en('Thanks') },
  languages: [{ default: true, enabled: true, code: 'de' }],
});
const REDIRECT = survey('redirect', {
  questions: [question('a', 'contactInfo', { email: part(true, true, 'Mail'), phone: part(true) })],
  endings: [{ id: 'e', type: 'redirectToUrl', url: 'https://a.example/thanks' }],
});
const SURVEYS = [
  FULL,
  OLD,
  REDIRECT,
  survey('empty', { questions: [question('pay', 'payment')] }),
  { name: 'odd', blocks: 7 },
];

/** A server that answers as Formbricks does. */
async function startFormbricks(surveys: readonly unknown[] = SURVEYS) {
  const source = await startReceiver();
  source.answer = ({ path, headers }, response) => {
    const { pathname, searchParams: query } = new URL(path, source.url);
    if (headers['x-api-key'] !== 'fbk_secret' || pathname !== '/api/v1/management/surveys')
      return response.writeHead(401).end('{"code":"not_authenticated","message":"Not authenticated"}');
    const offset = Number(query.get('offset'));
    response.end(JSON.stringify({ data: surveys.slice(offset, offset + Number(query.get('limit'))) }));
  };
  return source;
}

interface Run {
  readonly from: string;
  readonly state: string;
}

const importApplied = (tenant: TestTenant, run: Run) => {
  const target = { url: app.url, apiKey: tenant.apiKey };
  return runImport(importFormbricks, target, { ...run, token: 'fbk_secret' });
};

const formsOf = async ({ api }: TestTenant) =>
  (await api.post('/api/forms/list', { page: 1, limit: 100, filters: {} })).body.results;

async function formOf(tenant: TestTenant, name: string) {
  const { code } = (await formsOf(tenant)).find((each: { name: string }) => each.name === name);
  return (await tenant.api.get(`/api/forms/${code}`)).body;
}

test('a dry run of Formbricks counts, writes nothing and needs the key', async () => {
  const [tenant, source] = [await app.createTenant(), await startFormbricks()];
  const args = ['import', 'formbricks', source.url, '--state', await newStateFile()];
  const env = { TESSERA_URL: app.url, TESSERA_API_KEY: tenant.apiKey, SOURCE_TOKEN: 'fbk_secret' };
  const { code, output } = await runTessera(args, env);
  assert.equal(code, 0, output);
  assert.match(output, /^To import:\n {2}3 forms\n/m);
  assert.match(output, /^ {2}responses: a submission would have the date of the import/m);
  assert.deepEqual(await formsOf(tenant), []);
  const refused = await runTessera(args, { ...env, SOURCE_TOKEN: 'no' });
  assert.equal(refused.code, 1);
  assert.equal(
    refused.errors,
    'Formbricks answered 401 to /api/v1/management/surveys; set SOURCE_TOKEN to an API key that may read surveys\n',
  );
});

test('surveys become forms once, with pages, languages and the ending', async () => {
  const [tenant, source] = [await app.createTenant(), await startFormbricks()];
  const run = { from: source.url, state: await newStateFile() };
  for (const _repeat of [1, 2]) {
    const { error, output } = await importApplied(tenant, run);
    assert.equal(error, null, output);
    assert.match(output, /^Imported:\n {2}3 forms\n/m);
    for (const line of [
      'survey Survey full: 1 more endings: a form has one',
      'survey Survey full: logic of page 1: set visibleIf of the questions instead',
      'survey Survey full: answer to source in a text: its fallback stands there instead',
      'survey Survey full, question colour: the order exceptLast of its choices has no counterpart',
      'survey Survey full, question why: its video has no counterpart',
      'survey Survey full, question why: the rule contains has no counterpart',
      'survey Survey full, question call: the type cal has no counterpart',
      'survey Survey full, a question: the data has unexpected types',
      'survey Survey full: hidden fields source: forms take no answers from addresses',
      'survey Survey full: variables score: set calculatedValues of the form instead',
      'survey Survey full: follow-up emails: set notify of the form or an automation instead',
      'survey Survey full: PIN, limit of responses, date of closing: forms have no such setting',
      'survey Survey full: styling: set a theme of the form instead',
      'survey Survey full has a challenge instead of reCAPTCHA',
      'survey Survey old is inactive, because its status is paused',
      'survey Survey old asks for an email address at its end, as every form does',
      'survey Survey old: logic of question name: set visibleIf of the questions instead',
      'survey Survey empty: has no questions that a form can have',
      'survey odd: the data has unexpected types',
    ])
      assert.ok(output.includes(`\n  ${line}`), `${line}\n${output}`);
  }
  assert.equal((await formsOf(tenant)).length, 3);
  const full = await formOf(tenant, 'Survey full');
  assert.deepEqual([full.active, full.challenge, full.allowed_origins], [true, true, []]);
  const { pages, title, description, completedHtml, locale } = full.formBuilderOptions;
  assert.deepEqual(
    [title, description, locale],
    [{ default: 'Hello', de: 'Hallo', en: 'Hello' }, 'Two minutes', undefined],
  );
  assert.equal(completedHtml.de, '<h4>Danke</h4><p>Bye</p><p><a href="https://a.example">Home</a></p>');
  assert.deepEqual(pages[0].elements[0], {
    name: 'mail',
    title: { default: 'Your address', de: 'Deine Adresse', en: 'Your address' },
    ...{ isRequired: true, type: 'text', inputType: 'email', maxLength: 100 },
    placeholder: { default: 'you@example.org', de: 'du@example.org', en: 'you@example.org' },
    validators: [{ type: 'text', minLength: 5 }],
  });
  assert.deepEqual(pages[0].elements[1].choices[0], {
    value: 'Red',
    text: { default: 'Red', de: 'Rot', en: 'Red' },
  });
  assert.equal(pages[1].elements[1].title, 'Why {colour} and my site?');
  assert.equal(
    pages[1].elements.find(({ name }: { name: string }) => name === 'more').html,
    '<h4>Question more</h4><p>Read on</p><p><a href="https://a.example/?a=1&amp;b=2">Go &amp; on</a></p>',
  );
  const old = await formOf(tenant, 'Survey old');
  assert.deepEqual([old.active, old.formBuilderOptions.locale], [false, 'de']);
  assert.equal(old.formBuilderOptions.completedHtml, '<h4>Thanks</h4>');
  const { post_submit_actions } = await formOf(tenant, 'Survey redirect');
  assert.deepEqual(post_submit_actions, [{ type: 'redirect', url: 'https://a.example/thanks' }]);
});

test('a form from Formbricks accepts answers as its survey did', async () => {
  const [tenant, source] = [await app.createTenant(), await startFormbricks([FULL])];
  await importApplied(tenant, { from: source.url, state: await newStateFile() });
  const { code } = await formOf(tenant, 'Survey full');
  const submit = (form_data: object, status?: number) =>
    tenant.api.post(
      '/api/form_submissions',
      { form_code: code, email_address: 'a@example.org', form_data },
      status,
    );
  const answers = {
    ...{ mail: 'a@example.org', colour: 'Red', why: 'Because', fruits: ['Apple'], nps: 0, stars: 7, ease: 1 },
    ...{ consent: ['accepted'], picture: ['p1'], day: '2024-02-29', grid: { Food: 'Good' } },
    ...{ place_addressLine1: 'Road 1', order: ['Second', 'First'] },
  };
  await submit(answers);
  const wrong = { colour: 'Green', nps: 11, fruits: ['Apple', 'Pear'], consent: [], place_addressLine1: '' };
  for (const [name, value] of Object.entries(wrong)) {
    const { issues } = (await submit({ ...answers, [name]: value }, 400)).body;
    assert.deepEqual(
      issues.map(({ field }: { field: string }) => field),
      [name],
    );
  }
});

test('a JSON file of one survey, of several and of a response of the API can be imported', async () => {
  const tenant = await app.createTenant();
  const folder = await freshFolder();
  const { id: _id, ...exported } = OLD;
  for (const [index, content] of [exported, [REDIRECT], { data: FULL }].entries()) {
    const from = join(folder, `${index}.json`);
    await writeFile(from, JSON.stringify(content));
    const target = { url: app.url, apiKey: tenant.apiKey };
    const { error, output } = await runImport(importFormbricksFile, target, {
      from,
      state: await newStateFile(),
    });
    assert.equal(error, null);
    assert.match(output, /^Imported:\n {2}1 forms$/m);
  }
  assert.equal((await formsOf(tenant)).length, 3);
  const from = join(folder, 'other.json');
  await writeFile(from, 'no JSON');
  const { error } = await runImport(
    importFormbricksFile,
    { url: app.url, apiKey: tenant.apiKey },
    { from, state: await newStateFile() },
  );
  assert.equal(error, `${from} contains no survey of Formbricks as JSON`);
});
