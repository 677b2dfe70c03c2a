import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { createMailTenant } from '../harness/mail.ts';
import { readText } from '../harness/repository.ts';
import { startTestApp } from '../harness/test-app.ts';

const GUIDE_BOUND_MS = 60_000;

test('the guide of journeys works as it is written, and tells what it says it tells', async () => {
  const app = await startTestApp();
  const tenant = await createMailTenant(app);
  const guide = await readText('docs/journeys.md');
  const blocksOf = (language: string) =>
    [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      ([, block = '']) => block,
    );
  const call = /^call\(\) .*$/m.exec(guide)?.[0] ?? '';
  const script = [call, ...blocksOf('bash')].join('\n').replaceAll('@shop.example', `@${tenant.domain}`);
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, TESSERA: app.url, KEY: tenant.apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: GUIDE_BOUND_MS,
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await rm(folder, { recursive: true });
  assert.equal(child.exitCode, 0, `${output}\n${errors}`);
  const told = blocksOf('text');
  assert.equal(told.length, 2);
  for (const block of told) assert.ok(output.includes(block), `${block}is not in\n${output}`);
});
