/** The values of a record's fields: compiled once for each model into what checks them and hands them to the database. */
import { isDate, readTime, toUuid } from '../../resources/filter-values.ts';
import type { EntityModel, StoredField } from '../entities/index.ts';
import { compileLinearRegex } from '../forms/index.ts';

/** A value as the database takes it, or what is wrong with it. */
export type Read = { readonly value: unknown } | { readonly message: string };

/** What reads the values of one field. */
export interface FieldReader {
  readonly field: StoredField;
  readonly read: (value: unknown) => Read;
}

const readersByModel = new WeakMap<EntityModel, readonly FieldReader[]>();

/** What reads the fields of an entity's records, in the order of its definition. */
export function fieldReaders(model: EntityModel): readonly FieldReader[] {
  const known =
    readersByModel.get(model) ??
    [...model.fields.values()].map((field) => ({ field, read: readerOf(field, model) }));
  readersByModel.set(model, known);
  return known;
}

type Reader = (value: unknown) => Read;

function readerOf(field: StoredField, { workflow }: EntityModel): Reader {
  // What is no state is for the workflow to refuse.
  const isState = workflow?.field === field.name;
  const read = isState ? ofText((text) => text, 'must be a string') : ofType(field);
  const ofNull: Read = field.required ? { message: 'is required' } : { value: null };
  return (value) => (value === null ? ofNull : read(value));
}

function ofType(field: StoredField): Reader {
  const { type, refersTo } = field;
  switch (type) {
    case 'string':
    case 'text':
      return textReader(field);
    case 'integer':
      return numberReader(
        field,
        (value) => Number.isSafeInteger(value),
        'must be an integer within ±(2^53-1)',
      );
    case 'number':
      return numberReader(field, Number.isFinite, 'must be a number');
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? { value } : { message: 'must be true or false' });
    case 'date':
      return ofText((text) => (isDate(text) ? text : undefined), 'must be a date such as 2026-11-21');
    case 'datetime':
      return ofText(readTime, 'must be an ISO 8601 date and time');
    case 'uuid':
      return ofText(toUuid, 'must be a UUID');
    case 'relation':
      return ofText(toUuid, `must be the id of a record of ${refersTo}`);
    case 'enum':
      return enumReader(field);
    case 'json':
      return readJson;
  }
}

function ofText(read: (text: string) => string | undefined, message: string): Reader {
  return (given) => {
    const value = typeof given === 'string' ? read(given) : undefined;
    return value === undefined ? { message } : { value };
  };
}

function textReader({ min, max, pattern }: StoredField): Reader {
  const matcher = pattern === null ? null : compileLinearRegex(pattern, false);
  return (value) => {
    if (typeof value !== 'string') return { message: 'must be a string' };
    if (min !== null && isShorter(value, min)) return { message: `must have at least ${min} characters` };
    if (max !== null && isShorter(value, max + 1) === false)
      return { message: `must not have more than ${max} characters` };
    if (matcher !== null && !matcher.test(value)) return { message: `must match the pattern ${pattern}` };
    return { value };
  };
}

/** Whether a text has fewer than `count` characters, as PostgreSQL counts them: code points. */
function isShorter(text: string, count: number): boolean {
  if (text.length < count) return true;
  // A character has one or two units.
  if (text.length >= count * 2) return false;
  let characters = 0;
  for (const _character of text) characters += 1;
  return characters < count;
}

function numberReader(
  { min, max }: StoredField,
  isOne: (value: unknown) => boolean,
  message: string,
): Reader {
  return (value) => {
    if (typeof value !== 'number' || !isOne(value)) return { message };
    if (min !== null && value < min) return { message: `must not be less than ${min}` };
    if (max !== null && value > max) return { message: `must not be more than ${max}` };
    return { value };
  };
}

function enumReader({ enum: values }: StoredField): Reader {
  const known = new Set<unknown>(values);
  const message = `must be one of ${(values ?? []).join(', ')}`;
  return (value) => (known.has(value) ? { value } : { message });
}

/** As text, which the database keeps. What JSON has no word for would become null there. */
function readJson(value: unknown): Read {
  let isWhole = true;
  const text = JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'number' && !Number.isFinite(each)) isWhole = false;
    return each;
  });
  return isWhole ? { value: text } : { message: 'holds a number that is too large' };
}
