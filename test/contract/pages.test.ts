import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { posix } from 'node:path';
import test from 'node:test';
import { features } from '../../src/features/index.ts';
import { listPages, ROOT, readText } from '../harness/repository.ts';

/** Matches code in a page: fenced blocks and spans. */
const CODE = /^```[\s\S]*?^```|`[^`\n]+`/gm;
/** npm's own commands; all others must be scripts of this package. */
const NPM_COMMANDS = new Set(['ci', 'run', 'i', 'install']);

test('every npm command in the documentation exists', async () => {
  const { scripts } = JSON.parse(await readText('package.json'));
  const missing: string[] = [];
  for (const page of await listPages()) {
    const code = ((await readText(page)).match(CODE) ?? []).join('\n');
    for (const [, run, name = ''] of code.matchAll(/\bnpm (run )?([a-z][a-z:-]*)/g)) {
      const isKnown = Object.hasOwn(scripts, name) || (run === undefined && NPM_COMMANDS.has(name));
      if (!isKnown) missing.push(`${page}: npm ${run ?? ''}${name}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('every link between pages and files resolves', async () => {
  const broken: string[] = [];
  for (const page of await listPages()) {
    for (const [, target = ''] of (await readText(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path = ''] = target.split('#');
      if (path === '' || /^[a-z]+:/.test(target)) continue;
      const file = posix.join(ROOT, posix.dirname(page), path);
      await access(file).catch(() => broken.push(`${page}: ${target}`));
    }
  }
  assert.deepEqual(broken, []);
});

test('the operating guide explains every configuration variable', async () => {
  const guide = await readText('docs/operating.md');
  const names = [...(await readText('config.example.env')).matchAll(/^#([A-Z_]+)=/gm)].map(
    ([, name]) => name,
  );
  assert.ok(names.length > 10);
  assert.deepEqual(
    names.filter((name) => !guide.includes(`\`${name}\``)),
    [],
  );
});

test('the operating guide states what is removed when', async () => {
  const retentions = features.flatMap((feature) => feature.retentions ?? []);
  const rows = retentions.map(({ description, keptHours }) => {
    const kept = keptHours % 24 === 0 && keptHours > 24 ? `${keptHours / 24} days` : `${keptHours} hours`;
    return `| ${description} | ${kept} |`;
  });
  const section =
    (await readText('docs/operating.md')).split('## What is removed')[1]?.split('\n## ')[0] ?? '';
  const listed = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what'));
  assert.deepEqual(listed.sort(), rows.sort());
});

test('the limits of the security page are where it says', async () => {
  const page = await readText('docs/security.md');
  const wrong: string[] = [];
  for (const [, path = ''] of page.matchAll(/\b(src\/[\w./-]*\w)/g))
    await access(posix.join(ROOT, path)).catch(() => wrong.push(path));
  for (const [, name = '', path = ''] of page.matchAll(/`([A-Z_]+)` in (src\/[\w./-]+\.ts)/g))
    if (!(await readText(path).catch(() => '')).includes(name)) wrong.push(`${name} in ${path}`);
  assert.deepEqual(wrong, []);
});

test('the image and version managers use the pinned Node version', async () => {
  const { dependencies } = JSON.parse(await readText('package.json'));
  const images = [
    ...(await readText('Dockerfile')).matchAll(/^ARG NODE_IMAGE=node:(\S+)-slim@sha256:[\da-f]{64}$/gm),
  ];
  assert.deepEqual([...new Set(images.map(([, version]) => version))], [dependencies.node]);
  assert.equal((await readText('.node-version')).trim(), dependencies.node);
});
