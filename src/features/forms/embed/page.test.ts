import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { embedContentSecurityPolicy, renderEmbedPage, renderFormNotFoundPage } from './page.ts';
import type { EmbedPageData } from './page-data.ts';
import { englishTexts } from './page-texts.ts';
import { toSurveyTheme } from './theme.ts';

const surveyForm: EmbedPageData = {
  public_code: 'abc',
  name: 'Contact',
  formBuilderOptions: { pages: [{ elements: [{ type: 'text', name: 'q', visibleIf: '{a} = 1' }] }] },
  email_question: null,
  theme: null,
  language: { tag: 'en', locale: 'en', textsFile: null, direction: 'ltr' },
  challenge: false,
  purpose: 'send',
  assetBase: '',
};

/** Returns the JSON between the tags of the data element, as a browser's HTML parser would find it. */
function dataOf(html: string): unknown {
  const [, rest = ''] = html.split('<script type="application/json" id="tessera-form">');
  const [json = ''] = rest.split('</script>');
  return JSON.parse(json);
}

const textOf = (data: EmbedPageData) => renderEmbedPage(data).toString();

function formOf({ assetBase: _, name: __, purpose: ___, language, ...form }: EmbedPageData): unknown {
  const { cssVariables: _variables, ...theme } = toSurveyTheme(form.theme?.formBuilderThemeOptions ?? null);
  const formBuilderOptions = { ...form.formBuilderOptions, completeText: 'Send' };
  return { ...form, formBuilderOptions, theme, locale: language.locale, texts: englishTexts };
}

test('the page contains the form, its question and its theme', () => {
  const data = {
    ...surveyForm,
    theme: { formBuilderThemeOptions: { colorPalette: 'dark' } },
  };
  assert.deepEqual(dataOf(textOf(data)), formOf(data));
});

test("the button names the form's purpose in its language, unless the form has its own text", () => {
  const buttonOf = (more: Partial<EmbedPageData>) =>
    /"completeText":"([^"]*)"/.exec(textOf({ ...surveyForm, ...more }))?.[1];
  const language = { tag: 'de', locale: 'de', textsFile: null, direction: 'ltr' } as const;
  const other = { ...language, tag: 'fi', locale: 'fi' };
  assert.equal(buttonOf({ purpose: 'subscribe' }), 'Subscribe');
  assert.equal(buttonOf({ language }), 'Senden');
  assert.equal(buttonOf({ language, purpose: 'subscribe' }), 'Abonnieren');
  assert.equal(buttonOf({ language: other }), undefined);
  const formBuilderOptions = { ...surveyForm.formBuilderOptions, completeText: 'Go' };
  assert.equal(buttonOf({ formBuilderOptions }), 'Go');
});

test('no text of a form closes the data element or opens another', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom('</script><script>alert(1)</script>', '<!--<script>', '\u2028\u2029', ']]>'),
  );
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, title, html) => {
      const data = {
        ...surveyForm,
        name,
        formBuilderOptions: { title, pages: [{ elements: [{ type: 'html', html }] }] },
      };
      const page = textOf(data);
      assert.deepEqual(dataOf(page), JSON.parse(JSON.stringify(formOf(data))));
      assert.equal(page.match(/<script/g)?.length, 2);
      assert.equal(page.match(/<\/script/g)?.length, 2);
      assert.doesNotMatch(page.slice(page.indexOf('application/json')), /[\u2028\u2029]/);
    }),
  );
});

test('the document title is the escaped title of the form, else its name', () => {
  const titled = textOf({
    ...surveyForm,
    formBuilderOptions: { title: 'A </title><b> & "co"', pages: [] },
  });
  assert.match(titled, /<title>A &lt;\/title&gt;&lt;b&gt; &amp; &quot;co&quot;<\/title>/);
  assert.match(textOf(surveyForm), /<title>Contact<\/title>/);
});

test('the page declares its language and direction, and contains only the texts of that language', () => {
  const language = { tag: 'ar-EG', locale: 'ar', textsFile: 'ar', direction: 'rtl' } as const;
  const page = textOf({ ...surveyForm, language });
  assert.match(page, /<html lang="ar-EG" dir="rtl" /);
  assert.match(page, /<script src="\/embed\/assets\/locale-ar\.js" defer>/);
  assert.doesNotMatch(textOf(surveyForm), /locale-/);
});

test("assets are linked below the service's path", () => {
  const page = textOf({ ...surveyForm, assetBase: '/forms' });
  assert.match(page, /<script src="\/forms\/embed\/assets\/embed-page\.js" defer>/);
  assert.match(page, /<link rel="stylesheet" href="\/forms\/embed\/assets\/embed-page\.css">/);
  assert.match(textOf(surveyForm), /src="\/embed\/assets\/embed-page\.js"/);
});

test('the honeypot field is hidden from visitors and assistive software', () => {
  const page = textOf(surveyForm);
  assert.match(page, /<div class="tessera-website" aria-hidden="true">/);
  assert.match(page, /name="tessera-unused" type="text" tabindex="-1" autocomplete="one-time-code"/);
  const trap =
    /<div class="tessera-website"[\s\S]*?<\/div>/.exec(page)?.[0].replace('tessera-website', '') ?? 'website';
  for (const guessed of [
    'website',
    'url',
    'homepage',
    'company',
    'email',
    'phone',
    'name="name',
    'address',
    'organization',
    'nickname',
  ])
    assert.ok(!trap.toLowerCase().includes(guessed), guessed);
});

test('the page of a missing form loads only the file that it needs', () => {
  const page = renderFormNotFoundPage(surveyForm.language, '/forms', undefined).toString();
  assert.match(page, /This form is not available/);
  assert.deepEqual(page.match(/\b(?:src|href)=(?!"data:)"[^"]*"/g), [
    'src="/forms/embed/assets/embed-absent.js"',
  ]);
});

test('only valid origins of the list may frame the form', () => {
  const ancestors = (...origins: string[]): string | undefined =>
    /frame-ancestors (.*)$/.exec(embedContentSecurityPolicy(origins))?.[1];
  assert.equal(
    ancestors('https://a.example', 'http://localhost:3000/'),
    'https://a.example http://localhost:3000',
  );
  assert.equal(ancestors('HTTPS://A.Example', 'https://a.example:443'), 'https://a.example');
  assert.equal(
    ancestors('https://a.example/page', 'https://u@a.example', 'ftp://a', 'null', 'a.example', ''),
    "'none'",
  );
  assert.equal(ancestors('https://*.example', 'https://b.example'), 'https://b.example');
  assert.equal(ancestors('https://a.example', '*'), '*');
  assert.equal(ancestors(), "'none'");
});

test('no entry of the list adds a directive or a header', () => {
  const entry = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.string().map((text) => `https://${text}`),
    fc.constantFrom('https://a;script-src', 'https://a,b', "https://a'b", 'https://a\r\nx: y', 'https://a b'),
  );
  fc.assert(
    fc.property(fc.array(entry), (origins) => {
      const policy = embedContentSecurityPolicy(origins.filter((origin) => origin !== '*'));
      assert.equal(policy.split(';').length, 9);
      assert.match(
        policy,
        /frame-ancestors (?:'none'|https?:\/\/[a-z0-9._:-]+(?: https?:\/\/[a-z0-9._:-]+)*)$/,
      );
      assert.doesNotMatch(policy, /[\r\n,]/);
    }),
  );
});
