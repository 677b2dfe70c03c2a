/** `npm run bench -- <name> [--database embedded|server|cluster] [--seconds N] [--rows N] [--profile FOLDER]` */

import { assets } from './assets.ts';
import { audiences } from './audiences.ts';
import { automations } from './automations.ts';
import { campaign } from './campaign.ts';
import { capacity } from './capacity.ts';
import { consoleInBrowser } from './console.ts';
import { deliveriesInConsole } from './console-deliveries.ts';
import { deliveries } from './deliveries.ts';
import { documents } from './documents.ts';
import { firstPaint } from './first-paint.ts';
import { formRules } from './form-rules.ts';
import { type Bench, type DatabaseKind, readArguments } from './harness/options.ts';
import { subscriberImport } from './import.ts';
import { isolation } from './isolation.ts';
import { journeys } from './journeys.ts';
import { manyEntities, manyEntitiesBackup } from './many-entities.ts';
import { neighbours } from './neighbours.ts';
import { pages } from './pages.ts';
import { quiet } from './quiet.ts';
import { reads } from './reads.ts';
import { records } from './records.ts';
import { redirects } from './redirects.ts';
import { reports } from './reports.ts';
import { retrieval } from './retrieval.ts';
import { sending, sendingSoak } from './sending.ts';
import { slices } from './slices.ts';
import { soak } from './soak.ts';
import { streams } from './streams.ts';
import { submissions } from './submissions.ts';
import { subscribers } from './subscribers.ts';
import { threads } from './threads.ts';
import { tracking } from './tracking.ts';
import { vectors } from './vectors.ts';

/** Benchmarks of the service, each run on every selected database. */
const serviceBenchmarks: Readonly<Record<string, Bench>> = {
  submissions,
  reads,
  pages,
  deliveries,
  soak,
  quiet,
  slices,
  subscribers,
  reports,
  records,
  documents,
  redirects,
  'many-entities': manyEntities,
  'many-entities-backup': manyEntitiesBackup,
  audiences,
  automations,
  journeys,
  import: subscriberImport,
  tracking,
  sending,
  'sending-soak': sendingSoak,
  'first-paint': firstPaint,
  console: consoleInBrowser,
  'console-deliveries': deliveriesInConsole,
  campaign,
  capacity,
  isolation,
  neighbours,
  assets,
  threads,
  vectors,
  retrieval,
  streams,
};
/** Benchmarks that need no database. */
const codeBenchmarks: Readonly<Record<string, Bench>> = { 'form-rules': formRules };
const all = { ...serviceBenchmarks, ...codeBenchmarks };

// Ends the processes under measurement too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const { name, options } = readArguments(process.argv.slice(2));
const bench = Object.hasOwn(all, name) ? all[name] : undefined;
if (bench) {
  const kinds = Object.hasOwn(codeBenchmarks, name) ? options.databases.slice(0, 1) : options.databases;
  for (const kind of kinds) {
    if (!(await runOne(bench, kind))) process.exitCode = 1;
  }
} else {
  console.log(`Usage: npm run bench -- <name>. Names: ${Object.keys(all).join(', ')}.`);
  process.exitCode = 1;
}

async function runOne(measure: Bench, kind: DatabaseKind): Promise<boolean> {
  const releases: (() => Promise<void>)[] = [];
  try {
    return await measure(kind, options, (release) => releases.push(release));
  } finally {
    for (const release of releases.reverse()) await release();
  }
}
