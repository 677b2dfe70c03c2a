import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import {
  holdScript,
  LIVE_FORM,
  sharePage,
  shiftOf,
  startBrowser,
  type View,
  watchShifts,
  withoutBrowser,
} from '../harness/browser.ts';
import { startHostSite } from '../harness/host-page.ts';
import { eventually } from '../harness/poll.ts';
import { createForm, plainDefinition, twoPageDefinition } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const stranger = await startHostSite(app.url);
const browser = await startBrowser();
const openPage = sharePage(browser);

/** A one-page form with choices below an address. */
const choiceDefinition = {
  title: 'Visit',
  pages: [
    {
      elements: [
        { type: 'text', name: 'email', title: 'Your email', inputType: 'email', isRequired: true },
        {
          type: 'radiogroup',
          name: 'day',
          title: 'Which day?',
          choices: ['monday', 'tuesday'],
          isRequired: true,
        },
        { type: 'text', name: 'reason', title: 'Why?', visibleIf: "{email} contains 'ada'" },
        { type: 'checkbox', name: 'with', title: 'With whom?', choices: ['one', 'two'] },
      ],
    },
  ],
};

/** A form with one element of most kinds, with hints and texts below. */
const wideDefinition = {
  title: 'Everything',
  description: 'One of each',
  pages: [
    {
      title: 'Words',
      description: 'A few words',
      elements: [
        { type: 'text', name: 'email', title: 'Your email', inputType: 'email', isRequired: true },
        { type: 'text', name: 'date', title: 'A date', inputType: 'date' },
        {
          type: 'text',
          name: 'hint',
          title: 'With a hint',
          placeholder: 'Like this',
          description: 'Some help',
        },
        { type: 'comment', name: 'long', title: 'More', maxLength: 100 },
      ],
    },
    {
      title: 'Choices',
      elements: [
        { type: 'radiogroup', name: 'one', title: 'One of', choices: ['a', 'b'], showOtherItem: true },
        { type: 'checkbox', name: 'some', title: 'Some of', choices: ['a', 'b'], defaultValue: ['a'] },
        { type: 'dropdown', name: 'drop', title: 'From a list', choices: ['a', 'b'] },
        { type: 'boolean', name: 'bool', title: 'Yes or no' },
        { type: 'rating', name: 'rate', title: 'How good?' },
        { type: 'file', name: 'file', title: 'A file' },
      ],
    },
  ],
};

/** Opens the page of a form and waits until it is interactive, in either renderer. */
async function openForm(url: string, view: View = {}): Promise<Page> {
  const page = await openPage(url, view);
  await page.waitForSelector(LIVE_FORM);
  return page;
}

/** Opens the page of a form on a device with a touch screen. */
async function openOnTouchScreen(url: string): Promise<Page> {
  assert.ok(browser);
  const page = await browser.newPage({
    viewport: { width: 1280, height: 900 },
    hasTouch: true,
    isMobile: true,
  });
  await page.goto(url);
  await page.waitForSelector(LIVE_FORM);
  return page;
}

/**
 * Presses the last button until the answers are accepted: a form with files is checked under a deadline, and a busy
 * machine asks to press again.
 */
async function complete(page: Page): Promise<void> {
  const sent = page.getByRole('heading', { name: 'Thank you' });
  const refused = page.locator('#tessera-alert p').first();
  await eventually('the answers to be accepted', async () => {
    await page.getByRole('button', { name: 'Send' }).click();
    await sent.or(refused).waitFor();
    return sent.isVisible();
  });
}

suite('the form page in a browser', { skip: withoutBrowser() }, async () => {
  const { api } = await app.createTenant();
  const urlOf = async (definition: object, more: object = {}) => {
    const code = await createForm(api, { formBuilderOptions: definition, ...more });
    return `${app.url}/embed/${(await api.get(`/api/forms/${code}`)).body.public_code}`;
  };

  test('a choice pressed right after an answer was corrected is not lost, with mouse and touch', async () => {
    const url = await urlOf(choiceDefinition);
    for (const isTouch of [false, true]) {
      const page = isTouch ? await openOnTouchScreen(url) : await openForm(url);
      const press = async (text: string): Promise<void> => {
        const box = await page.getByText(text, { exact: true }).boundingBox();
        assert.ok(box);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (isTouch) await page.touchscreen.tap(x, y);
        else await page.mouse.click(x, y);
      };
      await page.getByLabel('Your email').fill('nobody');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.sd-error').first().waitFor();
      await page.getByLabel('Your email').click();
      await page.keyboard.type('@example.com');
      await eventually('the error to disappear while typing', async () => {
        return (await page.locator('.sd-error').count()) === 1;
      });
      await press('tuesday');
      assert.equal(await page.getByLabel('Your email').inputValue(), 'nobody@example.com');
      await eventually('the choice to be selected after an error', () =>
        page.getByLabel('tuesday').isChecked(),
      );
      // A question that appears after the address moves the choices below it.
      await page.getByLabel('Your email').fill('ada@example.com');
      await press('two');
      await eventually('the choice to be selected after a question appeared', () =>
        page.getByLabel('two', { exact: true }).isChecked(),
      );
      if (isTouch) await page.close();
    }
  });

  test('a newly shown page gets the focus and announces its number', async () => {
    const page = await openForm(await urlOf(twoPageDefinition));
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Satisfied?').waitFor();
    await eventually('the focus on the page', async () => {
      const focused = await page.evaluate("document.activeElement.getAttribute('aria-label')");
      return focused === 'Page 2 of 2: Your opinion';
    });
    assert.equal(await page.getByRole('heading', { level: 1, name: 'Feedback' }).count(), 1);
    assert.equal(await page.getByRole('heading', { level: 2, name: 'Your opinion' }).count(), 1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await eventually('the first choice', () => page.getByLabel('yes').isChecked());
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate("document.activeElement.value === 'Send'")) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Thank you. Your answers were sent.' }).waitFor();
  });

  const themeCode = async (name: string, formBuilderThemeOptions: object | null): Promise<string | null> =>
    formBuilderThemeOptions &&
    (await api.post('/api/form_themes', { name, formBuilderThemeOptions })).body.code;

  test('axe finds no violations in any theme, at any width, before, after an error and at the end', async () => {
    const themes = {
      default: null,
      dark: { colorPalette: 'dark' },
      custom: { primaryColor: '#ffcc00', cssVariables: { '--sjs-general-backcolor': '#fff7e0' } },
    };
    const players = { survey: wideDefinition, plain: plainDefinition };
    // Each theme at each width, in each player at least once.
    const pairs = [
      ['default', 'survey', 390],
      ['default', 'plain', 1280],
      ['dark', 'plain', 390],
      ['dark', 'survey', 1280],
      ['custom', 'survey', 390],
      ['custom', 'plain', 1280],
    ] as const;
    const found: string[] = [];
    for (const [theme, player, width] of pairs) {
      const theme_code = await themeCode(theme, themes[theme]);
      const page = await openForm(await urlOf(players[player], { theme_code }), { width });
      const check = async (state: string): Promise<void> => {
        const view = `${theme}-${player}-${width}-${state}`;
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: `${process.env.SCREENSHOTS}/${view}.png`, fullPage: true });
        found.push(...(await findFaults(page)).map((fault) => `${view}: ${fault}`));
      };
      await check('first');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.locator('.sd-error').first().waitFor();
      await check('error');
      await page.getByLabel('Your email').fill('ada@example.com');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('heading', { name: 'Choices' }).waitFor();
      await check('second');
      await complete(page);
      await check('end');
    }
    assert.deepEqual(found, []);
  });

  test('the first page is shown before the script runs, keeps input, and does not move when the form is rendered', async () => {
    const url = await urlOf(choiceDefinition);
    for (const width of [390, 1280]) {
      assert.ok(browser);
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      const release = await holdScript(page, 'embed-page.js');
      await watchShifts(page);
      await page.goto(url, { waitUntil: 'commit' });
      await page.getByRole('heading', { name: 'Visit' }).waitFor();
      await page.getByLabel('Your email').fill('mary');
      await page.getByText('tuesday').click();
      await page.getByLabel('Your email').focus();
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/early-${width}.png`, fullPage: true });
      release();
      await page.locator('.sd-navigation__complete-btn').waitFor();
      await eventually('the focus to be restored', () =>
        page.evaluate(`document.activeElement.closest('${LIVE_FORM}') !== null`),
      );
      await page.keyboard.type('@example.com');
      assert.equal(await page.getByLabel('Your email').inputValue(), 'mary@example.com');
      await eventually('the early choice', () => page.getByLabel('tuesday').isChecked());
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/late-${width}.png`, fullPage: true });
      const shift = await shiftOf(page);
      assert.ok(shift < 0.05, `moved by ${shift} at ${width} px`);
      await page.close();
    }
  });

  test("a form uses the language of its URL, its own or the browser's", async () => {
    const own = await urlOf({ ...choiceDefinition, locale: 'de' });
    const open = await urlOf(choiceDefinition);
    const buttonAt = async (url: string, locale: string): Promise<string | null> => {
      const page = await openForm(url, { language: locale });
      const label = await page.locator('.sd-navigation__complete-btn').getAttribute('value');
      return label;
    };
    assert.equal(await buttonAt(own, 'fr-FR'), 'Senden');
    assert.equal(await buttonAt(`${own}?locale=fr`, 'en-US'), 'Envoyer');
    assert.equal(await buttonAt(open, 'es-MX'), 'Enviar');
    assert.equal(await buttonAt(open, 'en-GB'), 'Send');
    const page = await openForm(`${open}?locale=ar`);
    const button = await page.locator('.sd-navigation__complete-btn').boundingBox();
    assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl');
    assert.ok(button);
    await page.locator('.sd-navigation__complete-btn').click();
    await page.locator('.sd-error').first().waitFor();
    assert.match((await page.locator('.sd-error').first().textContent()) ?? '', /[\u0600-\u06ff]/);
  });

  test('a right-to-left page does not scroll sideways on a phone and aligns its texts right', async () => {
    const list = {
      type: 'matrixdynamic',
      name: 'list',
      columns: [{ name: 'who', cellType: 'text' }],
      rowCount: 1,
    };
    const email = { type: 'text', name: 'email', title: 'Mail', inputType: 'email', isRequired: true };
    const url = await urlOf({
      showProgressBar: true,
      pages: [{ elements: [email, list] }, { elements: [{ type: 'text', name: 'a' }] }],
    });
    const page = await openForm(`${url}?locale=ar`, { width: 390 });
    await page.getByText('صفحة 1 من 2', { exact: true }).waitFor();
    await page.locator('.sd-navigation__next-btn').click();
    const error = page.locator('.sd-error', { hasText: 'يرجى الإجابة على السؤال.' });
    await error.waitFor();
    const [box, text] = [await error.boundingBox(), await error.locator('.sv-string-viewer').boundingBox()];
    assert.ok(
      box && text && text.x - box.x > box.x + box.width - (text.x + text.width),
      'the error is on the right',
    );
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
  });

  test('the primary button has the colour of the theme, however light it is', async () => {
    const theme = { name: 'Light', formBuilderThemeOptions: { primaryColor: '#ffcc00' } };
    const { code } = (await api.post('/api/form_themes', theme)).body;
    const page = await openForm(await urlOf(choiceDefinition, { theme_code: code }));
    const colors = await page.evaluate(`(() => {
      const { backgroundColor, color } = getComputedStyle(document.querySelector('.sd-navigation__complete-btn'));
      return [backgroundColor, color];
    })()`);
    assert.deepEqual(colors, ['rgb(255, 204, 0)', 'rgb(0, 0, 0)']);
  });

  test('server-side errors are in the language of the page', async () => {
    const site = { type: 'text', name: 'site', title: 'Where?', inputType: 'url' };
    const email = { type: 'text', name: 'email', title: 'E-Mail', inputType: 'email' };
    const url = await urlOf({ pages: [{ elements: [email, site] }] });
    const sentences = {
      de: 'Bitte geben Sie eine vollständige Webadresse wie https://example.com ein.',
      ar: 'يرجى إدخال عنوان ويب كامل مثل https://example.com.',
      da: 'Please enter a full web address such as https://example.com.',
    };
    for (const [locale, text] of Object.entries(sentences)) {
      const page = await openForm(url, { language: locale });
      await page.getByLabel('E-Mail').fill('ada@example.com');
      await page.getByLabel('Where?').fill('nowhere');
      await page.locator('.sd-navigation__complete-btn').click();
      await page.locator('.sd-error', { hasText: text }).waitFor();
    }
  });

  test('a site that may not embed the form says so, with a link; for a missing form it does not', async () => {
    const url = await urlOf(choiceDefinition, { allowed_origins: ['https://elsewhere.example'] });
    const publicCode = url.split('/').at(-1) ?? '';
    const page = await openPage(stranger.pageFor(publicCode));
    await page.getByText('This form cannot be shown on this page.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Open the form' }).getAttribute('href'), url);
    assert.equal(await page.locator('iframe').isVisible(), false);
    await page.goto(stranger.pageFor('nothing'));
    await page.frameLocator('iframe').getByRole('heading', { name: 'This form is not available' }).waitFor();
    await eventually('the frame to name the page', async () => {
      return (await page.locator('iframe').getAttribute('title')) === 'This form is not available';
    });
  });
});
