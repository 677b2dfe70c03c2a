/** The samples of the guide verify real deliveries. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { readText } from '../../../../test/harness/repository.ts';
import { signatureHeaders } from '../../../outbound/webhook-signature.ts';

const SECRETS = [`whsec_${Buffer.from('some bytes, not text: \xff').toString('base64')}`, 'plain s3cret ü'];
const BODY = '{"event":"click","url":"https://x.test/?a&b","name":"Zoë"}';

/** Returns the guide's sample in a language. */
async function sampleIn(language: string): Promise<string> {
  const guide = await readText('docs/tracking-and-bounces.md');
  const [, code = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide) ?? [];
  assert.notEqual(code, '');
  return code;
}

/** Deliveries to verify: valid, with another body, and too old. */
function cases() {
  return SECRETS.flatMap((secret) => {
    const at = new Date();
    const headers = signatureHeaders(secret, { id: 'event-1', at, body: BODY });
    const old = signatureHeaders(secret, { id: 'event-1', at: new Date(at.getTime() - 600_000), body: BODY });
    const rotated = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
    return [
      { secret, headers, body: BODY, expected: true },
      { secret, headers: rotated, body: BODY, expected: true },
      { secret, headers, body: BODY.replace('click', 'open'), expected: false },
      { secret, headers: { ...headers, 'webhook-id': 'event-2' }, body: BODY, expected: false },
      { secret, headers: old, body: BODY, expected: false },
      { secret: `${secret.slice(0, 6)}AAAA${secret.slice(6)}`, headers, body: BODY, expected: false },
    ];
  });
}

test('the JavaScript sample accepts only genuine requests', async () => {
  const code = Buffer.from(await sampleIn('js')).toString('base64');
  const { isGenuine } = await import(`data:text/javascript;base64,${code}`);
  for (const { secret, headers, body, expected } of cases())
    assert.equal(isGenuine(secret, headers, body), expected);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test('the Python sample accepts only genuine requests', {
  skip: !hasPython && 'no python3',
}, async () => {
  const code = `${await sampleIn('python')}
import json, sys
print(json.dumps([is_genuine(c["secret"], c["headers"], c["body"].encode()) for c in json.load(sys.stdin)]))
`;
  const samples = cases();
  const { stdout, stderr } = spawnSync('python3', ['-c', code], {
    input: JSON.stringify(samples),
    encoding: 'utf8',
  });
  assert.deepEqual(
    stderr === '' ? JSON.parse(stdout) : stderr,
    samples.map(({ expected }) => expected),
  );
});
