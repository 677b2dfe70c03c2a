/** The web console in a browser. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { signInBrowser } from './browser-session.ts';
import type { Client } from './client.ts';
import { PASSWORD } from './test-app.ts';

/**
 * The report that the policy of the frame for foreign HTML stopped a script. It is expected on the page of components,
 * which shows hostile HTML, and cannot come from the console itself, whose policy has no nonce for scripts.
 */
export const STOPPED_IN_FRAME = /^Executing inline event handler violates .*'script-src 'nonce-/;

/** A user who signs in. */
export interface ConsoleUser {
  readonly email: string;
  readonly password?: string;
}

/** A browser window with the console. */
export interface ConsoleWindow {
  readonly page: Page;
  /** Errors that the browser reported: errors of scripts and violations of the content security policy. */
  readonly faults: readonly string[];
}

/** Options of all windows. */
const DEFAULTS: BrowserContextOptions = {
  locale: 'en-US',
  reducedMotion: 'reduce',
  // In a window, a click or key permits to write; without windows nothing does.
  permissions: ['clipboard-write', 'clipboard-read'],
};

/** Opens a window that shares no cookies with others. It is closed after the file's tests. */
export async function openWindow(
  browser: Browser | null,
  options: BrowserContextOptions = {},
): Promise<ConsoleWindow> {
  assert.ok(browser);
  const context = await browser.newContext({ ...DEFAULTS, ...options });
  after(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    // The browser also reports each response with an error status, which pages expect.
    const isExpected = text.startsWith('Failed to load resource') || STOPPED_IN_FRAME.test(text);
    if (message.type() === 'error' && !isExpected) faults.push(text);
  });
  return { page, faults };
}

/** Signs in on the sign-in page, and waits for the console. */
export async function signIn(
  page: Page,
  url: string,
  { email, password = PASSWORD }: ConsoleUser,
): Promise<void> {
  await page.goto(`${url}/console`);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('form button').click();
  await page.waitForURL(/\/console\/?(?:t\/|account|$)/);
}

/** Opens a window in which a user of a test has signed in, without the sign-in page. */
export async function openWindowAs(
  browser: Browser | null,
  server: Pick<Client, 'url'>,
  email: string,
  options: BrowserContextOptions = {},
): Promise<ConsoleWindow> {
  const { cookie } = await signInBrowser(server, email);
  const [name = '', value = ''] = cookie.split('=');
  const window = await openWindow(browser, options);
  await window.page.context().addCookies([{ name, value, url: server.url }]);
  return window;
}

/**
 * Opens a window for all tests of a file, because each new one loads and compiles all scripts again. Call it outside of
 * tests. The returned function fails without a browser, where tests are skipped.
 */
export async function shareWindow(
  browser: Browser | null,
  server: Pick<Client, 'url'>,
  email: string,
  options: BrowserContextOptions = {},
): Promise<() => ConsoleWindow> {
  const window = browser === null ? null : await openWindowAs(browser, server, email, options);
  return () => {
    assert.ok(window);
    return window;
  };
}
