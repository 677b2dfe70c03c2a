import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from '../test/harness/client.ts';
import { createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import type { Bench } from './harness/options.ts';
import { createSampleTenants } from './harness/sample-tenant.ts';

/** Maximum response time of 99 % of the neighbour's requests, in ms. */
const LIMIT_MS = 100;
const SECONDS = 6;
/** Concurrent requests of the attacker. */
const ATTACKERS = 4;
/** Pause between two requests of the neighbour, in ms. */
const PAUSE_MS = 10;
const LONG_TEXT = 'a'.repeat(20_000);

/** One request of an attacker. Its answer does not matter. */
type Attack = () => Promise<unknown>;

/**
 * Response times of one tenant's `GET /api/tenant/info` while another tenant sends requests that were made to be
 * expensive, without rate limits.
 */
export const neighbours: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [attacker, neighbour] = await createSampleTenants(database, [{ forms: 1 }, { forms: 1 }]);
  if (!attacker || !neighbour) throw new Error('No tenants were created.');
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const attacks = await prepareAttacks(tessera.url, attacker.apiKey, attacker.formCodes[0] ?? '');
  const client = createClient(tessera.url, { 'x-api-key': neighbour.apiKey });
  let isWithinLimit = true;
  for (const [name, attack] of Object.entries(attacks)) {
    const { times, count } = await measure(client, attack, (options.seconds ?? SECONDS) * 1000);
    const [half, most, all] = [0.5, 0.99, 1].map((share) => quantile(times, share));
    console.log(
      `neighbours (${kind}), ${name}: p50 ${half} ms, p99 ${most} ms, longest ${all} ms ` +
        `of ${times.length} requests during ${count} attacks (limit: p99 ${LIMIT_MS} ms)`,
    );
    isWithinLimit &&= Number(most) < LIMIT_MS;
  }
  return isWithinLimit;
};

/** Repeats the attack and returns the neighbour's response times in ms, sorted, and the number of attacks. */
async function measure(neighbour: Client, attack: Attack, ms: number) {
  const end = performance.now() + ms;
  const times: number[] = [];
  let count = 0;
  const attackers = Array.from({ length: ATTACKERS }, async () => {
    while (performance.now() < end) {
      await attack();
      count += 1;
    }
  });
  while (performance.now() < end) {
    const startedAt = performance.now();
    await neighbour.get('/api/tenant/info');
    times.push(performance.now() - startedAt);
    await pause(PAUSE_MS);
  }
  await Promise.all(attackers);
  return { times: times.sort((a, b) => a - b), count };
}

function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1);
}

/** Creates what the attacks need and returns them by name. */
async function prepareAttacks(
  url: string,
  apiKey: string,
  formCode: string,
): Promise<Readonly<Record<string, Attack>>> {
  const api = createClient(url, { 'x-api-key': apiKey });
  const records = createClient(url, { 'x-api-key': apiKey, 'x-tessera-surface': 'records' });
  await createDefinitions(api);
  const send = (client: Client, path: string, body: unknown) => {
    const rawBody = JSON.stringify(body);
    return () => client.send('POST', path, { rawBody });
  };
  const list = (filters: object) => ({ page: 1, limit: 20, filters });
  return {
    'nothing else': () => pause(20),
    'slow patterns of fields': send(records, '/api/note/bulk', {
      records: Array.from({ length: 10 }, (_, index) => ({ text: `${LONG_TEXT}${index}` })),
    }),
    'large patterns in a definition': send(api, '/api/entities', {
      name: 'slow',
      fields: numbered(150, (n) => ({ name: `f${n}`, type: 'string', pattern: `\\p{L}{1,480}${n}` })),
    }),
    'slow conditions of an automation': send(api, '/api/automations/slow/run', {
      trigger: { text: LONG_TEXT },
    }),
    '40,000 filters': send(api, '/api/subscribers/list', list(filtersOn(40_000))),
    '50 filters': send(api, '/api/subscribers/list', list(filtersOn(50))),
    '25,000 wrong types': send(api, '/api/transmissions', {
      recipients: numbered(5000, () => ({ address: 1, tags: [1, 1, 1, 1, 1] })),
      content: { from: 'a@example.com', subject: 'Hi', text: 'Hi' },
    }),
    '10,000 unknown answers': send(api, '/api/form_submissions', {
      form_code: formCode,
      email_address: 'a@example.com',
      form_data: Object.fromEntries(numbered(10_000, (n) => [`q${n}`, n])),
    }),
    'endless template': send(api, '/api/templates/preview/inline', {
      content: {
        subject: 'Hi',
        html: '{{#each (range 1 100000)}}{{#each (range 1 100000)}}x{{/each}}{{/each}}',
      },
    }),
  };
}

async function createDefinitions(api: Client): Promise<void> {
  await api.post('/api/entities', {
    name: 'note',
    fields: [{ name: 'text', type: 'text', pattern: '.{0,450}c' }],
  });
  const rules = numbered(60, (n) => ({
    ...{ field: '{{trigger.text}}', operator: 'matches', value: `.{0,${300 + n}}c` },
  }));
  await api.post('/api/automations', {
    ...{ key: 'slow', name: 'Slow', app: 'bench', triggerType: 'webhook', triggerParams: {}, actions: [] },
    conditionalActions: [{ condition: { rules, combinator: 'or' }, actions: [] }],
  });
}

function filtersOn(count: number): object {
  return Object.fromEntries(
    numbered(count, (n) => [`additional_fields_data.f${n}`, { operation: 'nlike', value: `${n}` }]),
  );
}

function numbered<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
