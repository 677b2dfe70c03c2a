/**
 * Runs tests: `run.ts [--part usual|faults|nodes]... [--full] [--cluster] [--changed[-since] ...] [path...]`.
 * CONTRIBUTING.md ("Tests") describes the npm scripts that call it.
 */
import { parseArgs } from 'node:util';
import { databaseKind, prepareTestDatabases } from '../harness/test-database.ts';
import { type Affected, affectedBy, changedFiles } from './changed-files.ts';
import { longestFirst, saveDurations } from './durations.ts';
import { printFile, printSummary } from './print.ts';
import { runFiles } from './run-files.ts';
import { PARTS, type Part, selectFiles } from './select-files.ts';
import { killWorkers } from './worker-process.ts';

/** Tests wait a lot, so there are more processes than cores on a small machine. */
const WORKERS = 3;
/** Fewer: every app on a cluster polls all of its nodes. */
const WORKERS_ON_CLUSTER = 2;
/** Generous, because a machine may be slow and busy. */
const TEST_LIMIT_SECONDS = 900;
const DEFAULT_COORDINATOR = 'postgres://postgres@127.0.0.1:5501/postgres';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'string', multiple: true },
    full: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    since: { type: 'string', default: 'main' },
  },
});
if (values.cluster) process.env.TEST_CLUSTER_URL ||= DEFAULT_COORDINATOR;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    killWorkers();
    process.exit(1);
  });

const startedAt = performance.now();
const parts = (values.part ?? PARTS).map(readPart);
const { tests: files, features } = await chooseFiles();
await prepareTestDatabases();
const isNodes = parts.every((part) => part === 'nodes');
const result = await runFiles(await longestFirst(files), {
  workers: countWorkers(),
  sharesApp: !isNodes,
  features,
  testLimitMs: Number(process.env.TEST_LIMIT_SECONDS ?? TEST_LIMIT_SECONDS) * 1000,
  onResult: printFile,
});
await saveDurations(result.passed);
printSummary(result, performance.now() - startedAt);
process.exitCode = result.failed.length === 0 ? 0 : 1;

function countWorkers(): number {
  // The tests of nodes kill nodes that others need.
  if (isNodes) return 1;
  return databaseKind() === 'cluster' ? WORKERS_ON_CLUSTER : WORKERS;
}

async function chooseFiles(): Promise<Affected> {
  const selected = await selectFiles({ parts, database: databaseKind(), isFull: values.full });
  const named = selected.filter(
    (file) => positionals.length === 0 || positionals.some((path) => file.includes(path)),
  );
  return values.changed
    ? affectedBy(await changedFiles(values.since), named)
    : { tests: named, features: null };
}

function readPart(name: string): Part {
  const part = PARTS.find((each) => each === name);
  if (part === undefined) throw new Error(`--part takes ${PARTS.join(', ')}, not "${name}".`);
  return part;
}
