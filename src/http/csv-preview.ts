/** Reads the beginning of a CSV file: its format, its header and its first rows. */
import { Readable } from 'node:stream';
import { headerNames } from './csv-rows.ts';
import { findSeparator, type RawRow, RowSplitter } from './csv-splitter.ts';
import { decodeText, type TextPiece } from './decoded-text.ts';

/** The beginning of a file. */
export interface CsvPreview {
  /** The charset in lower case: `utf-8`, `utf-16le`, `windows-1252`. */
  readonly encoding: string;
  readonly delimiter: string;
  /** The header as written, without blanks around its names. */
  readonly header: readonly string[];
  /** The rows below the header. */
  readonly rows: readonly RawRow[];
}

/** Properties of the bytes of a preview. */
export interface CsvPreviewRules {
  /** The declared charset. */
  readonly charset: string | null;
  /** The file continues after these bytes, so that the last row may be incomplete. */
  readonly isCut: boolean;
}

/** Reads all complete rows of the bytes. The first one is the header. */
export async function readCsvPreview(
  bytes: Buffer,
  { charset, isCut }: CsvPreviewRules,
): Promise<CsvPreview> {
  const { text, ...decoded } = joined(await Array.fromAsync(decodeText(Readable.from([bytes]), charset)));
  const { separator = ',', skipped = 0 } = findSeparator(text, true) ?? {};
  const splitter = new RowSplitter(separator, skipped > 0 ? 2 : 1);
  const [header, ...rows] = [
    ...splitter.take({ ...decoded, text: text.slice(skipped) }),
    ...(isCut ? [] : splitter.end()),
  ];
  return {
    encoding: decoded.charset.toLowerCase(),
    delimiter: separator,
    header: headerNames(header?.cells ?? []),
    rows,
  };
}

/** Joins pieces. The charset is certain only in the last one, as the first ones may be ASCII. */
function joined(pieces: readonly TextPiece[]): TextPiece {
  return {
    text: pieces.map(({ text }) => text).join(''),
    charset: pieces.at(-1)?.charset ?? 'utf-8',
    isFaulty: pieces.some(({ isFaulty }) => isFaulty),
  };
}
