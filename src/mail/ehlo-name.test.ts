import assert from 'node:assert/strict';
import test from 'node:test';
import { loadConfig } from '../config.ts';
import type { Observation } from '../observe/observation.ts';
import { createMailTransport } from './configured-transport.ts';
import { ehloName, FALLBACK_NAME } from './ehlo-name.ts';

test('the EHLO name is the first full name or address of setting, public URL and machine', () => {
  const cases: readonly (readonly [string | null, string | null, string, string])[] = [
    ['mail.shop.example', 'https://tessera.example', 'host.example', 'mail.shop.example'],
    ['mail', 'https://tessera.example', 'host.example', 'mail'],
    [null, 'https://Tessera.Example:8443/base', '3f2c1a', 'tessera.example'],
    [null, 'https://tessera.example', 'host.example', 'tessera.example'],
    [null, 'http://localhost:3000', 'host.example', 'host.example'],
    [null, 'http://tessera:3000', 'host.example', 'host.example'],
    [null, 'http://tessera.local', '3f2c1a', FALLBACK_NAME],
    [null, 'http://127.0.0.1:3000', '3f2c1a', FALLBACK_NAME],
    [null, 'http://[::1]:3000', '3f2c1a', FALLBACK_NAME],
    [null, 'https://192.0.2.7', '3f2c1a', '[192.0.2.7]'],
    [null, 'https://[2001:db8::1]', '3f2c1a', '[IPv6:2001:db8::1]'],
    [null, 'https://xn--bcher-kva.example', '3f2c1a', 'xn--bcher-kva.example'],
    [null, null, 'host.example', 'host.example'],
    [null, null, 'Host.Example.', 'host.example'],
    [null, 'https://tessera.example.', '3f2c1a', 'tessera.example'],
    [null, 'http://my_app.example', 'host.example', 'host.example'],
    [null, 'http://my_app.example', 'app_1.net_default', FALLBACK_NAME],
    [null, null, '-web.example', FALLBACK_NAME],
    [null, null, 'web.42', FALLBACK_NAME],
    [null, null, 'bücher.example', 'xn--bcher-kva.example'],
    [null, 'http://0.0.0.0:3000', 'host.example', 'host.example'],
    [null, 'http://[::]:3000', 'host.example', 'host.example'],
    [null, 'http://[::ffff:127.0.0.1]:3000', 'host.example', 'host.example'],
    [null, 'http://tessera-0.tessera.svc.cluster.local', 'ip-10-0-0-1.ec2.internal', FALLBACK_NAME],
    [null, 'http://app.localhost', 'localhost.localdomain', FALLBACK_NAME],
    [null, 'http://10.0.0.5:3000', '3f2c1a', '[10.0.0.5]'],
    [null, 'https://tessera.shop.co.uk', '3f2c1a', 'tessera.shop.co.uk'],
    [null, null, 'ns3001234.ip-192-0-2.eu', 'ns3001234.ip-192-0-2.eu'],
    [null, null, 'vps-1a2b3c4d.vps.ovh.net', 'vps-1a2b3c4d.vps.ovh.net'],
    [null, null, '3f2c1a', FALLBACK_NAME],
    [null, null, 'DESKTOP-4F2K9', FALLBACK_NAME],
    [null, null, 'WIN-ABC.corp.local', FALLBACK_NAME],
    [null, 'http://nas.lan', 'web.home', FALLBACK_NAME],
    [null, 'http://nas.home.arpa', 'srv.corp', FALLBACK_NAME],
    [null, 'http://169.254.1.1', 'host.example', 'host.example'],
    [null, 'http://[fe80::1]', 'host.example', 'host.example'],
    [null, 'http://[fd00::1]:80', '3f2c1a', '[IPv6:fd00::1]'],
    [null, 'https://*.shop.example', 'host.example', 'host.example'],
    [null, 'https://bücher.example', '3f2c1a', 'xn--bcher-kva.example'],
    [null, 'https://a..example', 'host.example', 'host.example'],
    [null, 'http://host.docker.internal:3000', '3f2c1a', FALLBACK_NAME],
  ];
  for (const [smtpEhloName, publicUrl, machine, name] of cases)
    assert.equal(ehloName({ smtpEhloName, publicUrl }, machine), name, `${publicUrl} ${machine}`);
});

test('a start without a full host name logs a warning', async () => {
  const scoped = (): never => {
    throw new Error('No message is sent here.');
  };
  for (const [name, isWarned] of [
    ['mail.shop.example', false],
    ['[127.0.0.1]', true],
  ] as const) {
    const config = { ...loadConfig({ ADMIN_TOKEN: 'x' }), smtpUrl: 'smtp://127.0.0.1:1', smtpEhloName: name };
    const seen: Observation[] = [];
    const observe = (each: Observation) => seen.push(each);
    await createMailTransport(config, { clock: () => new Date(), scoped, observe }).close();
    assert.equal(
      seen.some(({ event }) => event === 'mail.unnamed'),
      isWarned,
    );
  }
});
