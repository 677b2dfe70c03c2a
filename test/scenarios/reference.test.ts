import assert from 'node:assert/strict';
import test from 'node:test';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();

test('the reference shows every operation and needs nothing but the server', {
  skip: withoutBrowser(),
}, async () => {
  assert.ok(browser);
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${app.url}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).waitFor();
  const group = page.locator('#operations-tag-Forms');
  await group.click();
  await page.getByText('/api/forms/list').waitFor();
  const away = asked.filter((url) => !url.startsWith(`${app.url}/`) && !url.startsWith('data:'));
  assert.deepEqual(away, []);
});
