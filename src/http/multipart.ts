/** Reads forms with a file (`multipart/form-data`) while they arrive. */
import { finished, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError, type Issue } from '../errors/app-error.ts';
import { INVALID_REQUEST, invalidRequest } from '../errors/platform-errors.ts';
import { checkText } from './json-body.ts';
import type { Upload } from './upload.ts';

/** A form field that is not a file. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/** A form without its file. */
export interface ReadForm<Taken> {
  readonly fields: readonly FormField[];
  /** The result of reading the file; null if the form has no file under this name. */
  readonly taken: Taken | null;
}

/** Reads the file under one name of the form. */
export interface FileTaker<Taken> {
  readonly field: string;
  /** Reads the bytes to their end. An error ends the reading of the form. */
  readonly take: (bytes: Readable, fileName: string | undefined) => Promise<Taken>;
}

/** Limits for a form with one file and a few fields. */
const LIMITS = {
  fields: 200,
  files: 1,
  parts: 201,
  fieldSize: 64 * 1024,
  headerPairs: 20,
  headerSize: 16 * 1024,
};

/** Bytes that a form may have in addition to its file. */
export const FORM_OVERHEAD_BYTES = 2 * 1024 * 1024;

/**
 * Reads a form to its end; its file goes to `taker` while it arrives.
 * @throws AppError INVALID_REQUEST for anything but a form, an early end, or more than one file or 200 fields; errors
 *   of reading the upload and of the taker.
 */
export async function readForm<Taken>(upload: Upload, taker: FileTaker<Taken>): Promise<ReadForm<Taken>> {
  const parser = openParser(upload);
  const ended = new AbortController();
  const fields: FormField[] = [];
  const issues: Issue[] = [];
  const files: Promise<Taken | null>[] = [];
  parser.on('field', (name: string | undefined, value: string, _isNameCut: boolean, isCut: boolean) => {
    if (name === undefined) return;
    if (isCut) issues.push({ field: name, message: 'is longer than 64 KiB' });
    else fields.push({ name, value });
  });
  parser.on('file', (name: string | undefined, bytes: Readable, fileName: string | undefined) => {
    const isWanted = name === taker.field;
    if (!isWanted) issues.push({ field: name ?? 'file', message: 'is not an accepted file field' });
    const taking = isWanted ? taker.take(bytes, fileName) : skip(bytes);
    // A file that is cut off ends with the form; a taker that fails ends the form.
    finished(bytes, () => {});
    files.push(taking);
    taking.catch((error: unknown) => ended.abort(error));
    ended.signal.addEventListener('abort', () => bytes.destroy());
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    parser.on(limit, () => ended.abort(invalidRequest([{ message: 'The form has too many parts.' }])));
  await flow(upload, parser, ended);
  const [taken = null] = await Promise.all(files);
  if (issues.length > 0) throw invalidRequest(issues);
  for (const { name, value } of fields) checkText(value, name);
  return { fields, taken };
}

/** Opens the parser. @throws AppError INVALID_REQUEST when the Content-Type names no boundary. */
function openParser({ contentType }: Upload): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
  } catch (cause) {
    throw new AppError(INVALID_REQUEST, { message: 'The body must be a multipart form.', cause });
  }
}

/** Feeds the whole body to the parser. @throws the error that ended it early. */
async function flow(upload: Upload, parser: BusboyInstance, ended: AbortController): Promise<void> {
  try {
    await pipeline(upload.bytes, parser, { signal: ended.signal });
  } catch (cause) {
    const first: unknown = ended.signal.aborted ? ended.signal.reason : cause;
    const reported =
      first instanceof AppError || ended.signal.aborted
        ? first
        : new AppError(INVALID_REQUEST, { message: 'The multipart form is incomplete.', cause });
    ended.abort(reported);
    throw reported;
  }
}

async function skip(bytes: Readable): Promise<null> {
  for await (const _chunk of bytes);
  return null;
}
