import Type from 'typebox';
import type { Issue } from '../../errors/app-error.ts';
import { check } from '../../http/body-checks.ts';
import { isGiven } from '../../http/given-members.ts';
import { pageOptions, Search } from '../../resources/paging.ts';
import { CONTENT_ID } from '../projects/index.ts';
import { slicesIn } from './allowed-slices.ts';

/** The largest definition that a model may have, bytes of its JSON. */
const MAX_DEFINITION_BYTES = 1024 * 1024;
/** How many slices one model may name. */
const MAX_SLICES = 1000;

/** The id of a model or slice; the caller chooses it. */
export const ContentId = Type.String({
  pattern: CONTENT_ID,
  description: 'Chosen by you: 1 to 128 of `A-Za-z0-9_.-`, unique within the project.',
});

/** What a person calls it. */
export const Label = Type.String({ minLength: 1, maxLength: 500, description: 'What people call it.' });

/** A field-definition map: by group, then by field. Kinds of field and their options are the caller's. */
export const FieldMap = Type.Record(Type.String(), Type.Object({}, { additionalProperties: true }), {
  description:
    'A field-definition map: by group, commonly `Main`, then by field, each `{type, config}`. Kept as it was written; at most 1 MiB.',
});

/** What is told of a model beside its fields. */
export const ModelMetadata = Type.Object(
  {
    linkable: Type.Optional(
      Type.Boolean({ description: 'Whether links may lead to its documents. Absent: they may.' }),
    ),
  },
  { title: 'DocumentModelMetadata' },
);

/** The query of the list. */
export const ModelQuery = Type.Object({
  ...pageOptions,
  searchText: Type.Optional(Search),
});

/**
 * The faults of a definition beside its schema: it is larger than 1 MiB, or names too many slices
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
    ? [{ field, message: `must not name more than ${MAX_SLICES} slices` }]
    : [];
}

/** The faults of fields without a type in a map of fields, or of groups of fields. */
export function fieldTypeFaults(place: string, map: object): Issue[] {
  return Object.entries(map).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null || hasType(value)) return [];
    if ('config' in value) return [{ field: `${place}.${name}.type`, message: 'is required' }];
    return Object.entries(value).flatMap(([field, definition]: [string, unknown]) =>
      hasType(definition) ? [] : [{ field: `${place}.${name}.${field}.type`, message: 'is required' }],
    );
  });
}

function hasType(field: unknown): boolean {
  return typeof field === 'object' && field !== null && 'type' in field && typeof field.type === 'string';
}

/** The rules of a body beside its schema. */
export const MODEL_CHECKS = [
  check(['json'], (body: { readonly json: object }) => [
    ...definitionFaults('json', body.json, slicesIn),
    // What was stored before this rule is kept.
    ...(isGiven(body, 'json') ? fieldTypeFaults('json', body.json) : []),
  ]),
];
