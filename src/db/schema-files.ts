/** The schema as files: numbered migrations, and SQL functions in `sql/` beside the code that calls them. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
const SOURCE = join(import.meta.dirname, '..');
const IN_SQL_FOLDER = /\bsql\/[^/]+\.sql$/;

const KEYS_ALONE = off('seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin', 'material');

/** What a function's first line may ask of the planner: `-- planner: <name>`. */
const PLANNER_SETTINGS: Readonly<Record<string, string>> = {
  /**
   * Rows are found by nothing but their keys, whatever the statistics say: the embedded database never gathers any,
   * and a plan that was made while a table was empty would go on reading all of it (so such a function also plans anew
   * each time, by `execute`). Measured with 500 targets of 10 rows each: a look for due rows 1200 ms otherwise, 4 ms so.
   */
  'by keys': KEYS_ALONE,
  /** The same for what `tessera_kept_plan` keeps: at once a plan of no particular values. */
  'by keys, plans kept': `${KEYS_ALONE} set plan_cache_mode = force_generic_plan`,
  /** Tables as above; what a statement has gathered itself is joined and sorted as the planner likes. */
  'by keys, joins in memory': off('seqscan', 'bitmapscan'),
  /**
   * By an index that gives rows as bitmaps, by one process: for a hundred rows, of which the planner expects thousands, it
   * starts others, which takes 20 ms.
   */
  'by bitmaps': `${off('seqscan', 'indexscan', 'indexonlyscan')} set max_parallel_workers_per_gather = 0`,
};

/** A file of SQL and the checksum of its text. */
export interface SqlFile {
  /** Of a migration its file name, of a function its name in the database. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Everything that the schema is made from. */
export interface SchemaFiles {
  /** In order: the first is number 1. */
  readonly migrations: readonly SqlFile[];
  /** In the order of their names; a body in plpgsql may name any other. */
  readonly functions: readonly SqlFile[];
}

/** @throws when a migration's number is missing, or a function's file does not keep the rules of CONTRIBUTING.md. */
export async function readSchemaFiles(): Promise<SchemaFiles> {
  const [migrations, functions] = await Promise.all([readMigrations(), readFunctions()]);
  return { migrations, functions };
}

/** The first so many migrations, and no SQL functions: the schema of an older version. */
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
  const names = new Set(files.map(({ name }) => name));
  if (names.size < files.length) throw new Error('Two files of SQL functions have the same name.');
  for (const { name, text } of files) {
    if (!text.includes(`create function ${name}(`))
      throw new Error(`The file of the SQL function ${name} should say "create function ${name}(".`);
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const FUNCTION_PREFIX = 'tessera_';

/** `ledger/sql/claim-due.sql` holds `tessera_claim_due`. */
function functionName(path: string): string {
  return `${FUNCTION_PREFIX}${basename(path, '.sql').replaceAll('-', '_')}`;
}

/** Whether the name of an applied file is a function's. */
export function isFunctionName(name: string): boolean {
  return name.startsWith(FUNCTION_PREFIX);
}

async function readSqlFile(path: string, name: string): Promise<SqlFile> {
  const text = await readFile(path, 'utf8');
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
}

/**
 * The statements of a file: each ends with a semicolon that ends a line, outside of a body in dollar quotes and of a line
 * of comment. A cluster takes changes of its tables only one by one.
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
 * The statement that gives a function the planner settings which its file asks for; null: it asks for none.
 * @throws when nobody knows what it asks for.
 */
export function plannerStatement({ name, text }: SqlFile): string | null {
  const [, wanted] = /^-- planner: (.+)\n/.exec(text) ?? [];
  if (wanted === undefined) return null;
  const settings = PLANNER_SETTINGS[wanted];
  if (settings === undefined) throw new Error(`${name} asks for unknown planner settings "${wanted}".`);
  return `alter function ${name} ${settings}`;
}

function off(...methods: string[]): string {
  return [...methods.map((method) => `enable_${method}`), 'jit'].map((name) => `set ${name} = off`).join(' ');
}
