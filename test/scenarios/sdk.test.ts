/** The SDK's package as its users have it: built, installed, and used as in its README. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { createRecordsTenant, SHOP } from '../harness/records.ts';
import { ROOT, readText } from '../harness/repository.ts';
import { PASSWORD, startTestApp } from '../harness/test-app.ts';

const run = promisify(execFile);
const app = await startTestApp();
await run(process.execPath, ['--no-warnings', join(ROOT, 'sdk/build.ts')]);
const project = await mkdtemp(join(tmpdir(), 'tessera-sdk-'));
after(() => rm(project, { recursive: true }));
await run('mkdir', [join(project, 'node_modules')]);
await symlink(join(ROOT, 'sdk'), join(project, 'node_modules/tessera-sdk'));
await writeFile(join(project, 'package.json'), '{"type": "module"}');

test('the program in the README runs', async () => {
  const tenant = await app.createTenant();
  await writeFile(join(project, 'readme.js'), await readTutorial());
  const { stdout } = await run(process.execPath, ['readme.js'], {
    cwd: project,
    env: {
      ...process.env,
      TESSERA_URL: app.url,
      TESSERA_API_KEY: tenant.apiKey,
      TESSERA_ADMIN_TOKEN: app.env.ADMIN_TOKEN,
    },
  });
  const lines = stdout.split('\n');
  for (const line of [
    'ada@example.com',
    'subscriber A subscriber was created.',
    '2 created, 0 failed []',
    '1 ada@example.com',
    '409 DUPLICATE_EMAIL',
    'FORM_NOT_FOUND',
    'A-1',
    'conflict number',
    'Good morning to you',
  ])
    assert.ok(lines.includes(line), `${line} in ${stdout}`);
});

/** Returns the code blocks of the README as one program. */
async function readTutorial(): Promise<string> {
  return [...(await readText('sdk/README.md')).matchAll(/```js\n(.*?)```/gs)]
    .map(([, code]) => code)
    .join('\n');
}

test('the package contains code, types, licence and nothing else', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: join(ROOT, 'sdk') });
  const packed: unknown = JSON.parse(stdout);
  const [{ files }] = packed as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  for (const path of [
    'LICENSE',
    'README.md',
    'package.json',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/cli.js',
  ])
    assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => !/^(?:LICENSE|README\.md|package\.json|dist\/.*\.(?:js|d\.ts))$/.test(path)),
    [],
  );
});

const CONSUMER = `import { Tessera } from 'tessera-sdk';

const tessera = new Tessera({ url: 'http://localhost', accessToken: 'x' });
export async function check(): Promise<void> {
  const order = await tessera.records('order').create({ number: 'A-1' });
  const id: string = order.id;
  const page = await tessera.records('order').list({ where: { total__gt: 5 }, include: ['customer'] });
  const total: number | null | undefined = page.data[0]?.total;
  await tessera.records('order').list({ where: { count__in: [1, 2], number__like: 'A' }, sort: ['-total', 'number'] });
  // @ts-expect-error: the total is a number.
  await tessera.records('order').list({ where: { total__gt: 'much' } });
  // @ts-expect-error: an order has no such field.
  await tessera.records('order').list({ sort: '-totl' });
  // @ts-expect-error: an order has no such field.
  await tessera.records('order').create({ numbr: id, total });
  // @ts-expect-error: an order has no such relation.
  await tessera.records('order').get(id, { include: ['customers'] });
  await tessera.subscribers.list({ sort: '-email' });
  // @ts-expect-error: subscribers cannot be sorted by their names.
  await tessera.subscribers.list({ sort: 'first_name' });
  // @ts-expect-error: webhooks have no such field.
  await tessera.webhooks.all({ sort: 'nme' }).next();
}
`;

const COMPILERS = { 'TypeScript 5.5': 'sdk/node_modules', 'TypeScript 7': 'node_modules' };
/** Resolution, module kind and libraries of programs that use the package. */
const SETTINGS = [
  ['nodenext', 'nodenext', ['es2022']],
  ['bundler', 'esnext', ['es2022', 'dom']],
] as const;

for (const [name, folder] of Object.entries(COMPILERS)) {
  test(`${name} compiles the README and custom entities with their fields, conditions and relations`, async () => {
    const tenant = await createRecordsTenant(app, SHOP);
    const env = { ...process.env, TESSERA_URL: app.url, TESSERA_API_KEY: tenant.apiKey };
    const command = ['node_modules/tessera-sdk/dist/cli.js', 'types', 'entities.ts'];
    await run(process.execPath, command, { cwd: project, env });
    assert.match(await readFile(join(project, 'entities.ts'), 'utf8'), /interface Order /);
    await writeFile(join(project, 'consumer.ts'), CONSUMER);
    await writeFile(join(project, 'readme.ts'), await readTutorial());
    for (const [moduleResolution, kind, lib] of SETTINGS) {
      await writeFile(join(project, 'tsconfig.json'), configOf(moduleResolution, kind, lib));
      const tsc = join(ROOT, folder, '.bin/tsc');
      const { stdout } = await run(tsc, ['-p', project]).catch((error) => error);
      assert.equal(stdout, '', moduleResolution);
    }
  });
}

function configOf(moduleResolution: string, kind: string, lib: readonly string[]): string {
  const compilerOptions = {
    ...{ moduleResolution, module: kind, lib, target: 'es2022', noEmit: true, skipLibCheck: false },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
  };
  return JSON.stringify({ compilerOptions, files: ['consumer.ts', 'entities.ts', 'readme.ts'] });
}

test('a user without an API key signs in to generate types', async () => {
  const tenant = await createRecordsTenant(app, SHOP);
  const { TESSERA_API_KEY: _none, ...environment } = process.env;
  const args = ['node_modules/tessera-sdk/dist/cli.js', 'types', 'signed-in.ts', '--url', app.url];
  await run(process.execPath, [...args, '--email', tenant.ownerEmail], {
    cwd: project,
    env: { ...environment, TESSERA_PASSWORD: PASSWORD },
  });
  assert.match(await readFile(join(project, 'signed-in.ts'), 'utf8'), /interface Order /);
});
