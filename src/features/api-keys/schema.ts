import Type from 'typebox';
import { nullable } from '../../http/schemas.ts';

/** Body of a create. */
export const ApiKeyCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    membership_id: Type.Optional(Type.String({ description: "The caller's own membership when absent." })),
  },
  { title: 'ApiKeyCreate' },
);

/** A new key: the only time that it is shown. */
export const ApiKeyCreated = Type.Object(
  { id: Type.String(), api_key: Type.String() },
  { title: 'ApiKeyCreated' },
);

/** A key as lists show it. */
export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String({ description: 'How the key begins.' }),
    membership_id: Type.String(),
    created_at: Type.String(),
    last_used_at: nullable(Type.String(), { description: 'Exact to a minute.' }),
    revoked_at: nullable(Type.String()),
  },
  { title: 'ApiKey' },
);
