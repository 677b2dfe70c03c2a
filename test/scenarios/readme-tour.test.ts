import assert from 'node:assert/strict';
import test from 'node:test';
import { bashBlocks, freePort, runBash } from '../harness/bash-blocks.ts';
import { startTestApp } from '../harness/test-app.ts';

export const neverRunsOn = ['cluster'];

test('the tour of the README works when it is pasted', async () => {
  const app = await startTestApp({
    RATE_LIMITS: 'on',
    // A receiver of the tour may take longer to start than the tour waits for it.
    WEBHOOK_BACKOFF_SECONDS: '1,1,2,4',
  });
  const tenant = await app.createTenant();
  const credentials = { TESSERA_KEY: tenant.apiKey, TESSERA_ADMIN: app.app.platform.config.adminToken };
  const output = await runBash(await bashBlocks('README.md', app.url, await freePort()), credentials);

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
