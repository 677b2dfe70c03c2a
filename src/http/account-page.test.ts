import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../test/harness/test-app.ts';

const app = await startTestApp();
const PAGE = '/console/reset/none';
/** The most that a page about an account loads, in bytes. */
const BUDGET = 25_000;

test('pages about accounts are in the language that the reader prefers', async () => {
  for (const [accepted, language, text] of [
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Dieser Link gilt nicht mehr'],
    ['fr, en;q=0.5, de;q=0.4', 'en', 'This link is no longer valid'],
    ['fr', 'en', 'This link is no longer valid'],
    ['', 'en', 'This link is no longer valid'],
  ] as const) {
    const page = await app.anonymous.get(PAGE, 404, { headers: { 'accept-language': accepted } });
    assert.ok(page.text.includes(`<html lang="${language}">`), accepted);
    assert.ok(page.text.includes(text), accepted);
  }
});

test('a page about an account loads less than 25 kB: itself and its font', async () => {
  const { text } = await app.anonymous.get(PAGE, 404);
  const files = [...text.matchAll(/(?:url\("|src="|href=")(\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
  const fonts = files.filter((path) => path.startsWith('/account-pages.woff2?v='));
  assert.equal(fonts.length, 1);
  const font = await fetch(`${app.url}${fonts[0]}`, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(font.headers.get('content-type'), 'font/woff2');
  assert.equal(font.headers.get('cache-control'), 'public, max-age=31536000');
  const page = await fetch(app.url + PAGE, { headers: { 'accept-encoding': 'br' } });
  const sizes = [page, font].map(({ headers }) => Number(headers.get('content-length')));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 10_000 && bytes < BUDGET, `${sizes}`);
});

test('the policy of a page about an account allows its style sheet and font only', async () => {
  const { headers, text } = await app.anonymous.get(PAGE, 404);
  const [, nonce = ''] = /<style nonce="([\w-]{22})">/.exec(text) ?? [];
  assert.equal(
    headers.get('content-security-policy'),
    `default-src 'none'; style-src 'nonce-${nonce}'; font-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
});
