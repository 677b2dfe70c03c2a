import assert from 'node:assert/strict';
import { posix } from 'node:path';
import test from 'node:test';
import { listFiles, readText } from '../harness/repository.ts';

export const changesWith = ['console/', 'sdk/'];

const IMPORT = /\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm;
const LOCALES = ['en', 'de'] as const;

interface Import {
  readonly from: string;
  /** A path relative to the repository, or the name of a package. */
  readonly to: string;
}

/** Imports of the console's own code, without the build and tests. */
async function importsOfConsole(): Promise<Import[]> {
  const files = [...(await listFiles('console', '.ts')), ...(await listFiles('console', '.tsx'))];
  const own = files.filter((file) => !/\.test\.ts$|^console\/build/.test(file));
  const lists = own.map(async (from) => {
    const targets = [...(await readText(from)).matchAll(IMPORT)].map(([, a, b, c]) => a ?? b ?? c ?? '');
    return targets.map((to) => ({ from, to: to.startsWith('.') ? posix.join(posix.dirname(from), to) : to }));
  });
  return (await Promise.all(lists)).flat();
}

test('only the components of console/ui use React Aria', async () => {
  const found = (await importsOfConsole()).filter(
    ({ from, to }) => to.startsWith('react-aria') && !from.startsWith('console/ui/'),
  );
  assert.deepEqual(found, []);
});

test('components import React Aria by component, as its index loads all of them', async () => {
  const found = (await importsOfConsole()).filter(({ to }) => /^react-aria(?:-components)?$/.test(to));
  assert.deepEqual(found, []);
});

test('components of console/ui know nothing of the session, the frame or the screens', async () => {
  const allowed = /^console\/(?:ui|texts)\//;
  const found = (await importsOfConsole()).filter(
    ({ from, to }) => from.startsWith('console/ui/') && to.startsWith('console/') && !allowed.test(to),
  );
  assert.deepEqual(found, []);
});

test('the console uses the server only through the SDK', async () => {
  const found = (await importsOfConsole()).filter(({ to }) => /^(?:src|web|test)\//.test(to));
  assert.deepEqual(found, []);
});

test('screens of different features do not import each other', async () => {
  const featureOf = (path: string) => /^console\/features\/([^/]+)\//.exec(path)?.[1];
  const found = (await importsOfConsole()).filter(({ from, to }) => {
    const [a, b] = [featureOf(from), featureOf(to)];
    return a !== undefined && b !== undefined && a !== b;
  });
  assert.deepEqual(found, []);
});

/** Folders with texts, such as `console/features/members`. */
async function textFolders(): Promise<string[]> {
  return (await listFiles('console', 'texts.en.json')).map((path) => posix.dirname(path));
}

async function readTexts(folder: string, locale: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readText(`${folder}/texts.${locale}.json`));
}

test('every text exists in every language, with the same placeholders', async () => {
  const placeholders = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])/g))].sort();
  for (const folder of await textFolders()) {
    const [english, ...others] = await Promise.all(LOCALES.map((locale) => readTexts(folder, locale)));
    for (const other of others) {
      assert.deepEqual(Object.keys(other), Object.keys(english ?? {}), folder);
      for (const [key, text] of Object.entries(english ?? {}))
        assert.deepEqual(placeholders(other[key] ?? ''), placeholders(text), `${folder}: ${key}`);
    }
  }
});

test('every text is used', async () => {
  const unused: string[] = [];
  for (const folder of await textFolders()) {
    const files = [...(await listFiles(folder, '.ts')), ...(await listFiles(folder, '.tsx'))];
    // Screens show texts of the frame, too.
    const others = folder === 'console/shell' ? await listFiles('console', '.tsx') : [];
    const code = (await Promise.all([...files, ...others].map(readText))).join('\n');
    for (const key of Object.keys(await readTexts(folder, 'en')))
      if (!code.includes(`'${key}'`) && !usesPrefix(code, key)) unused.push(`${folder}: ${key}`);
  }
  assert.deepEqual(unused, []);
});

/** True if the code builds a key from its beginning, as in `status.${status}`. */
function usesPrefix(code: string, key: string): boolean {
  return [...code.matchAll(/`([\w.-]+)\$\{\w+\}([\w.-]*)`/g)].some(
    ([, start = '', end = '']) => key.startsWith(start) && key.endsWith(end),
  );
}

test('a screen calls each operation that it makes a form or a dialog of', async () => {
  const screens = (await importsOfConsole()).filter(
    ({ from, to }) => to.startsWith('operation:') && /^console\/features\/(?!parts\/)/.test(from),
  );
  assert.ok(screens.length > 0);
  for (const { from, to } of screens) {
    const [resource = '', name = ''] = to.replace('operation:', '').split('.').map(toCamelCase);
    assert.ok((await readText(from)).includes(`.${resource}.${name}(`), `${from} does not call ${to}`);
  }
});

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
