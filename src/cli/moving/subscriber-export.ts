/** Imports exported files of subscribers: the CSV file of listmonk, and the files of Mailchimp. */
import { createReadStream, openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readCsvRows } from '../../http/csv-rows.ts';
import { importOnce, type Move } from './move.ts';
import { createRecord, importSubscriberFile } from './subscriber-file.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { unpackCsvFiles } from './zip-archive.ts';

/** Name of the address column, by source. */
const EMAIL = { listmonk: 'email', mailchimp: 'Email Address' } as const;

/** A system whose exported files can be imported. */
export type FileSource = keyof typeof EMAIL;

/** Imports a file, or every CSV file of a folder or a ZIP archive. Suppressed subscribers come first. */
export async function importSubscriberExport(move: Move, source: FileSource): Promise<void> {
  if (!/\.zip$/i.test(move.from)) return importFiles(move, source, await findFiles(move.from));
  await withTemporaryFolder(async (folder) => {
    await unpackCsvFiles(move.from, folder);
    await importFiles(move, source, await csvFilesOf(folder, move.from));
  });
}

async function importFiles(move: Move, source: FileSource, files: readonly string[]): Promise<void> {
  // All files are checked before the first is imported.
  const counted: { readonly file: string; readonly rows: number }[] = [];
  for (const file of files) counted.push({ file, rows: await countRows(file, source) });
  const importable = counted.filter(({ file, rows }) => {
    const isWanted = source !== 'mailchimp' || !/^nonsubscribed/i.test(basename(file));
    if (!isWanted)
      move.report.skip(`${rows} subscribers of ${basename(file)}`, 'they never consented to mail');
    return isWanted;
  });
  const listName = move.listName;
  const listId =
    listName === undefined
      ? null
      : await importOnce(move, { kind: 'lists', key: `list:${listName}`, name: `list ${listName}` }, () =>
          createRecord(move.target, '/api/lists', { name: listName }),
        );
  for (const { file, rows } of importable.toSorted((a, b) => order(a.file) - order(b.file))) {
    if (move.isApplied) await importFile(move, source, file, listId);
    else move.report.count(`rows of ${basename(file)}`, rows);
  }
}

async function importFile(
  { target, report }: Move,
  source: FileSource,
  file: string,
  listId: string | null,
): Promise<void> {
  const suppress = source === 'mailchimp' ? suppressionOf(file) : null;
  const query = {
    source,
    ...(suppress === null ? {} : { suppress }),
    ...(suppress === null && listId !== null ? { list_id: listId } : {}),
  };
  const { imported, failed, errors } = await importSubscriberFile(target, query, await openAsBlob(file));
  report.count(`subscribers of ${basename(file)}`, imported);
  for (const { line, message } of errors) report.skip(`${basename(file)}, line ${line}`, message);
  if (failed > errors.length) report.skip(`${failed - errors.length} more rows`, 'rejected like those above');
}

/** Returns the reason to suppress the subscribers of a file of Mailchimp; null if they may be mailed. */
function suppressionOf(file: string): 'unsubscribe' | 'bounce' | null {
  const name = basename(file);
  return /^unsubscribed/i.test(name) ? 'unsubscribe' : /^cleaned/i.test(name) ? 'bounce' : null;
}

function order(file: string): number {
  return suppressionOf(file) === null ? 1 : 0;
}

async function findFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  return found.isDirectory() ? csvFilesOf(path, path) : [path];
}

async function csvFilesOf(folder: string, from: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.csv$/i.test(name)).sort();
  if (names.length === 0) throw new Error(`${from} contains no CSV file`);
  return names.map((name) => join(folder, name));
}

/** Counts rows. @throws Error if the header lacks the address column. */
async function countRows(file: string, source: FileSource): Promise<number> {
  let rows = 0;
  for await (const _row of readCsvRows(createReadStream(file), {
    required: [EMAIL[source]],
    allowsDuplicates: true,
  }))
    rows++;
  return rows;
}
