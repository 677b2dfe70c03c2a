/** Plain forms are shown without SurveyJS, others by it: both players look, read and send the same. */
import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import type { Page } from 'playwright-core';
import {
  holdScript,
  LIVE_FORM,
  sharePage,
  shiftOf,
  startBrowser,
  waitUntilStill,
  watchShifts,
  withoutBrowser,
} from '../harness/browser.ts';
import { startHostSite } from '../harness/host-page.ts';
import { eventually } from '../harness/poll.ts';
import { createForm, plainDefinition, surveyDefinition } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const site = await startHostSite(app.url);
const browser = await startBrowser();
const openPage = sharePage(browser);

/** Runs in the page: returns the position and colours of every part of the form. */
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

/** Runs in the page: returns the position of every part of the form. */
const placesOfParts = `${lookOfParts}.map(({ name, box }) => ({ name, box }))`;

/** Runs in the page: returns the fill of choice boxes. */
const fillsOfChoices = `[...document.querySelectorAll('.sd-item__decorator')]
  .map((box) => getComputedStyle(box).backgroundColor)`;

suite('the two players of forms', { skip: withoutBrowser() }, async () => {
  const { api } = await app.createTenant();
  const players = { plain: plainDefinition, survey: surveyDefinition };

  const newForm = async (definition: object, more: object = {}) => {
    const code = await createForm(api, { formBuilderOptions: definition, ...more });
    const publicCode: string = (await api.get(`/api/forms/${code}`)).body.public_code;
    return { code, publicCode, url: `${app.url}/embed/${publicCode}` };
  };
  const openForm = async (url: string, width = 1280): Promise<Page> => {
    const page = await openPage(url, { width });
    await page.waitForSelector(LIVE_FORM);
    return page;
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const isPlain = (page: Page) =>
    page.evaluate<boolean>('document.querySelector(\'[src$="plain-form.js"]\') !== null');
  const listSubmissions = async (code: string) => {
    const filters = { form_code: { operation: 'eq', value: code } };
    return (await api.post('/api/form_submissions/list', { page: 1, limit: 10, filters })).body.results;
  };
  const contact = (elements: readonly object[] = []) => ({
    pages: [
      { elements: [{ type: 'text', name: 'email', title: 'Your email', inputType: 'email' }, ...elements] },
    ],
  });

  for (const [options, width] of [
    [null, 390],
    [null, 1280],
    [{ colorPalette: 'dark' }, 390],
    [{ isPanelless: true, primaryColor: '#ffcc00' }, 1280],
  ] as const) {
    test(`a plain form looks the same in both under ${JSON.stringify(options)} at ${width} px`, async () => {
      const theme = { name: 'Theme', formBuilderThemeOptions: options };
      const theme_code = options === null ? null : (await api.post('/api/form_themes', theme)).body.code;
      const looks: unknown[][] = [];
      for (const [player, definition] of Object.entries(players)) {
        const page = await openForm((await newForm(definition, { theme_code })).url, width);
        assert.equal(await isPlain(page), player === 'plain');
        const states: unknown[] = [];
        const compare = async (state: string): Promise<void> => {
          await page.evaluate('document.activeElement.blur()');
          await page.mouse.move(0, 0);
          await waitUntilStill(page);
          states.push({ state, parts: await page.evaluate(lookOfParts) });
        };
        await compare('first');
        await press(page, 'Next');
        // Both focus the invalid question, SurveyJS a moment later.
        await page.locator('.sd-question--error :focus').waitFor();
        await compare('error');
        await page.getByLabel('Your email').fill('ada@example.com');
        await press(page, 'Next');
        await page.locator('.sd-page:focus').waitFor();
        await compare('second');
        await page.getByText('Second').click();
        await page.getByText('b', { exact: true }).click();
        await compare('chosen');
        looks.push(states);
      }
      assert.deepEqual(looks[0], looks[1]);
    });
  }

  test('both report the same errors and send the same valid answers', async () => {
    const shown: unknown[] = [];
    for (const definition of Object.values(players)) {
      const { code, url } = await newForm(definition);
      const page = await openForm(url);
      await page.getByLabel('Your email').fill('ada');
      await page.getByLabel('Your age').fill('2');
      await press(page, 'Next');
      await page.locator('.sd-question--error :focus').waitFor();
      const errors = await page.locator('.sd-error').allInnerTexts();
      await page.getByLabel('Your email').fill('ada@example.com');
      await page.getByLabel('Your age').fill('41');
      await page.getByLabel('Message').fill('One\nTwo');
      await press(page, 'Next');
      await page.locator('.sd-page:focus').waitFor();
      // Back and forth without losing answers.
      await press(page, 'Previous');
      await page.getByLabel('Your name').fill('Ada');
      await press(page, 'Next');
      await page.getByText('1', { exact: true }).click();
      await page.getByText('c', { exact: true }).click();
      await page.getByText('a', { exact: true }).click();
      await page.getByText('I agree').click();
      await press(page, 'Send');
      await page.getByRole('heading', { name: 'Thank you. Your answers were sent.' }).waitFor();
      const [{ email_address, form_data }] = await listSubmissions(code);
      shown.push({ messages: errors.map((text) => text.trim()), email_address, form_data });
    }
    assert.deepEqual(shown[0], shown[1]);
    assert.deepEqual(shown[0], {
      messages: ['Please enter a valid e-mail address.', 'The value should not be less than 3'],
      email_address: 'ada@example.com',
      form_data: {
        email: 'ada@example.com',
        name: 'Ada',
        age: 41,
        text: 'One\nTwo',
        one: 1,
        some: ['c', 'a'],
        terms: true,
      },
    });
  });

  test('a plain form transfers less than 120 kB, however long its answers', async () => {
    assert.ok(browser);
    const { url } = await newForm(contact([{ type: 'comment', name: 'text', title: 'Message' }]));
    const page = await browser.newPage();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    let bytes = 0;
    let files = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      files += 1;
    });
    await page.goto(url);
    await page.waitForSelector(LIVE_FORM);
    await eventually('the page, its styles and its script', () => files >= 3);
    assert.ok(bytes > 5_000 && bytes < 25_000, `${bytes} bytes in ${files} files`);
    await page.close();
  });

  test('a plain form is shown before its script runs, keeps input, and does not move', async () => {
    assert.ok(browser);
    const choices = ['monday', 'tuesday'];
    const { code, url } = await newForm(
      contact([
        { type: 'radiogroup', name: 'day', title: 'Which day?', choices },
        { type: 'checkbox', name: 'with', title: 'With whom?', choices: ['one', 'two'] },
      ]),
    );
    const page = await browser.newPage({ viewport: { width: 390, height: 900 } });
    const release = await holdScript(page, 'plain-form.js');
    await watchShifts(page);
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByText('tuesday').click();
    await page.getByText('two').click();
    await page.getByLabel('Your email').pressSequentially('ada@exam');
    const places = await page.evaluate<object[]>(placesOfParts);
    release();
    await page.waitForSelector(LIVE_FORM);
    await page.keyboard.type('ple.com');
    assert.deepEqual(await page.evaluate(placesOfParts), places);
    assert.ok(places.length > 10);
    assert.equal(await shiftOf(page), 0);
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const [{ form_data }] = await listSubmissions(code);
    assert.deepEqual(form_data, { email: 'ada@example.com', day: 'tuesday', with: ['two'] });
    await page.close();
  });

  test('a server-side error is shown at its question, in the language of the form, and disappears while typing', async () => {
    const first = { elements: [{ type: 'text', name: 'site', title: 'Homepage', inputType: 'url' }] };
    const { code, url } = await newForm({ pages: [first, ...contact().pages], locale: 'de' });
    const page = await openForm(url);
    assert.equal(await isPlain(page), true);
    await page.getByLabel('Homepage').fill('nowhere');
    await press(page, 'Weiter');
    await page.getByLabel('Your email').fill('ada@example.com');
    await press(page, 'Senden');
    await page.getByText('Bitte prüfen Sie die markierten Antworten').waitFor();
    const field = page.getByLabel('Homepage');
    assert.equal(await page.evaluate('document.activeElement.type'), 'url');
    assert.equal(await page.locator('.sd-error').count(), 1);
    await field.press('End');
    await page.keyboard.type('.');
    assert.equal(await page.locator('.sd-error').count(), 0);
    await field.fill('https://example.com/');
    await press(page, 'Weiter');
    await press(page, 'Senden');
    await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor();
    assert.equal((await listSubmissions(code)).length, 1);
  });

  test('an error at choices disappears with the choice that corrects it', async () => {
    const some = {
      type: 'checkbox',
      name: 'some',
      title: 'Some of',
      choices: ['red', 'blue'],
      isRequired: true,
    };
    const definition = contact([{ ...some, validators: [{ type: 'answercount', minCount: 2 }] }]);
    for (const [player, more] of Object.entries({ plain: {}, survey: { sendResultOnPageNext: false } })) {
      const page = await openForm((await newForm({ ...definition, ...more })).url);
      assert.equal(await isPlain(page), player === 'plain');
      await page.getByLabel('Your email').fill('ada@example.com');
      await press(page, 'Send');
      const missing = page.locator('.sd-error').getByText('Response required.');
      await missing.waitFor();
      await page.getByText('red', { exact: true }).click();
      await missing.waitFor({ state: 'detached' });
      // One choice is too few.
      await press(page, 'Send');
      await page.locator('.sd-question--error :focus').waitFor();
      await page.getByLabel('Your email').focus();
      await waitUntilStill(page);
      const [red, blue] = await page.evaluate<string[]>(fillsOfChoices);
      assert.notEqual(red, blue, player);
    }
  });

  test('a form without an address question asks for the address at its end, outside of its data', async () => {
    const { code, url } = await newForm({
      pages: [{ elements: [{ type: 'text', name: 'q', title: 'Question' }] }],
    });
    const page = await openForm(url);
    await page.getByLabel('Question').fill('Why?');
    await press(page, 'Send');
    assert.deepEqual(await page.locator('.sd-error').allInnerTexts(), ['Response required.']);
    await page.getByLabel('Email address').fill('ada@example.com');
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const [{ email_address, form_data }] = await listSubmissions(code);
    assert.deepEqual(
      { email_address, form_data },
      { email_address: 'ada@example.com', form_data: { q: 'Why?' } },
    );
  });

  test('the same button resends answers after a connection failure, each time with a new challenge', async () => {
    const { code, url } = await newForm(contact(), { challenge: true });
    const page = await openForm(url);
    const proofs: (string | undefined)[] = [];
    await page.route('**/submissions?*', async (route) => {
      proofs.push(route.request().headers()['tessera-challenge']);
      // The first response is lost; the submission was stored.
      if (proofs.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByLabel('Your email').fill('ada@example.com');
    await press(page, 'Send');
    await page.getByText('could not be sent').waitFor();
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.equal(new Set(proofs).size, 2);
    assert.equal((await listSubmissions(code)).length, 1);
    await page.unrouteAll();
  });

  test("the owner's messages and closing texts are sanitized, and the host page is notified", async () => {
    const message = {
      type: 'show_message',
      html: '<p>Thank you, <b>Ada</b>.</p><img src=x onerror="top.hacked = 1">',
    };
    const redirect = { type: 'redirect', url: `${site.origin}/thanks` };
    const { publicCode } = await newForm(contact(), { post_submit_actions: [message] });
    const page = await openPage(site.pageFor(publicCode));
    const frame = page.frameLocator('#form iframe');
    await frame.locator(LIVE_FORM).waitFor();
    await frame.getByLabel('Your email').fill('ada@example.com');
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('Thank you, Ada.').waitFor();
    await page.waitForFunction('window.completed.length === 1');
    assert.equal(await frame.locator('[onerror]').count(), 0);
    await eventually('the frame to take the height of its content', async () => {
      const inside = await frame.locator('body').evaluate((body) => body.getBoundingClientRect().height);
      return (await page.locator('iframe').evaluate((element) => element.clientHeight)) === Math.ceil(inside);
    });

    const closing = await newForm({ ...contact(), completedHtml: '<h3>Bye</h3>' });
    await page.goto(closing.url);
    await page.getByLabel('Your email').fill('ada@example.com');
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'Bye' }).waitFor();

    const leading = await newForm(contact(), { post_submit_actions: [redirect] });
    await page.goto(leading.url);
    await page.getByLabel('Your email').fill('ada@example.com');
    await press(page, 'Send');
    await page.waitForURL(redirect.url);
  });

  test('a plain form is right-to-left if its language is', async () => {
    const title = { default: 'Days', ar: 'الأيام' };
    const { url } = await newForm(contact([{ type: 'checkbox', name: 'days', title, choices: ['a', 'b'] }]));
    const page = await openForm(`${url}?locale=ar`);
    assert.equal(await isPlain(page), true);
    await page.locator('.sd-navigation__complete-btn').click();
    const error = page.locator('.sd-error');
    assert.match(await error.innerText(), /[\u0600-\u06ff]/);
    const [box, around] = [await page.getByText('الأيام').boundingBox(), await error.boundingBox()];
    assert.ok(box && around && box.x > around.x + around.width / 2);
  });
});
