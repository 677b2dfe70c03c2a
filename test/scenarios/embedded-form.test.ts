import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { LIVE_FORM, sharePage, startBrowser, withoutBrowser } from '../harness/browser.ts';
import { startHostSite } from '../harness/host-page.ts';
import { eventually } from '../harness/poll.ts';
import { type Received, startReceiver } from '../harness/receiver.ts';
import { createForm } from '../harness/sample-forms.ts';
import { createWebhook } from '../harness/submission-load.ts';
import { startTestApp } from '../harness/test-app.ts';

// The delays are long enough for the receiver to start before the last attempt.
const app = await startTestApp({ WEBHOOK_BACKOFF_SECONDS: '1,1,2,4' });
const site = await startHostSite(app.url);
const stranger = await startHostSite(app.url);
const openPage = sharePage(await startBrowser());

/** Returns the frame of `Tessera.mount` after the live form has replaced the server-rendered first page. */
async function formFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('#form iframe');
  const frame = await element.contentFrame();
  assert.ok(frame);
  await frame.waitForSelector(LIVE_FORM);
  return frame;
}

/** Fills in both pages of the sample form, with a reason for not being satisfied. */
async function fillIn(frame: Frame): Promise<void> {
  await frame.getByLabel('Your name').fill('Ada Lovelace');
  await frame.getByLabel('Your email').fill('ada@example.com');
  await frame.getByRole('button', { name: 'Next' }).click();
  await frame.getByText('no', { exact: true }).click();
  await frame.getByLabel('Why not?').fill('Too slow');
  await frame.getByText('price', { exact: true }).click();
}

suite('the embedded form in a browser', { skip: withoutBrowser() }, async () => {
  const { api } = await app.createTenant();
  const actions = [{ type: 'show_message', html: '<p>Thank you, <b>Ada</b>.</p><script>alert(1)</script>' }];

  /** A form that pages of the site may embed; `more` overrides fields. */
  const newForm = async (more: object = {}) => {
    const code = await createForm(api, { allowed_origins: [site.origin], ...more });
    const { body } = await api.get(`/api/forms/${code}`);
    return { code, publicCode: String(body.public_code) };
  };
  const listSubmissions = async (code: string) => {
    const filters = { form_code: { operation: 'eq', value: code } };
    return (await api.post('/api/form_submissions/list', { page: 1, limit: 10, filters })).body.results;
  };

  test('a submission appears in the list, and reaches the receiver once that is available again', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    const form = await newForm({ post_submit_actions: actions });
    const secret = { name: 'X-Receiver-Secret', value: 'correct horse', is_secret: true };
    const webhookId = await createWebhook(api, form.code, receiver.url, [secret]);
    const page = await openPage(site.pageFor(form.publicCode));
    const frame = await formFrame(page);

    await frame.getByRole('button', { name: 'Next' }).click();
    const faults = frame.getByText('Response required');
    await eventually('both errors to be shown', async () => (await faults.count()) === 2);
    await frame.getByLabel('Your name').fill('Ada Lovelace');
    await frame.getByLabel('Your email').fill('ada@example.com');
    await frame.getByRole('button', { name: 'Next' }).click();
    await frame.getByText('yes', { exact: true }).click();
    assert.equal(await frame.getByLabel('Why not?').count(), 0);
    await frame.getByText('no', { exact: true }).click();
    await frame.getByLabel('Why not?').fill('Too slow');
    await frame.getByText('price', { exact: true }).click();
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('Thank you, Ada.').waitFor();

    const completed = await page.evaluate('window.completed');
    const [submission, ...others] = await listSubmissions(form.code);
    assert.deepEqual(others, []);
    assert.deepEqual(completed, [{ submission_id: submission.id, actions }]);
    assert.equal(submission.email_address, 'ada@example.com');
    assert.deepEqual(submission.form_data, {
      full_name: 'Ada Lovelace',
      email: 'ada@example.com',
      satisfied: 'no',
      reason: 'Too slow',
      topics: ['price'],
    });

    const log = async () => (await api.get(`/api/webhooks/${webhookId}/deliveries`)).body.results[0];
    const failed = await eventually('a failed attempt', async () => {
      const entry = await log();
      return entry?.attempts > 0 && entry;
    });
    assert.match(failed.last_error, /refused/i);
    assert.equal(failed.status, 'pending');
    const back = await startReceiver(receiver.port);
    const delivered: Received = await eventually('the delivery', () => back.received[0]);
    assert.equal(delivered.headers['x-receiver-secret'], 'correct horse');
    assert.equal(delivered.headers['tessera-delivery-id'], failed.id);
    assert.ok(Number(delivered.headers['tessera-attempt']) > 1);
    assert.deepEqual(delivered.body, {
      data: (await api.get(`/api/form_submissions/${submission.id}`)).body,
    });
    const done = await eventually('the log to contain the delivery', async () => {
      const entry = await log();
      return entry.status === 'success' && entry;
    });
    assert.deepEqual([done.submission_id, done.last_status_code], [submission.id, 200]);
  });

  test('a page of another origin can neither show nor submit the form', async () => {
    const form = await newForm();
    const page = await openPage(stranger.pageFor(form.publicCode));
    const element = await page.waitForSelector('#form iframe');
    const frame = await element.contentFrame();
    await eventually('the frame to be refused', () => frame?.url().startsWith('chrome-error:'));
    const refused = await page.evaluate(async (url) => {
      const body = JSON.stringify({ email_address: 'a@example.com', form_data: {} });
      const headers = { 'content-type': 'application/json' };
      return fetch(url, { method: 'POST', headers, body }).then(
        ({ status }) => status,
        (error) => error.name,
      );
    }, `${app.url}/embed/${form.publicCode}/submissions`);
    assert.equal(refused, 'TypeError');
    assert.deepEqual(await listSubmissions(form.code), []);
  });

  test("a theme sets the form's colours, and an unknown one is ignored", async () => {
    const theme = (primaryColor: string, more: object) =>
      api.post('/api/form_themes', {
        name: primaryColor,
        formBuilderThemeOptions: { primaryColor, ...more },
      });
    const ownTheme = (await theme('#aa0044', {})).body.code;
    const otherTheme = (await theme('#0044aa', { colorPalette: 'dark' })).body.code;
    const form = await newForm({ theme_code: ownTheme });
    /** Returns the colours after the accent has its final colour: SurveyJS changes them with a transition. */
    const look = async (accent: RegExp, themeCode?: string) => {
      const page = await openPage(site.pageFor(form.publicCode, themeCode));
      const frame = await formFrame(page);
      const styleOf = (selector: string, property: string) =>
        frame.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
      const colours = await eventually(`an accent of ${accent}`, async () => {
        const shown = await styleOf('.sd-navigation__next-btn', 'color');
        return accent.test(shown) && { accent: shown, background: await styleOf('body', 'backgroundColor') };
      });
      return colours;
    };
    const own = /^rgb\(170, 0, 68\)$/;
    const plain = await look(own);
    assert.deepEqual(await look(own, 'no-such-theme'), plain);
    // A blue that is too dark on the dark page is lighter there.
    const dark = await look(/^rgb\(\d+, 1\d\d, 2\d\d\)$/, otherTheme);
    assert.notEqual(dark.background, plain.background);
  });

  test('a bot that fills in the honeypot gets a success response, and its submission is stored', async () => {
    const form = await newForm();
    const page = await openPage(site.pageFor(form.publicCode));
    const frame = await formFrame(page);
    assert.equal(await frame.getByLabel('Leave this empty').isVisible(), true);
    await frame.evaluate("document.querySelector('#tessera-unused').value = 'https://spam.example'");
    await fillIn(frame);
    await frame.getByRole('button', { name: 'Send' }).click();
    await page.waitForFunction('window.completed.length === 1');
    assert.equal((await listSubmissions(form.code)).length, 1);
  });

  test('an inactive form shows a friendly page', async () => {
    const form = await newForm({ active: false });
    const page = await openPage(site.pageFor(form.publicCode));
    const frame = page.frameLocator('#form iframe');
    await frame.getByRole('heading', { name: 'This form is not available' }).waitFor();
  });

  test('the conversion rate is submissions per view of the form', async () => {
    const form = await newForm();
    for (const isSent of [true, false]) {
      const page = await openPage(site.pageFor(form.publicCode), { width: 360 });
      const frame = await formFrame(page);
      if (isSent) {
        await fillIn(frame);
        await frame.getByRole('button', { name: 'Send' }).click();
        await page.waitForFunction('window.completed.length === 1');
      }
    }
    const { body } = await api.post('/api/forms/list', { page: 1, limit: 100, filters: {} });
    const listed = body.results.find(({ code }: { code: string }) => code === form.code);
    assert.deepEqual([listed.submission_count, listed.conversion_rate], [1, 0.5]);
  });

  test('the form is as tall as its content and no wider than its container', async () => {
    const form = await newForm();
    for (const width of [360, 1280]) {
      const page = await openPage(site.pageFor(form.publicCode), { width });
      const frame = await formFrame(page);
      await eventually('the frame to have the height of its content', async () => {
        const inside = await frame.evaluate<number>('document.body.getBoundingClientRect().height');
        const outside = await page.evaluate<number>("document.querySelector('iframe').clientHeight");
        return outside === Math.ceil(inside);
      });
      const overflow = await frame.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(overflow, 0, `at ${width} px nothing is cut off`);
    }
  });
});
