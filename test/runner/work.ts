import { join } from 'node:path';
import { suite } from 'node:test';
import { ROOT } from '../harness/repository.ts';
import { shareTestApp } from '../harness/test-app.ts';
import { claimFiles } from './claims.ts';

/** The test of one process: test files, one after another, until none is left. What a file starts ends with it. */
export async function runFiles(): Promise<void> {
  await shareTestApp();
  for await (const file of claimFiles()) {
    await suite(file, async () => {
      await import(join(ROOT, file));
    });
  }
}
