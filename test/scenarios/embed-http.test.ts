import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import type { CallOptions } from '../harness/client.ts';
import { createForm, goodAnswers } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const ALLOWED = 'https://shop.example';
const FOREIGN = 'https://evil.example';
const goodBody = { email_address: 'ada@example.com', form_data: goodAnswers };
const from = (origin: string): CallOptions => ({ headers: { origin } });

const app = await startTestApp();

/** Reads a path in this encoding, and decodes the response. */
async function readDecoded(path: string, encoding: string) {
  const response = await fetch(app.url + path, { headers: { 'accept-encoding': encoding } });
  assert.equal(response.status, 200);
  return { headers: response.headers, text: await response.text() };
}

suite('embedding over HTTP', async () => {
  const { api } = await app.createTenant();
  const newForm = async (more: object = {}) => {
    const code = await createForm(api, { allowed_origins: [ALLOWED], ...more });
    const publicCode: string = (await api.get(`/api/forms/${code}`)).body.public_code;
    return { code, page: `/embed/${publicCode}`, submissions: `/embed/${publicCode}/submissions` };
  };
  const countSubmissions = async (code: string) => {
    const filters = { form_code: { operation: 'eq', value: code } };
    return (await api.post('/api/form_submissions/list', { page: 1, limit: 10, filters })).body.total;
  };
  const readPage = async (page: string) => {
    const html = (await app.anonymous.get(page)).text;
    const [, json = ''] = /id="tessera-form">(.*?)<\/script>/s.exec(html) ?? [];
    return JSON.parse(json);
  };
  const form = await newForm();

  for (const [what, origins, ancestors] of [
    ['every origin', ['*'], '*'],
    ['listed origins', [ALLOWED, 'http://localhost:8080'], `${ALLOWED} http://localhost:8080`],
    ['no origin', [], "'none'"],
  ] as const) {
    test(`a form that allows ${what} may be framed by exactly those`, async () => {
      const { page } = await newForm({ allowed_origins: origins });
      const { headers } = await app.anonymous.get(page);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('x-frame-options'), null);
      assert.equal(headers.get('cache-control'), 'no-store');
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self'; /);
      assert.equal(policy.split('; ').at(-1), `frame-ancestors ${ancestors}`);
    });
  }

  test('an unknown theme leaves the form unchanged', async () => {
    const plain = await app.anonymous.get(form.page);
    const asked = await app.anonymous.get(`${form.page}?theme=no-such-theme`);
    assert.equal(asked.text, plain.text);
  });

  test('a page uses themes of its own unit, and none of an archived one', async () => {
    const newUnit = async (name: string): Promise<string> =>
      (await api.post('/api/client/v1/business-units', { name })).body.bu_id;
    const newTheme = async (primaryColor: string, business_unit?: string): Promise<string> => {
      const theme = { name: 'Internal name', formBuilderThemeOptions: { primaryColor }, business_unit };
      return (await api.post('/api/form_themes', theme)).body.code;
    };
    const west = await newUnit('West');
    const [own, foreign] = [await newTheme('#111111'), await newTheme('#222222', west)];
    const { page } = await newForm({ theme_code: foreign });
    const accentOf = async (path: string) =>
      /--sjs-primary-backcolor:(#\w+)/.exec((await app.anonymous.get(path)).text)?.[1];
    const withoutTheme = await accentOf(form.page);
    assert.equal(await accentOf(`${page}?theme=${own}`), '#111111');
    assert.equal(await accentOf(page), '#222222');
    assert.equal(await accentOf(`${form.page}?theme=${foreign}`), withoutTheme);
    await api.post(`/api/client/v1/business-units/${west}/archive`, undefined);
    assert.equal(await accentOf(page), withoutTheme);
  });

  test('the page reveals nothing of the form beyond what it shows', async () => {
    const { page } = await newForm({ name: 'Internal name' });
    assert.doesNotMatch((await app.anonymous.get(page)).text, /Internal name/);
  });

  test('the files of the page are below the path of PUBLIC_URL', async () => {
    const behind = await startTestApp({ PUBLIC_URL: 'https://tools.example/tessera/' });
    const { api: member } = await behind.createTenant();
    const { public_code } = (await member.get(`/api/forms/${await createForm(member)}`)).body;
    const { text } = await behind.anonymous.get(`/embed/${public_code}`);
    assert.match(text, /src="\/tessera\/embed\/assets\/embed-page\.js"/);
  });

  test('the page of an unknown or inactive form is a 404 that may be framed; only the latter has a brand', async () => {
    const inactive = await newForm({ active: false });
    const pages = [
      await app.anonymous.get('/embed/unknown', 404),
      await app.anonymous.get(inactive.page, 404),
    ];
    for (const { headers, text } of pages) {
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors \*$/);
      assert.match(text, /This form is not available/);
    }
    assert.deepEqual(
      pages.map(({ text }) => text.includes('class="brand"')),
      [false, true],
    );
    const { body } = await app.anonymous.post(inactive.submissions, goodBody, 404);
    assert.equal(body.code, 'FORM_NOT_FOUND');
  });

  test('a preflight allows submissions only to pages of allowed origins', async () => {
    const allowed = await app.anonymous.send('OPTIONS', form.submissions, from(ALLOWED));
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get('access-control-allow-origin'), ALLOWED);
    assert.equal(allowed.headers.get('access-control-allow-methods'), 'POST');
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /content-type/);
    assert.equal(allowed.headers.get('vary'), 'Origin');
    for (const origin of [FOREIGN, 'null', `${ALLOWED}.evil.example`, 'http://shop.example']) {
      const refused = await app.anonymous.send('OPTIONS', form.submissions, from(origin));
      assert.equal(refused.status, 403);
      assert.equal(refused.headers.get('access-control-allow-origin'), null);
    }
  });

  for (const [what, body, status] of [
    ['an accepted submission', goodBody, 200],
    ['wrong answers', { ...goodBody, form_data: {} }, 400],
    ['a malformed body', { form_data: goodAnswers }, 400],
  ] as const) {
    test(`a page of an allowed origin can read the response to ${what}`, async () => {
      const answer = await app.anonymous.post(form.submissions, body, status, from(ALLOWED));
      assert.equal(answer.headers.get('access-control-allow-origin'), ALLOWED);
    });
  }

  test('a submission from a foreign origin is rejected and stores nothing', async () => {
    const { code, submissions } = await newForm();
    const answer = await app.anonymous.post(submissions, goodBody, 403, from(FOREIGN));
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    assert.equal(await countSubmissions(code), 0);
  });

  test('the form page itself and callers without an origin may always submit', async () => {
    const { code, submissions } = await newForm({ allowed_origins: [] });
    await app.anonymous.post(submissions, goodBody, 200, from(app.url));
    await app.anonymous.post(submissions, goodBody);
    assert.equal(await countSubmissions(code), 2);
  });

  test('a filled honeypot gets a success response and marks the submission', async () => {
    const actions = [{ type: 'redirect', url: 'https://shop.example/thanks' }];
    const { code, submissions } = await newForm({ post_submit_actions: actions });
    const response = await app.anonymous.post(submissions, { ...goodBody, website: 'https://spam.example' });
    const real = await app.anonymous.post(submissions, { ...goodBody, website: '' });
    assert.deepEqual(Object.keys(response.body), Object.keys(real.body));
    assert.deepEqual(response.body.actions, real.body.actions);
    assert.match(response.body.submission_id, /^[0-9a-f-]{36}$/);
    assert.equal(await countSubmissions(code), 2);
    const eventsOf = async (id: string) =>
      (await api.get(`/api/form_submissions/${id}`)).body.events.map(({ type }: { type: string }) => type);
    assert.deepEqual(await eventsOf(response.body.submission_id), ['received', 'suspicious']);
    assert.deepEqual(await eventsOf(real.body.submission_id), ['received']);
  });

  test("a page's time zone determines the current day; an invalid name is ignored", async () => {
    const validators = [{ type: 'expression', expression: '{day} = today()' }];
    const elements = [{ type: 'text', inputType: 'date', name: 'day', validators }];
    const { submissions } = await newForm({ formBuilderOptions: { pages: [{ name: 'p', elements }] } });
    const zones = ['Pacific/Kiritimati', 'Etc/GMT+12'];
    for (const [index, timeZone] of zones.entries()) {
      const day = new Intl.DateTimeFormat('sv', { timeZone }).format(new Date());
      const body = { email_address: 'ada@example.com', form_data: { day } };
      for (const time_zone of [timeZone, undefined, 'Mars/Olympus', '', 'x'.repeat(1000)])
        await app.anonymous.post(submissions, { ...body, time_zone });
      const other = { ...body, time_zone: zones[1 - index] };
      const refused = await app.anonymous.post(submissions, other, 400);
      assert.deepEqual([refused.body.code, refused.body.issues[0].field], ['INVALID_SUBMISSION', 'day']);
    }
  });

  test('errors have the code of submissions', async () => {
    for (const [body, field] of [
      [{ ...goodBody, email_address: 'nobody' }, 'email_address'],
      [{ ...goodBody, form_data: { ...goodAnswers, satisfied: 'maybe' } }, 'satisfied'],
      [{ ...goodBody, form_data: { ...goodAnswers, unknown: 1 } }, 'unknown'],
      [{ ...goodBody, form_data: 'text' }, 'form_data'],
    ] as const) {
      const answer = await app.anonymous.post(form.submissions, body, 400);
      assert.equal(answer.body.code, 'INVALID_SUBMISSION');
      assert.deepEqual(
        answer.body.issues.map((issue: { field: string }) => issue.field),
        [field],
      );
    }
  });

  test('the page knows which question asks for the address, or adds one', async () => {
    const text = (name: string, more: object = {}) => ({ type: 'text', name, ...more });
    const questionOf = async (elements: readonly object[], email_question?: string) => {
      const { page } = await newForm({
        formBuilderOptions: { pages: [{ name: 'p', elements }] },
        email_question,
      });
      const { plain } = await readPage(page);
      return plain.isEmailAdded ? null : plain.emailQuestion;
    };
    const typed = text('contact', { inputType: 'email' });
    assert.equal(await questionOf([text('a'), typed, text('email')]), 'contact');
    assert.equal(await questionOf([text('a'), text('email_address'), typed]), 'email_address');
    assert.equal(await questionOf([text('a'), typed], 'a'), 'a');
    assert.equal(await questionOf([text('a')]), null);
  });

  test('the page is compressed if the browser accepts brotli', async () => {
    const asked = (accepted: string) => readDecoded(form.page, accepted);
    const [packed, plain] = [await asked('gzip, deflate, br'), await asked('gzip')];
    assert.equal(packed.headers.get('content-encoding'), 'br');
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(packed.headers.get('vary'), 'Accept-Language, Accept-Encoding');
    assert.equal(packed.text, plain.text);
  });

  test('assets are compressed, and not sent again while unchanged', async () => {
    for (const path of ['/embed.js', '/embed/assets/embed-page.js', '/embed/assets/plain-form.css']) {
      const plain = await app.anonymous.get(path, 200, { headers: { 'accept-encoding': 'identity' } });
      assert.equal(plain.headers.get('content-encoding'), null);
      for (const [accepted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
      ] as const) {
        const packed = await readDecoded(path, accepted);
        assert.equal(packed.headers.get('content-encoding'), encoding);
        assert.equal(packed.headers.get('vary'), 'Accept-Encoding');
        assert.equal(packed.text, plain.text);
      }
      const etag = plain.headers.get('etag') ?? '';
      const again = await app.anonymous.get(path, 304, { headers: { 'if-none-match': etag } });
      assert.equal(again.text, '');
      await app.anonymous.get(path, 200, { headers: { 'if-none-match': 'W/"other"' } });
    }
    await app.anonymous.get('/embed/assets/package.json', 404);
  });
});
