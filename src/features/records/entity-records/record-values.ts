/** Parses bodies of records. Issues name the field; unknown members are ignored. */
import { carryWritten, isRounded, writtenMember } from '../../../db/written-json.ts';
import type { Issue } from '../../../errors/app-error.ts';
import type { PatternMatches } from '../../../patterns/pattern-matches.ts';
import { type EntityModel, ROUNDED, type StoredField } from '../entities/index.ts';
import { type FieldReader, fieldReaders } from './field-values.ts';

/** Values of some fields. */
export type FieldValues = ReadonlyMap<StoredField, unknown>;

/** The body of a record. */
export type RecordBody = Readonly<Record<string, unknown>>;

/** Collects issues, and matches texts against patterns. */
export interface Reading {
  readonly issues: Issue[];
  readonly patterns: PatternMatches;
}

/**
 * Parses a new record: all fields, with defaults and the initial state. `pathPrefix` precedes the names of fields in
 * issues.
 */
export function readNewRecord(
  model: EntityModel,
  body: RecordBody,
  reading: Reading,
  pathPrefix = '',
): FieldValues {
  return readFields(model, body, reading, pathPrefix, ({ default: defaultValue = null }) => defaultValue);
}

/** Parses the records of a bulk create. */
export function readNewRecords(model: EntityModel, bodies: readonly unknown[], reading: Reading) {
  return bodies.flatMap((body, index) => {
    const pathPrefix = `records[${index}].`;
    if (isRecordBody(body))
      return [{ body, pathPrefix, values: readNewRecord(model, body, reading, pathPrefix) }];
    reading.issues.push({ field: `records[${index}]`, message: 'must be an object' });
    return [];
  });
}

/** Parses the fields that a body contains. */
export function readGivenFields(
  model: EntityModel,
  body: RecordBody,
  reading: Reading,
  pathPrefix = '',
): FieldValues {
  return readFields(model, body, reading, pathPrefix, () => undefined);
}

/** `valueIfMissing` returns the value of a field that the body does not contain; undefined leaves the field out. */
function readFields(
  model: EntityModel,
  body: RecordBody,
  reading: Reading,
  pathPrefix: string,
  valueIfMissing: (field: StoredField) => unknown,
): FieldValues {
  const values = new Map<StoredField, unknown>();
  for (const reader of fieldReaders(model)) {
    const bodyValue = valueIn(body, reader);
    const value = bodyValue === undefined ? valueIfMissing(reader.field) : bodyValue;
    if (value !== undefined) readInto(values, reader, value, reading, pathPrefix, body);
  }
  return values;
}

/** Returns the value of the field that contains the state; undefined if it is missing. */
export function stateIn({ workflow, fields }: EntityModel, values: FieldValues): unknown {
  const field = workflow && fields.get(workflow.field);
  return field ? values.get(field) : undefined;
}

/** Returns true if a value can be the body of a record. */
export function isRecordBody(value: unknown): value is RecordBody {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts a validated body to that of a record. */
export function bodyOf(body: object): RecordBody {
  return carryWritten(body, { ...body });
}

/** Returns a field's value from a body, by its name or that of the relation it stores. */
function valueIn(body: RecordBody, { field: { name }, relation }: FieldReader): unknown {
  if (Object.hasOwn(body, name) && body[name] !== undefined) return body[name];
  return relation !== null && Object.hasOwn(body, relation) ? body[relation] : undefined;
}

/** Returns true if a body references two records by one relation. Objects, as `include` returns them, are ignored. */
function isContradictory(body: RecordBody, { field: { name }, relation }: FieldReader): boolean {
  const [stored, byRelation] = [body[name], relation === null ? undefined : body[relation]];
  return (
    typeof stored === 'string' &&
    typeof byRelation === 'string' &&
    stored.toLowerCase() !== byRelation.toLowerCase()
  );
}

function readInto(
  values: Map<StoredField, unknown>,
  reader: FieldReader,
  value: unknown,
  { issues, patterns }: Reading,
  pathPrefix: string,
  body: RecordBody = {},
): void {
  const { field, read, relation } = reader;
  const path = `${pathPrefix}${field.name}`;
  if (isContradictory(body, reader)) {
    issues.push({ field: path, message: `must be the same record as ${relation}` });
    return;
  }
  if (isRounded(body, field.name) && (field.type === 'number' || field.type === 'integer')) {
    issues.push({ field: path, message: ROUNDED });
    return;
  }
  const written =
    field.type === 'json' && Object.hasOwn(body, field.name) ? writtenMember(body, field.name) : value;
  const result = read(written, { patterns, field: path });
  if ('value' in result) values.set(field, result.value);
  else issues.push({ field: path, message: result.message });
}
