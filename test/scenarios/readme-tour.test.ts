import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { startReceiver } from '../harness/receiver.ts';
import { readText } from '../harness/repository.ts';
import { startTestApp } from '../harness/test-app.ts';

const TOUR_BOUND_MS = 60_000;

/** The commands of the README's tour, in order, for a server and a receiver at other addresses than the README's. */
async function tourScript(url: string, receiverPort: number): Promise<string> {
  // A tour that ends early must not leave its receivers behind.
  const cleanUp = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT";
  const blocks = [...(await readText('README.md')).matchAll(/^```bash\n([\s\S]*?)^```$/gm)];
  assert.ok(blocks.length >= 6, 'the tour has its commands in bash blocks');
  return [cleanUp, ...blocks.map(([, commands = '']) => commands)]
    .join('\n')
    .replaceAll('http://localhost:3000', url)
    .replaceAll('4000', String(receiverPort));
}

async function runBash(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, ...env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TOUR_BOUND_MS,
  });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  assert.equal(code, 0, `${output}\n${errors}`);
  return output;
}

/** A port that is free now, for the tour's own receiver. */
async function freePort(): Promise<number> {
  const receiver = await startReceiver();
  await receiver.close();
  return receiver.port;
}

test('the tour of the README works when it is pasted', async () => {
  const app = await startTestApp({
    RATE_LIMITS: 'on',
    // A receiver of the tour may take longer to start than the tour waits for it.
    WEBHOOK_BACKOFF_SECONDS: '1,1,2,4',
  });
  const tenant = await app.createTenant();
  const credentials = { TESSERA_KEY: tenant.apiKey, TESSERA_ADMIN: app.app.platform.config.adminToken };
  const output = await runBash(await tourScript(app.url, await freePort()), credentials);

  assert.match(output, /"code":"INVALID_SUBMISSION".*"field":"guests"/);
  assert.match(output, /"field":"wishes"/);
  assert.equal(output.match(/^{"submission_id":/gm)?.length, 2);
  assert.match(output, /"email_address":"ada@example\.org".*"total":1/);
  assert.match(output, /"status":"Sent".*"delivered":1/);
  assert.match(output, /Grace, the garden is open/);
  assert.match(output, /received correct horse \{"data":/);
  assert.match(output, /"status":"success","attempts":\d,"last_status_code":200/);

  assert.match(output, /"code":"TEMPLATE_RENDER_ERROR".*"variable":"visit","line":1/);
  assert.match(
    output,
    /^{"subject":"A table for ADA & BOB","html":"<p>Dear Ada &amp; Bob, your table for 2 /m,
  );
  assert.match(output, /"state":"completed".*"counts":{"recipients":2,"queued":0,"sent":1,"failed":1,/);
  assert.match(
    output,
    /"recipient":"eve@example\.org","status":"failed","error":"The variable \\"name\\" is/,
  );
  assert.match(output, /"subject":"A table for ADA & BOB".*is kept on 01 May 2030.*"dkim-signature":"v=1;/);
  assert.match(output, /^The link leads to https:\/\/shop\.example\/menu\?utm_source=mail$/m);
  assert.match(output, /^told v1,\S+ {"event":"click".*"recipient":"ada@example\.org"/m);
  assert.match(output, /"step":"rendered".*"step":"handed_over".*"step":"clicked"/);

  const { body } = await tenant.api.post('/api/forms/list', { page: 1, limit: 10, filters: {} });
  const publicCode = body.results[0].public_code;
  assert.match(output, new RegExp(`Open ${app.url}/embed/${publicCode} in a browser`));
  await app.anonymous.get(`/embed/${publicCode}`);
});
