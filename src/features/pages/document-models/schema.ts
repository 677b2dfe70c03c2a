import Type from 'typebox';
import type { Issue } from '../../../errors/app-error.ts';
import { check } from '../../../http/body-checks.ts';
import { wasSent } from '../../../http/sent-members.ts';
import { listParameters } from '../../../resources/list-queries.ts';
import { Search } from '../../../resources/paging.ts';
import { CONTENT_ID } from '../projects/index.ts';
import { allowedSlicesIn } from './allowed-slices.ts';

type Members = Readonly<Record<string, unknown>>;

/** Maximum size of a model's definition as JSON, in bytes. */
const MAX_DEFINITION_BYTES = 1024 * 1024;
/** Maximum number of slices in one model. */
const MAX_SLICES = 1000;

/** The id of a model or slice; the caller chooses it. */
export const ContentId = Type.String({
  pattern: CONTENT_ID,
  description: 'Chosen by you: 1 to 128 of `A-Za-z0-9_.-`; unique in the project.',
});

/** A display name. */
export const Label = Type.String({ minLength: 1, maxLength: 500, description: 'Display name.' });

/** Definitions of fields, by group and then by field. Callers choose the types of fields and their options. */
export const FieldMap = Type.Record(Type.String(), Type.Object({}, { additionalProperties: true }), {
  description:
    'Field definitions by group (commonly `Main`), then field: `{type, config}`. Stored verbatim; at most 1 MiB.',
});

/** Metadata of a model. */
export const ModelMetadata = Type.Object(
  {
    linkable: Type.Optional(
      Type.Boolean({ description: 'False: not offered as link target. Default: true.' }),
    ),
  },
  { title: 'DocumentModelMetadata' },
);

/** The query of the list. */
export const ModelQuery = Type.Object({
  ...listParameters,
  searchText: Type.Optional(Search),
});

/**
 * Returns faults of a definition that the schema does not cover: it is larger than 1 MiB, or has too many slices
 * (docs/specification/pages.md#document-models).
 */
export function definitionFaults(
  field: string,
  definition: unknown,
  slicesOf: (definition: unknown) => readonly string[],
): Issue[] {
  if (Buffer.byteLength(JSON.stringify(definition)) > MAX_DEFINITION_BYTES)
    return [{ field, message: 'must not be larger than 1 MiB' }];
  return slicesOf(definition).length > MAX_SLICES
    ? [{ field, message: `must reference at most ${MAX_SLICES} slices` }]
    : [];
}

/**
 * Returns an issue for each field without a type or with an invalid config. `map` contains fields or groups of fields.
 */
export function fieldTypeFaults(path: string, map: object): Issue[] {
  return Object.entries(map).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null) return [];
    if (isField(value)) return fieldFaults(`${path}.${name}`, value);
    return Object.entries(value).flatMap(([field, definition]: [string, unknown]) =>
      fieldFaults(`${path}.${name}.${field}`, definition),
    );
  });
}

/** Returns true for `{type, config}`; a group may have fields that are called `type` and `config`. */
function isField(value: object): boolean {
  return hasType(value) || ('config' in value && !hasType(value.config));
}

function hasType(field: unknown): boolean {
  return typeof field === 'object' && field !== null && 'type' in field && typeof field.type === 'string';
}

function fieldFaults(path: string, field: unknown): Issue[] {
  const { type, config = null }: Members = Object(field);
  if (typeof type !== 'string') return [{ field: `${path}.type`, message: 'is required' }];
  if (type === '') return [{ field: `${path}.type`, message: 'must not be empty' }];
  const isObject = typeof config === 'object' && !Array.isArray(config);
  return isObject ? [] : [{ field: `${path}.config`, message: 'must be an object' }];
}

/** Rules of a body that the schema does not cover. */
export const MODEL_CHECKS = [
  check(['json'], (body: { readonly json: object }) => [
    ...definitionFaults('json', body.json, allowedSlicesIn),
    // Records stored before this rule stay valid.
    ...(wasSent(body, 'json') ? fieldTypeFaults('json', body.json) : []),
  ]),
];
