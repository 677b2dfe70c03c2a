import assert from 'node:assert/strict';
import test from 'node:test';
import { generateFiles } from '../../sdk/generate.ts';
import { readText } from '../harness/repository.ts';

export const changesWith = ['openapi.json', 'sdk/'];

test('the SDK matches openapi.json (run `npm run sdk` after changing it)', async () => {
  for (const [name, content] of generateFiles(JSON.parse(await readText('openapi.json')))) {
    const isCurrent = (await readText(`sdk/src/generated/${name}`)) === content;
    assert.ok(isCurrent, `sdk/src/generated/${name} is out of date. Run \`npm run sdk\` and commit it.`);
  }
});
