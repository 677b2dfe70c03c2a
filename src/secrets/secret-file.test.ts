import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readOrCreateSecretFile } from './secret-file.ts';

test('the second writer, even after finding no file, gets the line of the first and leaves no file behind', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-secret-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'secret');
  const result = readOrCreateSecretFile(path, () => {
    readOrCreateSecretFile(path, () => 'first');
    return 'second';
  });
  assert.equal(result, 'first');
  assert.deepEqual(readdirSync(folder), ['secret']);
});
