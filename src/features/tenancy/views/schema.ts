import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import type { views } from './resource.ts';

/** Parameters of the list. */
export const ViewQuery = Type.Object({
  screen: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the list.' }),
});

/** A view in the list. */
export const ListedView = Type.Object(
  {
    id: Type.String(),
    screen: Type.String(),
    name: Type.String(),
    query: Type.String(),
    shared: Type.Boolean(),
    author: nullable(
      Type.Object({ membership_id: Type.String(), name: Type.String() }, { title: 'ViewAuthor' }),
      { description: 'Null: the author has left the tenant.' },
    ),
    can_change: Type.Boolean({ description: 'True if the caller may change and delete it.' }),
    version: Type.Integer(),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { title: 'ListedView' },
);
/** A view in the list. */
export type ListedView = Static<typeof ListedView>;

/** Response of the list. */
export const ListedViews = Type.Object({ results: Type.Array(ListedView) }, { title: 'ListedViews' });

/** Body of a create. */
export type ViewCreate = Static<typeof views.createBody>;
/** Body of a replace. */
export type ViewReplace = Static<typeof views.replaceBody>;
