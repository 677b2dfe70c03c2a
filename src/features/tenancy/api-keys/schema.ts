import Type, { type Static } from 'typebox';
import { secretMark } from '../../../http/schemas.ts';
import { apiKeyResource } from './resource.ts';

/** Body of a create. */
export const ApiKeyCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    membership_id: Type.Optional(Type.String({ description: "Default: the caller's membership." })),
  },
  { title: 'ApiKeyCreate' },
);

/** Body of the operator's create. */
export const OperatorKeyCreate = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    email: Type.Optional(Type.String({ description: 'Address of the member. Default: the oldest owner.' })),
  },
  { title: 'OperatorKeyCreate' },
);

/** A new key; this response is the only one that contains it. */
export const ApiKeyCreated = Type.Object(
  { id: Type.String(), api_key: Type.String(secretMark) },
  { title: 'ApiKeyCreated' },
);

/** A key in lists. */
export const ApiKey = Type.Unsafe<Static<typeof apiKeyResource.reply>>({
  ...apiKeyResource.reply,
  title: 'ApiKey',
});
