/** The schema as files: numbered migrations, and SQL functions in `sql/` folders next to the code that calls them. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
const SOURCE = join(import.meta.dirname, '..');
const IN_SQL_FOLDER = /\bsql\/[^/]+\.sql$/;

const KEYS_ONLY = off('seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin', 'material');
const IN_MEMORY = off('seqscan', 'bitmapscan');

/** Planner settings that a function's first line may select: `-- planner: <name>`. */
const PLANNER_SETTINGS: Readonly<Record<string, string>> = {
  /**
   * Finds rows by keys only, independent of statistics, which the embedded database never gathers. A plan made for an
   * empty table would continue to scan the whole table, so such a function also plans each run, by `execute`. With 500
   * targets of 10 rows, a poll for due rows took 1200 ms without this and 4 ms with it.
   */
  'by keys': KEYS_ONLY,
  /** Like `by keys`, for plans cached by `tessera_kept_plan`, which are generic from the first run. */
  'by keys, plans kept': `${KEYS_ONLY} set plan_cache_mode = force_generic_plan`,
  /** Finds rows of tables by keys, as above, but joins and sorts intermediate results in any way. */
  'by keys, joins in memory': IN_MEMORY,
  /** Like `by keys, joins in memory`, for plans cached by `tessera_kept_plan`. */
  'by keys, joins in memory, plans kept': `${IN_MEMORY} set plan_cache_mode = force_generic_plan`,
  /**
   * Bitmap index scans without parallel workers: the planner expects thousands of rows where there are a hundred, and
   * starting the workers takes 20 ms.
   */
  'by bitmaps': `${off('seqscan', 'indexscan', 'indexonlyscan')} set max_parallel_workers_per_gather = 0`,
};

/** An SQL file with the checksum of its text. */
export interface SqlFile {
  /** File name of a migration, or name of a function in the database. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** All files of the schema. */
export interface SchemaFiles {
  /** In the order of their numbers, which start at 1. */
  readonly migrations: readonly SqlFile[];
  /** Sorted by name; a plpgsql body may call any other function. */
  readonly functions: readonly SqlFile[];
}

/**
 * Reads all files.
 * @throws if a migration number is missing, or a function's file breaks the rules of CONTRIBUTING.md.
 */
export async function readSchemaFiles(): Promise<SchemaFiles> {
  const [migrations, functions] = await Promise.all([readMigrations(), readFunctions()]);
  return { migrations, functions };
}

/** Returns the schema of an older version: the first `count` migrations, and no SQL functions. */
export function olderSchema({ migrations }: SchemaFiles, count: number): SchemaFiles {
  return { migrations: migrations.slice(0, count), functions: [] };
}

async function readMigrations(): Promise<SqlFile[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  for (const [index, name] of names.entries()) {
    if (Number(name.slice(0, 4)) !== index + 1)
      throw new Error(`Migration ${name} should be number ${index + 1}.`);
  }
  return Promise.all(names.map((name) => readSqlFile(join(MIGRATIONS, name), name)));
}

async function readFunctions(): Promise<SqlFile[]> {
  const paths = (await readdir(SOURCE, { recursive: true })).filter((path) => IN_SQL_FOLDER.test(path));
  const files = await Promise.all(paths.map((path) => readSqlFile(join(SOURCE, path), functionName(path))));
  const names = files.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate !== undefined)
    throw new Error(`Two files define the SQL function ${duplicate}. Rename one of them.`);
  for (const { name, text } of files) {
    if (!text.includes(`create function ${name}(`))
      throw new Error(`The file of the SQL function ${name} must contain "create function ${name}(".`);
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const FUNCTION_PREFIX = 'tessera_';

/** Returns the name of a file's function: `work-queue/sql/claim-due.sql` contains `tessera_claim_due`. */
function functionName(path: string): string {
  return `${FUNCTION_PREFIX}${basename(path, '.sql').replaceAll('-', '_')}`;
}

/** Returns true if an applied file with this name is a function. */
export function isFunctionName(name: string): boolean {
  return name.startsWith(FUNCTION_PREFIX);
}

async function readSqlFile(path: string, name: string): Promise<SqlFile> {
  const text = await readFile(path, 'utf8');
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
}

/**
 * Splits a file into statements. A statement ends with a semicolon at the end of a line, outside dollar quotes and
 * comments. A cluster accepts changes of its tables only one by one.
 */
export function statementsOf({ text }: Pick<SqlFile, 'text'>): string[] {
  const statements: string[] = [];
  let statement = '';
  for (const line of text.split('\n')) {
    statement += `${line}\n`;
    const quotes = statement.match(/\$\w*\$/g)?.length ?? 0;
    const mayEnd = line.trimEnd().endsWith(';') && !line.trimStart().startsWith('--');
    if (quotes % 2 === 1 || !mayEnd) continue;
    statements.push(statement.trim());
    statement = '';
  }
  return statement.trim() === '' ? statements : [...statements, statement.trim()];
}

/**
 * Returns the statement that applies the planner settings of a function's file; null if it has none.
 * @throws if the settings are unknown.
 */
export function plannerStatement({ name, text }: SqlFile): string | null {
  const [, selected] = /^-- planner: (.+)\n/.exec(text) ?? [];
  if (selected === undefined) return null;
  const settings = PLANNER_SETTINGS[selected];
  if (settings === undefined) throw new Error(`${name} selects unknown planner settings "${selected}".`);
  return `alter function ${name} ${settings}`;
}

/** Returns settings that disable planner methods, and JIT compilation. */
function off(...methods: string[]): string {
  return [...methods.map((method) => `enable_${method}`), 'jit'].map((name) => `set ${name} = off`).join(' ');
}
