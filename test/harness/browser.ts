import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Nothing but the tested pages may use the network, and a container gives Chromium no sandbox of its own. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Why the tests of a file that needs a browser are skipped, or false when there is one.
 * @throws when there is none and CI=true: a pipeline must not pass by leaving them out.
 */
export function withoutBrowser(): string | false {
  if (existsSync(EXECUTABLE)) return false;
  const reason = `no Chromium at ${EXECUTABLE}; set CHROMIUM_PATH`;
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

/** The form once its script answers: SurveyJS draws it anew then, and what is done before may be done twice. */
export const LIVE_FORM = '#tessera-survey[data-live]';

/** Starts Chromium, or returns null where there is none; it is closed after the file's tests. */
export async function startBrowser(): Promise<Browser | null> {
  if (withoutBrowser() !== false) return null;
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS });
  after(() => browser.close());
  return browser;
}
