/** Reads from `openapi.json` what a form needs to know of an operation. */
import type { Access, FieldSchema, FieldSchemas, Operation } from '../forms/operation.ts';

/** A schema of the document, as far as forms use it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-secret'?: boolean;
}

type Security = readonly Readonly<Record<string, unknown>>[];

interface DocumentOperation {
  readonly operationId: string;
  readonly 'x-access': Access;
  readonly 'x-access-unit'?: 'default';
  readonly security?: Security;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The API's document, as far as forms use it. */
export interface Document {
  readonly security: Security;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Objects further down are edited by components of their own. */
const MAX_DEPTH = 3;
const KINDS = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
} as const;

/** Returns an operation by its id in the document, such as `api_keys.create`. @throws Error if there is none. */
export function readOperation(document: Document, id: string): Operation {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === id) return toOperation(document, method.toUpperCase(), path, operation);
  throw new Error(`openapi.json has no operation "${id}"`);
}

function toOperation(
  document: Document,
  method: string,
  path: string,
  operation: DocumentOperation,
): Operation {
  const { operationId, security = document.security, requestBody } = operation;
  const { 'x-access': access, 'x-access-unit': accessUnit } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return {
    name: operationId.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    method,
    path: path.replace(/\/$/, ''),
    credential: Object.keys(security[0] ?? {})[0] ?? 'None',
    access,
    ...(accessUnit === undefined ? {} : { accessUnit }),
    fields: body === undefined ? {} : toFields(document, body, 1),
  };
}

function toFields(document: Document, schema: Schema, depth: number): FieldSchemas {
  const { properties = {}, required = [] } = resolve(document, schema);
  const fields = Object.entries(properties).map(([name, member]) => [
    name,
    { ...toField(document, member, depth), ...(required.includes(name) ? { isRequired: true } : {}) },
  ]);
  return Object.fromEntries(fields);
}

function toField(document: Document, member: Schema, depth: number): FieldSchema {
  const whole = resolve(document, member);
  const { anyOf = [], 'x-secret': isSecret } = whole;
  const alternatives = anyOf.map((each) => resolve(document, each));
  const values = alternatives.filter(({ type }) => type !== 'null');
  const types = [whole.type ?? []].flat();
  const isNullable = types.includes('null') || values.length < alternatives.length;
  const value = anyOf.length === 0 ? whole : values.length === 1 ? values[0] : undefined;
  const isMarked = isSecret || value?.['x-secret'];
  return {
    ...(value === undefined ? { kind: 'other' } : describe(document, value, depth)),
    ...(isNullable ? { isNullable: true } : {}),
    ...(isMarked ? { isSecret: true } : {}),
  };
}

function describe(document: Document, schema: Schema, depth: number): FieldSchema {
  const { type, format, pattern, items } = schema;
  const choices = choicesOf(schema);
  if (choices !== undefined) return { kind: 'choice', choices };
  const name = [type ?? []].flat().find((each) => each !== 'null');
  const kind = Object.entries(KINDS).find(([each]) => each === name)?.[1] ?? 'other';
  const min = schema.minLength ?? schema.minimum ?? schema.minItems;
  const max = schema.maxLength ?? schema.maximum ?? schema.maxItems;
  const item = items === undefined ? undefined : resolve(document, items);
  const itemChoices = item === undefined ? undefined : choicesOf(item);
  const whole = kind === 'list' ? item : schema;
  const hasFields = whole?.properties !== undefined && depth < MAX_DEPTH;
  return {
    kind,
    // The server's message about a pattern comes before those about the length.
    ...(min === undefined || pattern !== undefined ? {} : { min }),
    ...(max === undefined || pattern !== undefined ? {} : { max }),
    ...(format === undefined ? {} : { format }),
    ...(itemChoices === undefined ? {} : { choices: itemChoices }),
    ...(hasFields ? { fields: toFields(document, whole, depth + 1) } : {}),
  };
}

function choicesOf({ enum: values, const: only }: Schema): readonly string[] | undefined {
  if (typeof only === 'string') return [only];
  const texts = values?.filter((each) => typeof each === 'string');
  return texts === undefined || texts.length === 0 ? undefined : texts;
}

/** Follows a reference. Members beside it, such as a description, count too. */
function resolve(document: Document, { $ref, ...beside }: Schema): Schema {
  if ($ref === undefined) return beside;
  const name = $ref.replace(/^.*\//, '');
  const target = document.components.schemas[name];
  if (target === undefined) throw new Error(`openapi.json has no schema "${name}"`);
  return { ...resolve(document, target), ...beside };
}
