import Type, { type Static, type TSchema } from 'typebox';
import { check } from '../../../http/body-checks.ts';
import { nullable } from '../../../http/schemas.ts';
import { wasSent } from '../../../http/sent-members.ts';
import { listParameters } from '../../../resources/list-queries.ts';
import { orderedPage, Search } from '../../../resources/paging.ts';
import { definitionFaults, fieldTypeFaults } from '../document-models/index.ts';
import { allowedSlicesInVariations } from './allowed-slices.ts';

/** A display name. */
export const Name = Type.String({ minLength: 1, maxLength: 500, description: 'Display name.' });

/** Kind of a slice, which determines where it can be placed in a page. */
export const Kind = Type.Enum(['section', 'layout', 'block'], {
  description: 'Sections and layouts are top-level, blocks go into layout columns. Default: section.',
});

/** Owner of a slice: the tenant or a project. */
export const Origin = Type.Enum(['core', 'bespoke'], {
  description:
    'Core: shared by all projects of the tenant, written by owners. Default: bespoke, this project only.',
});

/** Maturity of a slice. */
export const Status = Type.Enum(['stable', 'beta', 'deprecated'], { description: 'Default: stable.' });

/** A category for searches. */
export const Category = Type.String({ maxLength: 200 });
/** Keywords, tags or media by which slices are found. */
export const Keywords = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 });

const Text = Type.Optional(nullable(Type.String()));

const Variation = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    name: Text,
    description: Text,
    docURL: Text,
    version: Text,
    imageUrl: Text,
    primary: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Field definitions.' }),
    ),
    items: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Field definitions of repeated items.' }),
    ),
    columns: Type.Optional(
      Type.Array(
        Type.Object(
          {
            allow: Type.Optional(
              Type.Union([Type.Literal('*'), Type.Array(Type.String())], {
                description: 'Allowed blocks: `*` for all, or ids.',
              }),
            ),
          },
          { title: 'SliceColumn' },
        ),
        { maxItems: 100, description: 'Columns of a layout.' },
      ),
    ),
  },
  { title: 'SliceVariation' },
);

/** Variations of a slice. */
export const Variations = Type.Array(Variation, {
  maxItems: 200,
  description: 'Stored verbatim; at most 1 MiB.',
});

/** Rules of a body that the schema does not cover. */
export const SLICE_CHECKS = [
  check(['variations'], (body: { readonly variations?: readonly Static<typeof Variation>[] }) => {
    const { variations = [] } = body;
    return [
      ...definitionFaults('variations', variations, allowedSlicesInVariations),
      // Records stored before this rule stay valid.
      ...(wasSent(body, 'variations') ? variations : []).flatMap(({ primary = {}, items = {} }, index) => [
        ...fieldTypeFaults(`variations[${index}].primary`, primary),
        ...fieldTypeFaults(`variations[${index}].items`, items),
      ]),
    ];
  }),
];

const anyOf = (maxItems = 100) => Type.Optional(Type.Array(Type.String(), { maxItems }));

/** The query of the list. */
export const SliceQuery = Type.Object({
  ...listParameters,
  searchText: Type.Optional(Search),
  sortBy: Type.Optional(
    Type.Enum(['created_at', 'updated_at'], {
      description: 'Sorts descending by this time, unless `sort` is given.',
    }),
  ),
  'kind[]': anyOf(),
  'category[]': anyOf(),
  'tags[]': anyOf(),
  'media[]': anyOf(),
  'origin[]': anyOf(),
  'status[]': anyOf(),
  'availableSliceIds[]': anyOf(1000),
});

const Counts = Type.Record(Type.String(), Type.Integer());

/** Returns the schema of the list's reply, with items of this schema. */
export function slicePage(item: TSchema) {
  const { properties } = orderedPage(item);
  return Type.Object(
    {
      ...properties,
      facets: Type.Object(
        { category: Counts, tags: Counts, media: Counts, origin: Counts, status: Counts },
        {
          title: 'SliceModelFacets',
          description:
            'Number of slices per value, for the 1,000 most frequent values. A facet ignores the filter of its own name.',
        },
      ),
    },
    { title: 'SliceModelPage' },
  );
}
