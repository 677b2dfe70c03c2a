/** Preview of a file: its format, its columns with suggested fields, and its problems. */
import { type CsvPreview, readCsvPreview } from '../../../../http/csv-preview.ts';
import type { Upload, UploadRules } from '../../../../http/upload.ts';
import { isAddress } from '../../../../mail/address.ts';
import type { ImportPreview } from './schema.ts';
import { sourceOf } from './sources.ts';
import { type FileColumn, suggestFields } from './suggestions.ts';

const MAX_BYTES = 1024 ** 2;
const MAX_SAMPLES = 3;
const MAX_SAMPLE_CHARS = 100;
const MAX_PROBLEMS = 20;

/** Accepted beginnings of files. */
export const IMPORT_PREVIEW_UPLOAD: UploadRules = {
  contentTypes: ['text/csv'],
  maxBytes: MAX_BYTES,
  isText: true,
};

/** Beginnings of workbooks: ZIP (Excel, Numbers) and the format of Excel before 2007. */
const WORKBOOKS = [Buffer.from('PK\x03\x04', 'latin1'), Buffer.from('d0cf11e0', 'hex')];

const WORKBOOK: ImportPreview = {
  format: 'workbook',
  encoding: null,
  delimiter: null,
  source: null,
  columns: [],
  problems: [{ message: 'The file is a workbook. Export its table as CSV.' }],
};

type Problem = ImportPreview['problems'][number];

/** Returns the preview of a file. @throws errors of reading an upload. */
export async function previewFile(upload: Upload): Promise<ImportPreview> {
  const bytes = Buffer.concat(await Array.fromAsync(upload.bytes));
  if (WORKBOOKS.some((mark) => bytes.subarray(0, mark.length).equals(mark))) return WORKBOOK;
  const isCut = bytes.length === MAX_BYTES;
  const file = await readCsvPreview(bytes, { charset: upload.charset, isCut });
  const columns = file.header.map((header, index) => ({ header, samples: samplesOf(file, index) }));
  const fields = suggestFields(columns);
  const { encoding, delimiter } = file;
  return {
    ...{ format: 'csv', encoding, delimiter, source: sourceOf(file.header) },
    columns: columns.map((column, index) => ({ ...column, suggested_field: fields[index] ?? null })),
    problems: [...headerProblems(columns, fields), ...rowProblems(file)].slice(0, MAX_PROBLEMS),
  };
}

function samplesOf({ rows }: CsvPreview, index: number): string[] {
  const cells = rows.values().map(({ cells }) => cells[index] ?? '');
  return [...cells.filter((cell) => cell !== '').take(MAX_SAMPLES)].map((cell) =>
    cell.slice(0, MAX_SAMPLE_CHARS).toWellFormed(),
  );
}

function headerProblems(columns: readonly FileColumn[], fields: readonly (string | null)[]): Problem[] {
  if (columns.every(({ header }) => header === '')) return [{ message: 'The file is empty.' }];
  const headers = columns.map(({ header }) => header);
  if (headers.some(isAddress)) return [{ line: 1, message: 'The first row must have the names of columns.' }];
  const repeated = headers.filter((name, index) => name !== '' && headers.indexOf(name) !== index);
  return [
    ...(fields.includes('email') ? [] : [{ message: 'No column has been recognized as the address.' }]),
    ...[...new Set(repeated)].map((column) => ({ column, message: `${column} appears twice in the header` })),
  ];
}

/** Finds rows that the import would refuse because they cannot be read. */
function rowProblems({ header, rows }: CsvPreview): Problem[] {
  return rows.flatMap(({ line, cells, fault }): Problem[] => {
    if (fault?.cell === null) return [{ line, message: fault.message }];
    if (fault !== null) {
      const column = header[fault.cell] || `column ${fault.cell + 1}`;
      return [{ line, column, message: `${column} ${fault.message}` }];
    }
    if (cells.slice(header.length).every((cell) => cell === '')) return [];
    return [{ line, message: `has ${cells.length} cells where the header has ${header.length}` }];
  });
}
