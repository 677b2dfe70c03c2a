import assert from 'node:assert/strict';
import { createPublicKey, randomUUID } from 'node:crypto';
import test from 'node:test';
import { answerWithCode, startDnsServer, type ZoneRecord } from '../../../../test/harness/dns-server.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { createTenant, startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { defaultBounceDomain, findBounceDomain, findDkimKey, getEmailSettings } from '../index.ts';
import { findVerifiedDomain } from './senders.ts';

const dns = await startDnsServer();
const app = await startTestApp({ DNS_SERVERS: dns.address, PUBLIC_URL: 'https://mail.tessera.example' });
const tenant = await app.createTenant();
const PATH = '/api/email_settings/sending_domains';
const DNS_CHECKS = ['dkim_status', 'spf_status', 'cname_status', 'mx_status', 'dmarc_status'];

const newName = () => `d${randomUUID().slice(0, 8)}.example`;
const scoped = (of: TestTenant = tenant) => app.app.platform.scoped(wholeTenant(of.tenantId));

const bounceDomainOf = async (of: TestTenant) =>
  defaultBounceDomain((await getEmailSettings(scoped(of))).sending_domains);

async function add(domain = newName(), api = tenant.api) {
  return (await api.post(PATH, { domain })).body;
}

async function verify(domain: string, api = tenant.api) {
  return (await api.post(`${PATH}/${domain}/verify`, undefined)).body;
}

/** Status of a domain with proven ownership. */
async function addVerified(of: TestTenant = tenant) {
  const { domain, dns_records } = await add(newName(), of.api);
  dns.records = [...dns.records, ...dns_records];
  await verify(domain, of.api);
  return domain;
}

/** Publishes the records of a new domain, modified by `change`, and returns its verified status. */
async function statusWith(change: (records: ZoneRecord[], domain: string) => readonly ZoneRecord[]) {
  const { domain, dns_records } = await add();
  dns.records = change(dns_records, domain);
  return (await verify(domain)).status;
}

/** Replaces the value of one record; `null` leaves the record out. */
const withValue = (purpose: string, value: string | null) => (records: readonly ZoneRecord[]) =>
  records.flatMap((record) => {
    if (!('purpose' in record) || !String(record.purpose).startsWith(purpose)) return [record];
    return value === null ? [] : [{ ...record, value }];
  });

test('every check of a new domain is pending, and the domain names the five records to publish', async () => {
  const domain = newName();
  const body = await add(` ${domain.toUpperCase()} `);
  assert.equal(body.domain, domain);
  assert.equal(body.is_default_bounce_domain, false);
  assert.ok(!Number.isNaN(Date.parse(body.creation_time)));
  const { ownership_verified, ...checks } = body.status;
  assert.equal(ownership_verified, false);
  assert.deepEqual(Object.keys(checks).sort(), [
    'abuse_at_status',
    'cname_status',
    'compliance_status',
    'dkim_status',
    'dmarc_status',
    'mx_status',
    'postmaster_at_status',
    'spf_status',
    'verification_mailbox_status',
  ]);
  assert.deepEqual([...new Set(Object.values(checks))], ['pending']);
  const [dkim, ...others] = body.dns_records;
  assert.match(dkim.name, new RegExp(`^[a-z0-9]+\\._domainkey\\.${domain}$`));
  assert.deepEqual(
    others.map(({ type, name, value }: ZoneRecord) => [type, name, value]),
    [
      ['TXT', domain, 'v=spf1 a:mail.tessera.example ~all'],
      ['CNAME', `bounces.${domain}`, 'mail.tessera.example'],
      ['MX', domain, '10 mail.tessera.example'],
      ['TXT', `_dmarc.${domain}`, 'v=DMARC1; p=none'],
    ],
  );
});

test('each domain has its own 2048-bit RSA key, which signs its mail', async () => {
  const [one, two] = [await add(), await add()];
  const publicKeys = [one, two].map(({ dns_records }) => /p=(.*)$/.exec(dns_records[0].value)?.[1] ?? '');
  assert.notEqual(publicKeys[0], publicKeys[1]);
  const key = createPublicKey({
    key: Buffer.from(publicKeys[0] ?? '', 'base64'),
    format: 'der',
    type: 'spki',
  });
  assert.equal(key.asymmetricKeyType, 'rsa');
  assert.equal(key.asymmetricKeyDetails?.modulusLength, 2048);
  const dkim = await findDkimKey(app.app.platform, scoped(), one.domain.toUpperCase());
  assert.equal(one.dns_records[0].name, `${dkim?.selector}._domainkey.${one.domain}`);
  assert.ok(createPublicKey(dkim?.privateKey ?? '').equals(key));
  assert.equal(await findDkimKey(app.app.platform, scoped(), newName()), null);
});

test('the private key is encrypted at rest and never returned', async () => {
  const { domain } = await add();
  const answer = await tenant.api.get(PATH);
  assert.doesNotMatch(answer.text, /PRIVATE|dkim_private_key/);
  const { dkim_private_key } = await app.app.platform.database
    .everyTenant('tests')
    .query.selectFrom('sending_domains')
    .select('dkim_private_key')
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow();
  assert.match(dkim_private_key, /^s1\./);
});

test('with the named records published all DNS checks are valid and the domain may send', async () => {
  const status = await statusWith((records) => records);
  for (const check of [...DNS_CHECKS, 'compliance_status']) assert.equal(status[check], 'valid', check);
  assert.equal(status.ownership_verified, true);
  assert.equal(status.abuse_at_status, 'pending');
});

test('with nothing published all checks stay pending and the domain may not send', async () => {
  const status = await statusWith(() => []);
  for (const check of DNS_CHECKS) assert.equal(status[check], 'pending', check);
  assert.equal(status.ownership_verified, false);
});

test('a name with records other than the required one leaves its check pending', async () => {
  const status = await statusWith((_records, domain) => [
    { type: 'TXT', name: domain, value: 'google-site-verification=1' },
    { type: 'TXT', name: `bounces.${domain}`, value: 'nothing' },
    { type: 'TXT', name: `_dmarc.${domain}`, value: 'hello' },
  ]);
  for (const check of DNS_CHECKS) assert.equal(status[check], 'pending', check);
});

test('records of others prove nothing: without the DKIM key the domain is not verified', async () => {
  const status = await statusWith(withValue('DKIM', null));
  assert.equal(status.dkim_status, 'pending');
  assert.equal(status.spf_status, 'valid');
  assert.equal(status.ownership_verified, false);
  assert.equal(status.compliance_status, 'pending');
});

const WRONG: readonly [string, string, string, string][] = [
  ["another domain's key", 'DKIM', 'v=DKIM1; k=rsa; p=MIIBIjANBgkq', 'dkim_status'],
  ['a revoked key', 'DKIM', 'v=DKIM1; k=rsa; p=', 'dkim_status'],
  ['a policy without this installation', 'SPF', 'v=spf1 include:other.example -all', 'spf_status'],
  ['a policy that lets nobody send', 'SPF', 'v=spf1 -all', 'spf_status'],
  ['a policy that forbids this installation', 'SPF', 'v=spf1 -a:mail.tessera.example +all', 'spf_status'],
  ['a bounce name that leads elsewhere', 'Bounce', 'other.example', 'cname_status'],
  ['an MX that stands for nobody', 'MX', '0 .', 'mx_status'],
  ['a DMARC policy without p', 'DMARC', 'v=DMARC1; rua=mailto:a@b.example', 'dmarc_status'],
  ['a DMARC policy of an unknown kind', 'DMARC', 'v=DMARC1; p=maybe', 'dmarc_status'],
];

for (const [kind, purpose, value, check] of WRONG) {
  test(`${kind} is invalid and does not affect other checks`, async () => {
    const status = await statusWith(withValue(purpose, value));
    for (const other of DNS_CHECKS) assert.equal(status[other], other === check ? 'invalid' : 'valid', other);
    assert.equal(status.ownership_verified, check !== 'dkim_status');
  });
}

const RIGHT: readonly [string, string, string][] = [
  ['a key record with other tags and spaces', 'DKIM', 'KEY'],
  ['a policy that names others too', 'SPF', 'v=spf1 include:relay.example +A:MAIL.tessera.example -all'],
  ['a bounce name in other case', 'Bounce', 'MAIL.Tessera.Example'],
  ['any mail server', 'MX', '5 mx.elsewhere.example'],
  ['a strict DMARC policy', 'DMARC', 'v=DMARC1;p=reject; rua=mailto:a@b.example'],
];

for (const [kind, purpose, value] of RIGHT) {
  test(`${kind} is valid`, async () => {
    const status = await statusWith((records) => {
      const key = /p=(.*)$/.exec(records[0]?.value ?? '')?.[1] ?? '';
      const spaced = ` k = rsa ; t=y; h=sha1:sha256; p = ${key.slice(0, 100)} ${key.slice(100)};`;
      return withValue(purpose, value === 'KEY' ? spaced : value)(records);
    });
    for (const check of DNS_CHECKS) assert.equal(status[check], 'valid', check);
  });
}

test('a check returns the values that it found in the place of each record', async () => {
  const { domain, dns_records: records } = await add();
  const spf = 'v=spf1 include:other.example -all';
  dns.records = [
    { type: 'TXT', name: domain, value: spf },
    { type: 'TXT', name: domain, value: 'google-site-verification=1' },
    ...records.filter(({ type }: ZoneRecord) => type === 'CNAME'),
  ];
  const { body } = await tenant.api.post(`${PATH}/${domain}/verify`, undefined);
  const found = body.dns_records.map((record: { found: string[] }) => record.found);
  assert.deepEqual(found, [[], [spf], ['mail.tessera.example'], [], []]);
  const { body: list } = await tenant.api.get(PATH);
  const listed = list.find((each: { domain: string }) => each.domain === domain);
  assert.deepEqual(listed.dns_records, records);
});

test('two records instead of one are invalid', async () => {
  const status = await statusWith((records) => [...records, ...records.filter(({ type }) => type === 'TXT')]);
  assert.equal(status.dkim_status, 'invalid');
  assert.equal(status.spf_status, 'invalid');
  assert.equal(status.dmarc_status, 'invalid');
});

test('the DMARC policy of the organizational domain applies to its subdomains', async () => {
  const parent = newName();
  const { domain, dns_records } = await add(`news.${parent}`);
  const others = withValue('DMARC', null)(dns_records);
  dns.records = [...others, { type: 'TXT', name: `_dmarc.${parent}`, value: 'v=DMARC1; p=quarantine' }];
  assert.equal((await verify(domain)).status.dmarc_status, 'valid');
});

test('responses are not cached, so a record is found right after its publication', async () => {
  const { domain, dns_records } = await add();
  dns.records = [];
  assert.equal((await verify(domain)).status.dkim_status, 'pending');
  dns.records = dns_records;
  assert.equal((await verify(domain)).status.dkim_status, 'valid');
  dns.records = [];
  const { status } = await verify(domain);
  assert.equal(status.dkim_status, 'pending');
  assert.equal(status.ownership_verified, false);
});

const NO_ANSWERS: Readonly<Record<string, (query: Buffer) => Buffer | null>> = {
  'fails (SERVFAIL)': (query) => answerWithCode(query, 2),
  refuses: (query) => answerWithCode(query, 5),
  'answers with rubbish': (query) => Buffer.concat([query.subarray(0, 2), Buffer.alloc(40, 0xff)]),
  'answers with half a message': (query) => answerWithCode(query, 0).subarray(0, 14),
};

for (const [kind, override] of Object.entries(NO_ANSWERS)) {
  test(`a resolver that ${kind} leaves the status as it was`, async () => {
    const domain = await addVerified();
    const fresh = await add();
    dns.override = override;
    const [kept, pending] = await Promise.all([verify(domain), verify(fresh.domain)]);
    dns.override = null;
    for (const check of DNS_CHECKS) {
      assert.equal(kept.status[check], 'valid', check);
      assert.equal(pending.status[check], 'pending', check);
    }
    assert.equal(kept.status.ownership_verified, true);
  });
}

test('an unresponsive resolver ends a verification in time, keeps the status and delays no other request', {
  timeout: 60_000,
}, async () => {
  const domain = await addVerified();
  const fresh = await add();
  dns.override = () => null;
  let isOver = false;
  const verified = Promise.all([verify(domain), verify(fresh.domain)]).finally(() => {
    isOver = true;
  });
  const listed = (await tenant.api.get(PATH)).body;
  assert.ok(listed.some((each: { domain: string }) => each.domain === domain));
  assert.equal(isOver, false, 'the list was answered while the checks still waited');
  const [kept, pending] = await verified;
  dns.override = null;
  for (const check of DNS_CHECKS) {
    assert.equal(kept.status[check], 'valid', check);
    assert.equal(pending.status[check], 'pending', check);
  }
  assert.equal(pending.status.ownership_verified, false);
});

test('the first domain whose bounce name resolves here is the default bounce domain until it is deleted', async () => {
  const other = await app.createTenant();
  assert.equal(await bounceDomainOf(other), null);
  const later = await add(newName(), other.api);
  const first = await addVerified(other);
  dns.records = [...dns.records, ...later.dns_records];
  await verify(later.domain, other.api);
  await verify(first, other.api);
  const flags = async () =>
    (await other.api.get(PATH)).body
      .filter((domain: { is_default_bounce_domain: boolean }) => domain.is_default_bounce_domain)
      .map(({ domain }: { domain: string }) => domain);
  assert.deepEqual(await flags(), [first]);
  assert.equal(await bounceDomainOf(other), `bounces.${first}`);
  assert.equal(
    (await other.api.get('/api/tenant/healthcheck')).body.config.emailProvider.sendingDomain,
    first,
  );
  await other.api.delete(`${PATH}/${first}`);
  assert.deepEqual(await flags(), [later.domain]);
});

test('no domain receives bounces before its ownership is verified, whoever points its bounce name here', async () => {
  const [owner, other] = [await app.createTenant(), await app.createTenant()];
  const domain = await addVerified(owner);
  await add(domain, other.api);
  const { status, is_default_bounce_domain } = await verify(domain, other.api);
  assert.equal(status.cname_status, 'valid');
  assert.equal(is_default_bounce_domain, false);
  assert.equal(await bounceDomainOf(other), null);
  assert.equal(await bounceDomainOf(owner), `bounces.${domain}`);
});

test('an envelope sender is valid at a verified domain and at its bounce name, if that resolves here', async () => {
  const domain = await addVerified();
  for (const address of [`a@${domain}`, `A@Bounces.${domain.toUpperCase()}`])
    assert.equal((await findBounceDomain(scoped(), address))?.domain, domain, address);
  for (const address of [`a@x.${domain}`, 'a@bounces.', 'a@bounces.example', 'nobody', ''])
    assert.equal(await findBounceDomain(scoped(), address), null, address);
  dns.records = withValue('Bounce', null)(dns.records);
  await verify(domain);
  assert.equal(await findBounceDomain(scoped(), `a@${domain}`), null);
  assert.equal((await findVerifiedDomain(scoped(), `a@${domain}`))?.domain, domain);
  assert.equal(await findVerifiedDomain(scoped(), `a@below.${domain}`), null);
});

test('a domain that the operator vouches for passes all checks without a DNS query', async () => {
  const other = await app.createTenant();
  const domain = newName();
  const vouch = `/admin/tenants/${other.code}/sending-domains`;
  const queries = dns.queriedNames.length;
  assert.deepEqual((await app.admin.post(vouch, { domain: domain.toUpperCase(), verified: true })).body, {
    domain,
  });
  assert.equal(dns.queriedNames.length, queries);
  const [listed] = (await other.api.get(PATH)).body;
  const { ownership_verified, ...checks } = listed.status;
  assert.equal(ownership_verified, true);
  assert.deepEqual([...new Set(Object.values(checks))], ['valid']);
  assert.equal(listed.is_default_bounce_domain, true);
  assert.ok(await findDkimKey(app.app.platform, scoped(other), domain));
  assert.equal(await findVerifiedDomain(scoped(), `a@${domain}`), null);
});

test('a vouched domain stays verified whatever its records, until the operator revokes it', async () => {
  const { domain } = await add();
  const vouch = `/admin/tenants/${tenant.code}/sending-domains`;
  await app.admin.post(vouch, { domain, verified: true });
  dns.records = [];
  const { status } = await verify(domain);
  assert.equal(status.dkim_status, 'pending');
  assert.equal(status.ownership_verified, true);
  await app.admin.post(vouch, { domain, verified: false });
  assert.equal(await findVerifiedDomain(scoped(), `a@${domain}`), null);
  await app.admin.post(`/admin/tenants/nobody/sending-domains`, { domain, verified: true }, 404);
  await app.admin.post(vouch, { domain: 'no domain', verified: true }, 400);
});

test('two tenants may have the same domain, each with its own key to publish', async () => {
  const other = await app.createTenant();
  const domain = newName();
  const [own, foreign] = [await add(domain), await add(domain, other.api)];
  dns.records = own.dns_records;
  assert.equal((await verify(domain)).status.ownership_verified, true);
  const { status } = await verify(domain, other.api);
  assert.equal(status.ownership_verified, false);
  assert.notEqual(own.dns_records[0].name, foreign.dns_records[0].name);
  await other.api.delete(`${PATH}/${domain}`);
  assert.equal((await findVerifiedDomain(scoped(), `a@${domain}`))?.domain, domain);
});

test('a domain is added once, also by concurrent calls', async () => {
  const domain = newName();
  const answers = await Promise.all([1, 2, 3].map(() => tenant.api.send('POST', PATH, { body: { domain } })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422]);
  const refused = answers.find(({ status }) => status === 422)?.body.error;
  assert.equal(refused.code, 'VALIDATION_ERROR');
  assert.equal(refused.details[0].field, 'domain');
});

test('an international domain has its ASCII name', async () => {
  const name = `bücher-${randomUUID().slice(0, 8)}.example`;
  const { domain } = await add(name);
  assert.match(domain, /^xn--bcher-/);
  assert.deepEqual((await tenant.api.delete(`${PATH}/${encodeURIComponent(name)}`)).body, { domain });
});

test('an invalid domain name answers 400 naming the field', async () => {
  const wrong = [
    ...['', ' ', 'localhost', 'example', '.example.com', 'example.com.', 'a..example', '-a.example'],
    ...[
      'a_b.example',
      'a b.example',
      'http://a.example',
      'a@b.example',
      '192.0.2.1',
      '[::1]',
      '1.2',
      '*.example',
    ],
    ...[
      'a.example/x',
      "a'.example",
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(120)}example`,
      'a.example\r\nb.example',
      ...['a.example\tb.ü', 'a%2eü.example', 'ü.example/x', 'a\u200b.ü', '１.２.３.４'],
    ],
  ];
  for (const domain of wrong) {
    const { error } = (await tenant.api.post(PATH, { domain }, 400)).body;
    assert.equal(error.code, 'INVALID_REQUEST', domain);
    assert.equal(error.details[0].field, 'domain', domain);
  }
});

test("a missing domain answers 404 in the area's envelope", async () => {
  for (const name of [newName(), 'nonsense', '../x', 'a'.repeat(400)]) {
    const { error } = (await tenant.api.post(`${PATH}/${encodeURIComponent(name)}/verify`, undefined, 404))
      .body;
    assert.deepEqual(Object.keys(error).sort(), ['code', 'details', 'message']);
    assert.equal(error.code, 'NOT_FOUND');
    await tenant.api.delete(`${PATH}/${encodeURIComponent(name)}`, 404);
  }
});

test('only an admin of Default or an owner changes domains; members with any unit read them', async () => {
  const other = await createTenant(app.url, app.admin);
  const { domain } = await add(newName(), other.api);
  const unit = (await other.api.post('/api/client/v1/business-units', { name: 'North' })).body.bu_id;
  const admin = await createMember(other, [{ bu_id: other.defaultUnitId, role: 'admin' }]);
  const elsewhere = await createMember(other, [
    { bu_id: unit, role: 'admin' },
    { bu_id: other.defaultUnitId, role: 'editor' },
  ]);
  const ungranted = await createMember(other, []);
  assert.equal((await elsewhere.api.get(PATH)).body.length, 1);
  assert.deepEqual((await ungranted.api.get(PATH)).body, []);
  assert.equal((await elsewhere.api.post(PATH, { domain: newName() }, 403)).body.error.code, 'FORBIDDEN');
  await elsewhere.api.post(`${PATH}/${domain}/verify`, undefined, 403);
  await elsewhere.api.delete(`${PATH}/${domain}`, 403);
  await verify(domain, admin.api);
  assert.deepEqual((await admin.api.delete(`${PATH}/${domain}`)).body, { domain });
});
