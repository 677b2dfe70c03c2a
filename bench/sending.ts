import { createClient } from '../test/harness/client.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { type Child, startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import type { Measured } from './harness/load.ts';
import { aimOn, type Bench, type BenchOptions, type DatabaseKind, type OnEnd } from './harness/options.ts';
import { createMailSender, type MailSender, transmissionTo } from './harness/sample-mail.ts';
import { type SmtpSink, startSmtpSink } from './harness/smtp-sink.ts';

const AIM = 0.6;
const MESSAGES = 5000;
/** Messages before the measurement, while code is compiled and the first batch is rendered. */
const WARM_UP = 1000;
const CONNECTIONS = 20;
const ACCEPTED_WITHIN_MS = 1000;
/** Messages of the memory measurement, in twenty transmissions. */
const SOAK_MESSAGES = 100_000;
/** Maximum memory growth between the fourth and the last transmission, in MiB. */
const FLAT_MIB = 40;

interface Sender extends MailSender {
  readonly process: Child;
}

/**
 * A personalized template to 5,000 recipients, tracked and signed, against a pool that repeats one prebuilt message.
 */
export const sending: Bench = async (kind, options, onEnd) => {
  const { sink, database, sender } = await prepare(kind, options, onEnd);
  const accepted: number[] = [];
  const isFast = await compare({
    name: `sending (${kind})`,
    against: 'a pooled nodemailer loop that signs and sends one prebuilt message',
    aim: aimOn(kind, AIM),
    limit: async () => runLoop(sink, await sink.meanSize()),
    tessera: () => withCpu(sender.process, () => sendOnce(sink, sender, accepted)),
  });
  const slowest = Math.max(...accepted);
  const isAccepted = slowest < ACCEPTED_WITHIN_MS;
  console.log(
    `sending (${kind}): ${MESSAGES} recipients accepted in at most ${slowest.toFixed(0)} ms ` +
      `(aim ${ACCEPTED_WITHIN_MS}${isAccepted ? '' : ', MISSED'})`,
  );
  if (kind !== 'embedded') {
    const alone = await sendOnce(sink, sender, []);
    const env = {
      ...database.env,
      ROLE: 'worker',
      SMTP_URL: sink.relayUrl,
      SMTP_CONNECTIONS: `${CONNECTIONS}`,
    };
    const second = await startTessera(env);
    onEnd(second.stop);
    await sendOnce(sink, sender, []);
    const together = await sendOnce(sink, sender, []);
    console.log(
      `sending (${kind}): ${together.toFixed(0)} per second with a second process, ${alone.toFixed(0)} without`,
    );
  }
  return isFast && isAccepted;
};

/** 100,000 messages: the memory of the process must not grow with them. */
export const sendingSoak: Bench = async (kind, options, onEnd) => {
  const { sink, sender } = await prepare(kind, options, onEnd);
  const samples: number[] = [];
  for (let sent = 0; sent < SOAK_MESSAGES; sent += MESSAGES) {
    const rate = await sendOnce(sink, sender, []);
    samples.push(await sender.process.residentMebibytes());
    console.log(
      `sending-soak (${kind}): ${sent + MESSAGES} sent, ${samples.at(-1)?.toFixed(0)} MiB, ${rate.toFixed(0)} per second`,
    );
  }
  const growth = (samples.at(-1) ?? 0) - (samples[3] ?? 0);
  const isFlat = growth <= FLAT_MIB;
  console.log(
    `sending-soak (${kind}): ${growth.toFixed(0)} MiB more than after the fourth transmission (aim at most ${FLAT_MIB}${isFlat ? '' : ', MISSED'})`,
  );
  return isFlat;
};

async function prepare(
  kind: DatabaseKind,
  options: BenchOptions,
  onEnd: OnEnd,
): Promise<{ sink: SmtpSink; database: BenchDatabase; sender: Sender }> {
  const sink = await startSmtpSink();
  onEnd(sink.stop);
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const relay = { SMTP_URL: sink.relayUrl, SMTP_CONNECTIONS: String(CONNECTIONS) };
  const tessera = await startTessera({ ...database.env, ...relay }, options);
  onEnd(tessera.stop);
  const sender = { ...(await createSender(tessera.url, database)), process: tessera };
  return { sink, database, sender };
}

async function createSender(url: string, { env }: BenchDatabase): Promise<MailSender> {
  const adminToken = env.ADMIN_TOKEN ?? '';
  const admin = createClient(url, { authorization: `Bearer ${adminToken}` });
  const owner = { email: 'owner@bench.test', name: 'Owner', password: 'correct horse battery staple' };
  const { body } = await admin.post('/admin/tenants', { code: 'bench', name: 'Bench', owner });
  return createMailSender(url, { adminToken, code: 'bench', apiKey: body.api_key });
}

/** Sends one transmission, records its acceptance time, and returns the arrival rate of its messages. */
async function sendOnce(sink: SmtpSink, { api, templateId }: Sender, accepted: number[]): Promise<number> {
  await sink.reset();
  const begun = performance.now();
  await api.post('/api/transmissions', transmissionTo(MESSAGES, templateId));
  accepted.push(performance.now() - begun);
  return rateOf(await sink.waitFor(MESSAGES));
}

async function runLoop(sink: SmtpSink, size: number): Promise<Measured> {
  await sink.reset();
  const loop = await startProgram('limits/smtp-loop.ts', {
    RELAY: sink.relayUrl,
    COUNT: String(MESSAGES),
    CONNECTIONS: String(CONNECTIONS),
    SIZE: String(size),
  });
  const measured = await withCpu(loop, async () => rateOf(await sink.waitFor(MESSAGES)));
  await loop.stop();
  return measured;
}

/** Measures a rate at the receiver. Tessera's CPU time includes acceptance, but not the database. */
async function withCpu(sending: Child, send: () => Promise<number>): Promise<Measured> {
  const before = await sending.cpuSeconds();
  const rate = await send();
  const cpuMicros = ((await sending.cpuSeconds()) - before) * (1e6 / MESSAGES);
  return { rate, count: MESSAGES, cpuMicros };
}

function rateOf(arrivals: readonly number[]): number {
  const begun = arrivals[WARM_UP] ?? 0;
  return (MESSAGES - 1 - WARM_UP) / (((arrivals[MESSAGES - 1] ?? 0) - begun) / 1000);
}
