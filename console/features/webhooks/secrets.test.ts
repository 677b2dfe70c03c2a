import assert from 'node:assert/strict';
import test from 'node:test';
import { NO_SECRETS, secretsOf, withSecrets } from './secrets.ts';

const body = {
  signing_secret: 'a signing secret',
  target: {
    url: 'https://crm.test/in',
    headers: [
      { name: 'X-Source', value: 'form', is_secret: false },
      { name: 'Authorization', value: 'Bearer 1', is_secret: true },
    ],
  },
};

test('a draft has neither the signing secret nor values of secret headers', () => {
  const draft = withSecrets(body, NO_SECRETS);
  assert.doesNotMatch(JSON.stringify(draft), /a signing secret|Bearer/);
  assert.equal(draft.target.headers[0]?.value, 'form');
});

test('secrets that the user entered are sent with the draft', () => {
  assert.deepEqual(withSecrets(withSecrets(body, NO_SECRETS), secretsOf(body)), body);
});

test('the secret of a header stays with its name when another header is removed', () => {
  const [, header] = body.target.headers;
  const draft = { target: { url: body.target.url, headers: header === undefined ? [] : [header] } };
  assert.equal(withSecrets(draft, secretsOf(body)).target.headers[0]?.value, 'Bearer 1');
});
