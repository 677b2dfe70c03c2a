/** Plain forms are shown without SurveyJS, all others by it: whoever plays a form, it looks, says and sends the same. */
import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import type { Page } from 'playwright-core';
import { LIVE_FORM, startBrowser, waitUntilStill, withoutBrowser } from '../harness/browser.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();

/** One element of each kind that a plain form may have. */
const plainDefinition = {
  title: 'Contact',
  description: 'Write to us',
  pages: [
    {
      title: 'You',
      description: 'Who you are',
      elements: [
        { type: 'text', name: 'name', title: 'Your name', isRequired: true, description: 'As on the door' },
        { type: 'text', name: 'email', title: 'Your e-mail', inputType: 'email', placeholder: 'you@there' },
        { type: 'text', name: 'age', title: 'Your age', inputType: 'number', min: 3, max: 99 },
        { type: 'text', name: 'day', title: 'When?', inputType: 'date' },
        { type: 'text', name: 'code', title: 'Short', maxLength: 20 },
        { type: 'comment', name: 'text', title: 'Message', maxLength: 500 },
      ],
    },
    {
      title: 'More',
      elements: [
        {
          type: 'radiogroup',
          name: 'one',
          title: 'One of',
          choices: [1, { value: 'two', text: 'Second' }],
          isRequired: true,
        },
        { type: 'checkbox', name: 'some', title: 'Some of', choices: ['a', 'b', 'c'] },
        { type: 'dropdown', name: 'list', title: 'From a list', choices: ['x', 'y'] },
        { type: 'boolean', name: 'terms', title: 'I agree', renderAs: 'checkbox', titleLocation: 'hidden' },
      ],
    },
  ],
};

/** The same form with a setting that plain forms do not know, and that changes nothing. */
const surveyDefinition = { ...plainDefinition, sendResultOnPageNext: false };

/** Runs in the page: where every part of the form stands, and how it is coloured. */
const lookOfParts = `(() => {
  const selectors = ['h1.sd-title', '.sd-container-modern__title .sd-description', 'h2.sd-title', '.sd-page__description',
    '.sd-question', '.sd-question__title', '.sd-question__description', '.sd-error', '.sd-error__item', '.sd-input',
    '.sd-item', '.sd-item__decorator', '.sd-item__control-label', '.sd-btn'];
  const seen = [...document.querySelectorAll(selectors.join())].filter((element) => element.checkVisibility());
  return seen.map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const { color, backgroundColor, boxShadow, borderRadius, fontSize, fontWeight } = getComputedStyle(element);
    const name = selectors.find((selector) => element.matches(selector));
    const box = [left, top + scrollY, width, height].map(Math.round);
    return { name, box, color, backgroundColor, boxShadow, borderRadius, fontSize, fontWeight };
  });
})()`;

suite('the two players of forms', { skip: withoutBrowser() }, async () => {
  const { api } = await app.createTenant();

  const newForm = async (definition: object, more: object = {}) => {
    const code = await createForm(api, { formBuilderOptions: definition, ...more });
    const { public_code } = (await api.get(`/api/forms/${code}`)).body;
    return { code, url: `${app.url}/embed/${public_code}` };
  };
  const openPage = async (url: string, width = 1280): Promise<Page> => {
    assert.ok(browser);
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(url);
    await page.waitForSelector(LIVE_FORM);
    return page;
  };
  const scripts = (page: Page) => page.evaluate<string[]>('[...document.scripts].map(({ src }) => src)');

  test('a plain form looks the same by both, in any theme and at any width', async () => {
    const themes = [null, { colorPalette: 'dark' }, { isPanelless: true, primaryColor: '#ffcc00' }];
    for (const [number, options] of themes.entries()) {
      const theme = { name: `Theme ${number}`, formBuilderThemeOptions: options };
      const theme_code = options === null ? null : (await api.post('/api/form_themes', theme)).body.code;
      for (const width of [390, 1280]) {
        const looks: unknown[][] = [];
        for (const definition of [plainDefinition, surveyDefinition]) {
          const { url } = await newForm(definition, { theme_code });
          const page = await openPage(url, width);
          const isPlain = definition === plainDefinition;
          assert.equal(
            (await scripts(page)).some((src) => src.endsWith('/plain-form.js')),
            isPlain,
          );
          const states: unknown[] = [];
          const look = async (state: string): Promise<void> => {
            await page.evaluate('document.activeElement.blur()');
            await page.mouse.move(0, 0);
            await waitUntilStill(page);
            states.push({ state, parts: await page.evaluate(lookOfParts) });
            if (process.env.SCREENSHOTS)
              await page.screenshot({
                path: `${process.env.SCREENSHOTS}/${isPlain ? 'plain' : 'survey'}-${number}-${width}-${state}.png`,
                fullPage: true,
              });
          };
          await look('first');
          await page.getByRole('button', { name: 'Next' }).click();
          // Both lead to what is wrong, SurveyJS a moment later.
          await page.locator('.sd-question--error :focus').waitFor();
          await look('error');
          await page.getByLabel('Your name').fill('Ada');
          await page.getByLabel('Your e-mail').fill('ada@example.com');
          await page.getByRole('button', { name: 'Next' }).click();
          await page.locator('.sd-page:focus').waitFor();
          await look('second');
          await page.getByText('Second').click();
          await page.getByText('b', { exact: true }).click();
          await look('chosen');
          looks.push(states);
          await page.close();
        }
        assert.deepEqual(looks[0], looks[1], `theme ${number} at ${width} px`);
      }
    }
  });
});
