/** The mapping of an import: which field each column of the file becomes. */
import { invalidRequest } from '../../../../errors/platform-errors.ts';
import { isAdditionalColumn, MAPPED_COLUMNS } from './rows.ts';

/** Fields by header; null ignores the column. */
export type Mapping = ReadonlyMap<string, string | null>;

/** Reads a mapping from JSON. @throws AppError INVALID_REQUEST. */
export function readMapping(text: string): Mapping {
  const mapping = new Map<string, string | null>();
  for (const [header, field] of Object.entries(parseObject(text))) {
    if (field !== null && !isField(field)) {
      const fields = `${MAPPED_COLUMNS.join(', ')}, additional_fields_data.<name> or null`;
      throw invalidRequest([{ field: 'mapping', message: `must map ${header} to one of ${fields}` }]);
    }
    mapping.set(header, field);
  }
  return mapping;
}

function parseObject(text: string): object {
  const value = parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidRequest([{ field: 'mapping', message: 'must be a JSON object' }]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isField(field: unknown): field is string {
  return typeof field === 'string' && (MAPPED_COLUMNS.includes(field) || isAdditionalColumn(field));
}
