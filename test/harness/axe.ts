import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { waitUntilStill } from './browser.ts';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** An expression that returns one text per violation. */
const findIn = (options: string) => `axe.run(document, ${options}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`;

/**
 * Checks a page with axe against WCAG 2.2 A and AA and axe's best practices. Returns one text per violation. Waits for
 * animations to end, because colours in transition would fail the contrast check.
 */
export function findFaults(page: Page): Promise<string[]> {
  return run(page, "{ resultTypes: ['violations'] }");
}

/** Checks only the contrast of texts, which is what another theme changes. */
export function findLowContrast(page: Page): Promise<string[]> {
  return run(page, "{ resultTypes: ['violations'], runOnly: ['color-contrast'] }");
}

async function run(page: Page, options: string): Promise<string[]> {
  await waitUntilStill(page);
  // Loads axe once per document: loading takes as long as checking a small page.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  return page.evaluate<string[]>(findIn(options));
}
