import Type, { type Static } from 'typebox';

/** Path parameters of a hook call. */
export const HookParams = Type.Object({
  tenant_code: Type.String({ description: 'The code of the tenant.' }),
  path: Type.String({ description: 'The path of the hook, which may have several segments.' }),
});
export type HookParams = Static<typeof HookParams>;

/** Query of a hook call: any members. */
export const HookQuery = Type.Object({
  token: Type.Optional(
    Type.String({ description: 'The token of `webhook_url`, where no API key is sent. Runs never see it.' }),
  ),
});
export type HookQuery = Static<typeof HookQuery>;

/** Reply to a hook call. */
export const HookReply = Type.Object({ run_id: Type.String() }, { title: 'HookReply' });
export type HookReply = Static<typeof HookReply>;
