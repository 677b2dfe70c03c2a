import assert from 'node:assert/strict';
import { posix } from 'node:path';
import test from 'node:test';
import { EVERY_TENANT_USES, LOOK_UPS } from '../../src/db/every-tenant.ts';
import { OWNER_USES } from '../../src/db/owner-uses.ts';
import { readSchemaFiles } from '../../src/db/schema-files.ts';
import { features } from '../../src/features/index.ts';
import { areaOf, featureFolderOf } from '../harness/features.ts';
import { listFiles, readText } from '../harness/repository.ts';
import { importsOf } from '../runner/imports.ts';

/** The linter limits functions to 80 lines. */
const MAX_LINES = 400;
const MAX_TEST_LINES = 500;
/** Files that assemble the process and so import both platform and features. */
const COMPOSITION = ['src/app.ts', 'src/open-platform.ts'];
const COMMANDS = 'src/cli/';
/** The manifest's type, which the platform reads. */
const MANIFEST = 'src/features/feature.ts';
/**
 * Files that may read environment variables: one reads the configuration, the others set options of libuv and the C
 * library.
 */
const ENVIRONMENT_READERS = ['src/config.ts', 'src/thread-pool.ts'];

/** The file that opens the database and declares the interfaces that other files implement. */
const DATABASE = 'src/db/database.ts';

interface Import {
  readonly from: string;
  readonly to: string;
}

const isForTests = (path: string) => path.endsWith('.test.ts');

async function sourceFiles(): Promise<string[]> {
  return (await listFiles('src', '.ts')).filter((path) => !isForTests(path));
}

/** Resolved relative imports of all source files, without augmentations (`declare module`). */
async function listImports(): Promise<Import[]> {
  const imports: Import[] = [];
  for (const from of await sourceFiles()) {
    const text = await readText(from);
    for (const [, target = ''] of text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)) {
      imports.push({ from, to: posix.join(posix.dirname(from), target) });
    }
  }
  return imports;
}

const show = ({ from, to }: Import) => `${from} imports ${to}`;

test('platform folders import no feature', async () => {
  const wrong = (await listImports()).filter(
    ({ from, to }) =>
      !from.startsWith('src/features/') &&
      !COMPOSITION.includes(from) &&
      !from.startsWith(COMMANDS) &&
      to.startsWith('src/features/') &&
      to !== MANIFEST,
  );
  assert.deepEqual(wrong.map(show), []);
});

test('an area imports another only through its api.ts', async () => {
  const wrong = (await listImports()).filter(({ from, to }) => {
    const target = areaOf(to);
    if (target === null || target === areaOf(from) || from === 'src/features/index.ts') return false;
    return to !== `src/features/${target}/api.ts`;
  });
  assert.deepEqual(wrong.map(show), []);
});

test('a feature imports another of its area only through its index.ts', async () => {
  const wrong = (await listImports()).filter(({ from, to }) => {
    const target = featureFolderOf(to);
    return areaOf(from) === areaOf(to) && target !== featureFolderOf(from) && to !== `${target}/index.ts`;
  });
  assert.deepEqual(wrong.map(show), []);
});

test('imports between areas have no cycle and match ARCHITECTURE.md', async () => {
  const imports = new Map<string, Set<string>>();
  for (const { from, to } of await listImports()) {
    const [area, target] = [areaOf(from), areaOf(to)];
    if (area === null) continue;
    const targets = imports.get(area) ?? new Set();
    imports.set(area, targets);
    if (target !== null && target !== area) targets.add(target);
  }
  const importsTextOf = (area: string) => [...(imports.get(area) ?? [])].sort().join(', ');
  // Areas of a layer that import the same share a row.
  const rows = layersOf(imports).flatMap((areas, layer) =>
    [...Map.groupBy(areas, importsTextOf)].map(
      ([text, group]) => `| ${layer} | ${group.join(', ')} | ${text} |`,
    ),
  );
  const shown = (await readText('ARCHITECTURE.md')).split('\n').filter((line) => /^\| \d \|/.test(line));
  assert.deepEqual(shown, rows);
});

/** Sorts areas into layers: an area imports only areas of earlier layers. @throws Error naming the areas of a cycle. */
function layersOf(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const placed = new Set<string>();
  const layers: string[][] = [];
  while (placed.size < imports.size) {
    const layer = [...imports].flatMap(([area, targets]) =>
      !placed.has(area) && targets.isSubsetOf(placed) ? [area] : [],
    );
    if (layer.length === 0)
      throw new Error(`A cycle: ${[...imports.keys()].filter((area) => !placed.has(area)).join(', ')}`);
    for (const area of layer) placed.add(area);
    layers.push(layer.sort());
  }
  return layers;
}

test('no source files load each other in a cycle', async () => {
  const loaded = new Map<string, readonly string[]>();
  for (const file of await sourceFiles()) loaded.set(file, await importsOf(file));
  assert.deepEqual(filesOfCycles(loaded), []);
});

test('no source files import each other in a cycle, not even for types', async () => {
  const imported = Map.groupBy(await listImports(), ({ from }) => from);
  assert.deepEqual(
    filesOfCycles(new Map([...imported].map(([file, imports]) => [file, imports.map(({ to }) => to)]))),
    [],
  );
});

/** Returns the files in cycles, and those that import one: repeatedly removes files that import none of the rest. */
function filesOfCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  let rest = imports;
  for (let before = -1; before !== rest.size; ) {
    before = rest.size;
    const current = rest;
    rest = new Map([...current].filter(([, paths]) => paths.some((path) => current.has(path))));
  }
  return [...rest.keys()];
}

test('the source imports neither tests nor browser code', async () => {
  const wrong = (await listImports()).filter(({ to }) => !to.startsWith('src/') || isForTests(to));
  assert.deepEqual(wrong.map(show), []);
});

test('every feature folder is registered under its own name', async () => {
  const folders = new Set((await sourceFiles()).flatMap((path) => featureFolderOf(path) ?? []));
  const names = [...folders].map((folder) => folder.split('/').at(-1) ?? folder);
  assert.deepEqual(features.map((feature) => feature.name).sort(), names.sort());
});

test('migrations are numbered from 0001 without gaps', async () => {
  const { migrations } = await readSchemaFiles();
  const names = migrations.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name)),
    [],
  );
});

test('only the configuration reads environment variables', async () => {
  const readers: string[] = [];
  for (const path of await sourceFiles()) {
    if (/process\.env|import \{[^}]*\benv\b[^}]*\} from 'node:process'/.test(await readText(path)))
      readers.push(path);
  }
  assert.deepEqual(readers, ENVIRONMENT_READERS);
});

test('work across tenants, or before the tenant is known, happens only in the files listed for it', async () => {
  const listed = (calls: string, uses: Readonly<Record<string, { readonly files: readonly string[] }>>) =>
    Object.entries(uses).flatMap(([use, { files }]) =>
      files.map((file) => `src/${file}: ${calls}('${use}')`),
    );
  const found = new Set<string>();
  for (const path of (await sourceFiles()).filter((each) => each !== DATABASE)) {
    for (const [, calls, use] of (await readText(path)).matchAll(
      /\b(everyTenant|lookUp)\b(?:\(\s*'([^']+)')?/g,
    ))
      found.add(`${path}: ${calls}('${use}')`);
  }
  const expected = [...listed('everyTenant', EVERY_TENANT_USES), ...listed('lookUp', LOOK_UPS)];
  assert.deepEqual([...found].sort(), expected.sort());
});

test('features do not know where the rows of a tenant are', async () => {
  const words = /\b(?:(?:is_?)?shard\w*|citus|clusters?|coordinator|colocat\w+)\b/i;
  const wrong: string[] = [];
  for (const path of [...(await sourceFiles()), ...(await listFiles('src', '.sql'))])
    if (featureFolderOf(path) !== null && words.test(await readText(path))) wrong.push(path);
  assert.deepEqual(wrong, []);
});

test('tables are changed only by the files listed for it', async () => {
  const found: string[] = [];
  for (const path of await sourceFiles()) {
    if (
      path.startsWith('src/features/') &&
      /\.(?:asOwner|readAsOwner|ownerSession)\(/.test(await readText(path))
    )
      found.push(path);
  }
  const listed = Object.values(OWNER_USES).flatMap(({ files }) => files.map((file) => `src/${file}`));
  assert.deepEqual(found.sort(), listed.sort());
});

test('features run SQL only through ScopedDb.raw, an EveryTenantDb or a lookup', async () => {
  const door = /\.execute\(\s*[^)\s]|\b(?:executeQuery|CompiledQuery|forTenant|withoutPlugins)\b/;
  const wrong: string[] = [];
  for (const path of await sourceFiles()) {
    if (featureFolderOf(path) !== null && door.test(await readText(path))) wrong.push(path);
  }
  assert.deepEqual(wrong, []);
});

test(`no file has more than ${MAX_LINES} lines, and no test file more than ${MAX_TEST_LINES}`, async () => {
  const long: string[] = [];
  for (const folder of ['src', 'web', 'test', 'bench', 'scripts']) {
    for (const path of await listFiles(folder, '.ts').catch(() => [])) {
      const lines = (await readText(path)).split('\n').length - 1;
      const most = isForTests(path) || folder === 'test' ? MAX_TEST_LINES : MAX_LINES;
      if (lines > most) long.push(`${path} (${lines})`);
    }
  }
  assert.deepEqual(long, []);
});
