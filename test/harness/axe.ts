import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { waitUntilStill } from './browser.ts';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const FAULTS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`;

/**
 * What axe finds on a page against WCAG 2.2 A and AA and its own best practices, one text each: once nothing moves on it,
 * as colours on their way are nobody's choice.
 */
export async function findFaults(page: Page): Promise<string[]> {
  await waitUntilStill(page);
  // Reading axe takes as long as its work on a small page: once for each document.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  return page.evaluate<string[]>(FAULTS);
}
