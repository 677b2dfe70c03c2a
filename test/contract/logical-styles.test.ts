/** The console's style sheets follow the direction of the text, so that it can be read from right to left. */
import assert from 'node:assert/strict';
import test from 'node:test';
import postcss from 'postcss';
import { listFiles, readText } from '../harness/repository.ts';

export const changesWith = ['console/'];

/** Properties and values that name a side of the window. */
const PHYSICAL_PROPERTY =
  /^(?:(?:scroll-)?(?:margin|padding)-(?:left|right)|border-(?:left|right).*|border-(?:top|bottom)-(?:left|right)-radius|left|right)$/;
const PHYSICAL_VALUE = /^(?:left|right)$/;
const SIDED_PROPERTY = /^(?:text-align|float|clear)$/;
const BOX_PROPERTY = /^(?:inset|margin|padding|border-width|border-color|border-style)$/;

/** Returns true if a declaration differs between left and right. */
function isPhysical(property: string, value: string): boolean {
  if (PHYSICAL_PROPERTY.test(property)) return true;
  if (SIDED_PROPERTY.test(property)) return PHYSICAL_VALUE.test(value);
  if (!BOX_PROPERTY.test(property)) return false;
  const [, right, , left] = postcss.list.space(value);
  return left !== undefined && left !== right;
}

test('no style of the console names left or right', async () => {
  const files = (await listFiles('console', '.css')).filter((file) => !file.startsWith('console/dist/'));
  assert.ok(files.length > 10);
  const found: string[] = [];
  for (const file of files)
    postcss.parse(await readText(file)).walkDecls(({ prop, value, source }) => {
      if (isPhysical(prop, value)) found.push(`${file}:${source?.start?.line}: ${prop}: ${value}`);
    });
  assert.deepEqual(found, [], 'use -inline-start and -inline-end, or a :dir(rtl) rule');
});

test('a style that names a side is found', () => {
  assert.equal(isPhysical('margin-left', '8px'), true);
  assert.equal(isPhysical('text-align', 'right'), true);
  assert.equal(isPhysical('padding', '8px 8px 8px calc(4px + 4px)'), true);
  assert.equal(isPhysical('padding', '8px 4px 2px'), false);
  assert.equal(isPhysical('margin-inline-start', '8px'), false);
});
