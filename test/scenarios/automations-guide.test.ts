/** The commands of the guide to automations, pasted in their order. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bashBlocks, freePort, runBash } from '../harness/bash-blocks.ts';
import { PASSWORD, startTestApp } from '../harness/test-app.ts';

test('the guide to automations works when it is pasted', async () => {
  const app = await startTestApp({ RATE_LIMITS: 'on' });
  const tenant = await app.createTenant();
  const output = await runBash(await bashBlocks('docs/automations.md', app.url, await freePort()), {
    ...{ TESSERA_KEY: tenant.apiKey, TESSERA_ADMIN: app.app.platform.config.adminToken },
    ...{ owner: tenant.ownerEmail, password: PASSWORD },
  });

  // A dry run of an order that does not exist, and of one that does.
  assert.match(output, /^{"status":"failed","error":"[^"]+","actions":\[{"key":"note","status":"failed"/m);
  assert.match(output, /^{"status":"succeeded","error":null,"actions":\[{"key":"note".*"key":"regular"/m);
  assert.match(output, /"subject":"Order 2026-1 is paid"/);
  // The run of it, with a condition that holds, and what has come of it.
  assert.match(output, /^called \/parcels [0-9a-f-]{36}$/m);
  assert.match(output, /"status":"succeeded".*"result":{"status":200,.*"parcel":"P-77".*"key":"regular"/);
  assert.match(output, /"note":"Paid: 120\.5"/);
  assert.match(output, /"to":\["?ada@example\.org|"subject":"Order 2026-1 is paid"/);
  // The one that failed, and its replay.
  assert.match(
    output,
    /"status":"failed".*"key":"note","status":"succeeded".*"key":"ship","status":"failed"/,
  );
  assert.match(output, /"status":"succeeded".*"parcel":"P-78".*"key":"regular","status":"skipped"/);
  // Those who came by the hook and by the file.
  assert.match(output, /^{"run_id":"[0-9a-f-]{36}"}$/m);
  const people = output.split('\n').findLast((line) => line.includes('joan@example.org')) ?? '';
  for (const email of ['ada@example.org', 'grace@example.org', 'joan@example.org'])
    assert.ok(people.includes(email), `${email} is a regular`);
});
