/**
 * A process that runs the test files the runner assigns to it, one after another: loading the product and starting an
 * app takes longer than the tests of most files.
 */
import { on } from 'node:events';
import { join } from 'node:path';
import test, { suite } from 'node:test';
import { ROOT } from '../harness/repository.ts';
import { shareTestApp } from '../harness/test-app.ts';
import type { Assignment } from './messages.ts';

test('worker', async () => {
  if (process.env.TESSERA_TEST_SHARED_APP === 'yes') await shareTestApp();
  process.send?.({ type: 'ready' });
  for await (const [message] of on(process, 'message')) {
    const { file }: Assignment = message;
    if (file === null) break;
    // Everything that a file starts ends with its suite.
    await suite(file, async () => {
      await import(join(ROOT, file));
    });
  }
  process.disconnect();
});
