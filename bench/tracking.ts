import { pino } from 'pino';
import { startApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { linkSigners, trackHtml } from '../src/features/mail/email-tracking/index.ts';
import { createClient } from '../test/harness/client.ts';
import { createSentMessage } from '../test/harness/email-messages.ts';
import { createTenant } from '../test/harness/test-app.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench } from './harness/options.ts';

const AIM = 0.6;
/** Many, as those of mail programs are: each waits for the commit of its open. */
const CONNECTIONS = 256;
const ROUND_SECONDS = 4;
const MESSAGES = 500;

/**
 * Opens of 500 messages, against bare Fastify that answers the same pixel and stores nothing. Afterwards, every open
 * that was answered must be in the database.
 */
export const tracking: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const opens = await prepare(database);
  const tessera = await startTessera({ ...database.env, ROLE: kind === 'embedded' ? 'all' : 'api' }, options);
  const limit = await startProgram('limits/pixel-server.ts');
  onEnd(limit.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  let answered = 0;
  const isReached = await compare({
    name: `tracking, opens (${kind})`,
    against: 'bare Fastify with the same pixel',
    aim: aimOn(kind, AIM),
    limit: () => loadRound(limit, opens, load),
    async tessera() {
      const measured = await loadRound(tessera, opens, load);
      answered += measured.count;
      return measured;
    },
  });
  await tessera.stop();
  const recorded = await database.asOwner(async (client) => {
    const { rows } = await client.query('select count(*) as count from email_message_events');
    return Number(rows[0]?.count);
  });
  console.log(`tracking (${kind}): ${answered} opens answered, ${recorded} recorded`);
  return isReached && recorded === answered;
};

/** Returns requests for the pixels of sent messages. */
async function prepare({ env }: BenchDatabase): Promise<LoadRequest[]> {
  const config = loadConfig({ ...env, PORT: '0', LOG_LEVEL: 'silent' });
  const app = await startApp(config, { log: pino({ level: 'silent' }) });
  try {
    const url = app.platform.publicUrl().replace('localhost', '127.0.0.1');
    const admin = createClient(url, { authorization: `Bearer ${config.adminToken}` });
    const tenant = await createTenant(url, admin);
    const requests: LoadRequest[] = [];
    while (requests.length < MESSAGES) {
      const message = await createSentMessage({ app }, tenant);
      const tracked = { openTracking: true, initialOpen: false, clickTracking: false };
      const html = trackHtml('', { ...message, ...tracked }, linkSigners(app.platform));
      const path = new URL(/src="([^"]+)"/.exec(html)?.[1] ?? '').pathname;
      requests.push({ method: 'GET', path, headers: { 'user-agent': 'Mozilla/5.0 (X11) Firefox/130.0' } });
    }
    return requests;
  } finally {
    await app.stop();
  }
}
