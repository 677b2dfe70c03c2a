import assert from 'node:assert/strict';
import test from 'node:test';
import { operations } from '../../sdk/src/generated/operations.ts';
import { readText } from '../../test/harness/repository.ts';
import { readCalls } from './calls.ts';

const calls = readCalls(await readText('openapi.json'));

test('only operations of the SDK have an SDK call', () => {
  const named = [...calls.values()].flatMap(
    ({ sdk }) => /^await tessera\.(\w+\.\w+)\(/.exec(sdk ?? '')?.[1] ?? [],
  );
  const generated = Object.entries(operations).flatMap(([resource, methods]) =>
    Object.keys(methods).map((name) => `${resource}.${name}`),
  );
  assert.deepEqual(named.sort(), generated.sort());
});

const cases = [
  [
    'GET /api/forms/{code}',
    'await tessera.forms.get(code);',
    /^curl -X GET "\$TESSERA_URL\/api\/forms\/\$CODE" \\\n {2}-H "X-API-Key: \$TESSERA_API_KEY"$/,
  ],
  ['POST /api/assets', 'await tessera.assets.create({ file });', /-F file=@picture\.png$/],
  ['POST /api/webhooks/', null, /"\$TESSERA_URL\/api\/webhooks"/],
  ['GET /api/{entity}', null, /-H "Authorization: Bearer \$TESSERA_ACCESS_TOKEN"$/],
] as const;

for (const [name, sdk, curl] of cases)
  test(`${name} is called as its credential and its body ask for`, () => {
    const call = calls.get(name);
    assert.ok(call);
    if (sdk !== null) assert.equal(call.sdk, sdk);
    assert.match(call.curl, curl);
  });

test('quotes in an example do not end the argument of curl', () => {
  const document = {
    paths: {
      '/x': { post: { requestBody: { content: { 'application/json': { example: { a: "it's" } } } } } },
    },
  };
  assert.match(readCalls(JSON.stringify(document)).get('POST /x')?.curl ?? '', /it'\\''s/);
});
