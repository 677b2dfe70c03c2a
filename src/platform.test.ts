import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../test/harness/test-app.ts';
import { oncePerPlatform } from './platform.ts';

const { platform } = (await startTestApp()).app;

test('a value per platform is created once', () => {
  const stored = oncePerPlatform(() => ({}));
  assert.equal(stored(platform), stored(platform));
});

test('a value that failed to be created is created again by the next call', async () => {
  let tries = 0;
  const later = oncePerPlatform(async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return 'made';
  });
  await assert.rejects(later(platform), /not yet/);
  assert.equal(await later(platform), 'made');
  assert.equal(await later(platform), 'made');
  assert.equal(tries, 2);
});
