/**
 * Messages per second of a rendering thread (`renderBatch`: strict, escaped by context, with a deadline and an output
 * limit), against the function that Handlebars compiles from the same template, called in a loop in this thread. Prints
 * both and the ratio; the aim is at least 0.5 with one thread.
 */

import Handlebars from 'handlebars';
import { Renderer, type RenderOptions, renderSource } from '../src/features/mail/email-templates/index.ts';

const AIM = 0.5;
const BATCH = 500;
/** Alternating rounds of each. The best one counts, because other load can only slow a round down. */
const ROUNDS = 8;
const ROUND_MS = 500;

const row =
  '<tr><td style="padding:8px 0;color:#333">{{this.title}}</td><td style="text-align:right">{{this.price}}</td></tr>';
const filler =
  '<p style="margin:0 0 16px;font:16px/1.5 sans-serif;color:#333">Words that everybody gets. </p>\n';

/** Returns a personalized template of about `kilobytes`, with five values, a condition and a list of four. */
function template(kilobytes: number): string {
  return (
    '<html><body><h1>Hello {{first_name}} {{last_name}}</h1>' +
    '{{#if vip}}<p>Thank you for being with us since {{since}}.</p>{{else}}<p>Welcome!</p>{{/if}}' +
    `<table>{{#each items}}${row}{{/each}}</table>` +
    filler.repeat(Math.max(0, Math.round((kilobytes * 1024) / filler.length))) +
    '<p><a href="https://shop.test/?u={{id}}">Your account</a> · {{email}}</p></body></html>'
  );
}

function recipientData(index: number): Record<string, unknown> {
  return {
    id: `u-${index}`,
    first_name: `Ada${index}`,
    last_name: "O'Neil & Sons",
    email: `ada${index}@example.com`,
    vip: index % 2 === 0,
    since: '2019',
    items: Array.from({ length: 4 }, (_, item) => ({ title: `Thing <${item}>`, price: item * 9.5 })),
  };
}

/** Result of one round: messages per second, and CPU time per message in microseconds. */
interface Round {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

async function round(work: () => Promise<number> | number): Promise<Round> {
  let count = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  while (performance.now() - start < ROUND_MS) count += await work();
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: count / ((performance.now() - start) / 1000), cpuMicros: (user + system) / count };
}

function best(rounds: readonly Round[]): Round {
  return {
    perSecond: Math.max(...rounds.map(({ perSecond }) => perSecond)),
    cpuMicros: Math.min(...rounds.map(({ cpuMicros }) => cpuMicros)),
  };
}

const recipients = Array.from({ length: BATCH }, (_, index) => recipientData(index));
const options: RenderOptions = { tenantId: 'bench', inlineCss: false };
const renderer = new Renderer({ threads: 1 });

for (const kilobytes of [2, 10, 40]) {
  const html = template(kilobytes);
  const subject = 'For you, {{first_name}}';
  const bareHtml = Handlebars.compile(html);
  const bareSubject = Handlebars.compile(subject, { noEscape: true });
  let isText = true;
  const bare = () => {
    // V8 joins the parts of a string when it is read; sending a message reads it too.
    for (const data of recipients)
      isText &&= Number.isNaN(Number(bareSubject(data))) && Number.isNaN(Number(bareHtml(data)));
    return BATCH;
  };
  const source = renderSource({ subject, html, text: null, generateText: false, snippets: {} });
  const threaded = async () => {
    const batches = [1, 2].map(() => renderer.renderBatch(source, recipients, options));
    const results = (await Promise.all(batches)).flat();
    for (const result of results) {
      if (!result.ok) throw new Error('The sample did not render.');
      isText &&= Number.isNaN(Number(result.subject)) && Number.isNaN(Number(result.html));
    }
    return results.length;
  };
  const rounds: Record<'bare' | 'threaded', Round[]> = { bare: [], threaded: [] };
  for (let index = 0; index < ROUNDS; index += 1) {
    rounds.bare.push(await round(bare));
    rounds.threaded.push(await round(threaded));
  }
  const limit = best(rounds.bare);
  const ours = best(rounds.threaded);
  const ratio = ours.perSecond / limit.perSecond;
  console.log(
    `${kilobytes} KB: ${ours.perSecond.toFixed(0)} messages/s (${ours.cpuMicros.toFixed(1)} us of processor each), ` +
      `bare ${limit.perSecond.toFixed(0)}/s (${limit.cpuMicros.toFixed(1)} us), ratio ${ratio.toFixed(2)} (aim ${AIM})`,
  );
  if (ratio < AIM || !isText) process.exitCode = 1;
}
await renderer.close();
