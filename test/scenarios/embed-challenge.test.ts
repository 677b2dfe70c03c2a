import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();

suite('an embedded form with a challenge, in a browser', { skip: withoutBrowser() }, async () => {
  const { api } = await app.createTenant();

  test('the page solves a new challenge for each submission', async () => {
    assert.ok(browser);
    const elements = [
      { type: 'text', name: 'email', title: 'Your email', inputType: 'email', isRequired: true },
      { type: 'text', name: 'age', title: 'Your age', inputType: 'number' },
    ];
    const code = await createForm(api, {
      challenge: true,
      formBuilderOptions: { pages: [{ name: 'p', elements }] },
    });
    const { public_code } = (await api.get(`/api/forms/${code}`)).body;
    const page = await browser.newPage();
    const proofs: (string | undefined)[] = [];
    let isFirst = true;
    await page.route('**/submissions?*', async (route) => {
      proofs.push(route.request().headers()['tessera-challenge']);
      if (!isFirst) return route.continue();
      isFirst = false;
      // The response is lost; the submission was stored.
      await route.fetch();
      return route.abort();
    });
    await page.goto(`${app.url}/embed/${public_code}`);
    await page.getByLabel('Your email').fill('ada@example.com');
    const send = page.getByRole('button', { name: 'Send' });
    await send.click();
    await page.getByText('could not be sent').waitFor();
    await send.click();
    await page.waitForSelector('.sd-completedpage');
    assert.equal(proofs.length, 2);
    assert.equal(new Set(proofs).size, 2);
    assert.ok(proofs.every((proof) => proof !== undefined));
    const filters = { form_code: { operation: 'eq', value: code } };
    const { body } = await api.post('/api/form_submissions/list', { page: 1, limit: 10, filters });
    assert.equal(body.total, 1);
    await page.close();
  });
});
