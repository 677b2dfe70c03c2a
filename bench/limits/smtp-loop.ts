/**
 * The limit of `sending`: one prebuilt message of `SIZE` bytes is signed for each send by the same signer, and sent in
 * a loop over `CONNECTIONS` pooled connections of nodemailer, as a program without Tessera would do it. It begins when
 * the process starts.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { signDkim } from '../../src/mail/dkim.ts';
import { buildMime } from '../../src/mail/message.ts';

const { RELAY = '', COUNT = '', CONNECTIONS = '', SIZE = '' } = process.env;
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const dkim = { domain: 'bench.example', selector: 'bench', privateKey };
const envelope = { from: 'shop@bench.example', to: 'ada@example.com' };
const frame = 2000;
const mime = await buildMime({
  from: { address: envelope.from },
  to: { address: envelope.to },
  subject: 'Hello',
  html: '<p>The quick brown fox jumps over the lazy dog.</p>\r\n'.repeat(
    Math.max(1, Math.round((Number(SIZE) - frame) / 52)),
  ),
  headers: {},
  messageId: '<prebuilt@bench.example>',
  date: new Date(),
  attachments: [],
  envelope,
});
const relay = new URL(RELAY);
const transport = createTransport({
  pool: true,
  host: relay.hostname,
  port: Number(relay.port),
  maxConnections: Number(CONNECTIONS),
  maxMessages: 1000,
});
let left = Number(COUNT);

async function sendInTurn(): Promise<void> {
  while (left > 0) {
    left -= 1;
    await transport.sendMail({ envelope, raw: await signDkim(mime, dkim) });
  }
}

console.log(`runs at ${RELAY.replace('smtp:', 'http:')}`);
process.once('SIGTERM', () => process.exit(0));
await Promise.all(Array.from({ length: Number(CONNECTIONS) }, sendInTurn));
// Keeps the process running until it is stopped, like a server.
setInterval(() => {}, 60_000);
