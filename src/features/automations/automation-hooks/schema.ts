import Type, { type Static } from 'typebox';

/** Path parameters of a hook call. */
export const HookParams = Type.Object({
  tenant_code: Type.String({ description: 'The code of the tenant.' }),
  path: Type.String({ description: 'Path of the hook; may have several segments.' }),
});
/** Path parameters of a hook call. */
export type HookParams = Static<typeof HookParams>;

/** Query of a hook call: any members. */
export const HookQuery = Type.Object({
  token: Type.Optional(
    Type.String({ description: 'Token of `webhook_url`, unless an API key is sent. Hidden from runs.' }),
  ),
});
/** Query of a hook call, with the token of the hook. */
export type HookQuery = Static<typeof HookQuery>;

/** Reply to a hook call. */
export const HookReply = Type.Object({ run_id: Type.String() }, { title: 'HookReply' });
/** The reply to a hook call. */
export type HookReply = Static<typeof HookReply>;
