import assert from 'node:assert/strict';
import test from 'node:test';
import { createMetrics } from './metrics.ts';

test('a gauge that cannot be read does not hide the other metrics', async () => {
  const metrics = createMetrics();
  metrics.gauge('tessera_away', 'A value of a database that is away.', () =>
    Promise.reject(new Error('away')),
  );
  metrics.gauge('tessera_there', 'A value that is there.', async () => 7);
  const text = await metrics.render();
  assert.match(text, /^tessera_away Nan$/im);
  assert.match(text, /^tessera_there 7$/m);
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
});
