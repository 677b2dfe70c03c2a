/** Checks values before they are sent, with the messages of the server. The server checks all else. */
import { type FieldSchema, type FieldSchemas, isUpdate, type Operation } from './operation.ts';

/** A fault of a member of a request. */
export interface Issue {
  /** Path such as `brand_settings.logo_url`. */
  readonly field: string;
  readonly message: string;
}

/** Finds what the server would refuse. Returns one issue per member. */
export function checkFields(operation: Operation, body: object): Issue[] {
  return checkMembers(operation.fields, body, '', isUpdate(operation));
}

function checkMembers(fields: FieldSchemas, value: object, place: string, isUpdated: boolean): Issue[] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    const member: unknown = Reflect.get(value, name);
    const field = `${place}${name}`;
    if (isObject(member) && schema.fields !== undefined)
      return checkMembers(schema.fields, member, `${field}.`, isUpdated);
    const message = checkMember(schema, member, isUpdated);
    return [...(message === null ? [] : [{ field, message }]), ...checkItems(schema, member, field)];
  });
}

/** Checks the objects of a list. An update replaces lists as a whole. */
function checkItems({ fields }: FieldSchema, list: unknown, field: string): Issue[] {
  if (fields === undefined || !Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) =>
    isObject(item) ? checkMembers(fields, item, `${field}[${index}].`, false) : [],
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkMember(schema: FieldSchema, value: unknown, isUpdated: boolean): string | null {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, choices } = schema;
  if (value === undefined) {
    // The server completes an update with the stored value.
    if (isUpdated || schema.isRequired !== true) return null;
    return choices === undefined ? 'is required' : `is required: one of ${choices.join(', ')}`;
  }
  if (schema.kind === 'object' && value !== null && !isObject(value)) return 'must be object';
  if (typeof value === 'string') {
    // The server counts code points.
    const { length } = [...value];
    if (length < min) return min === 1 ? 'must not be empty' : `must be at least ${min} characters`;
    if (length > max) return `must be at most ${count(max, 'character')}`;
  }
  if (typeof value === 'number') {
    if (value < min) return `must be at least ${min}`;
    if (value > max) return `must be at most ${max}`;
  }
  if (Array.isArray(value)) {
    if (value.length < min) return `must have at least ${count(min, 'item')}`;
    if (value.length > max) return `must have at most ${count(max, 'item')}`;
  }
  return null;
}

function count(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}
