import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { secretMark } from '../../../http/schemas.ts';
import type { CreateOf, TableOf } from '../../../resources/field-types.ts';
import { hidden, id, moment, text } from '../../../resources/fields.ts';
import { pathKey } from '../../../resources/keys.ts';
import { requireDefaultAdmin } from '../../../resources/ownership.ts';
import { defineResource } from '../../../resources/resource.ts';

const fields = {
  provider: text(Type.Enum(['ses', 'mailgun', 'sendgrid', 'postmark']), {}),
  /** Part of the token in the hook URL: only the latest URL of a provider is valid. */
  id: hidden(id),
  /** Encrypted for the id. */
  signing_key: text(
    Type.String({
      ...secretMark,
      minLength: 1,
      maxLength: 2000,
      description:
        'Verifies notices. `mailgun`: HTTP webhook signing key. `sendgrid`: verification key of the signed event webhook. `postmark`: optional `user:password` for basic authentication. `ses`: ARN of the only topic to accept. Stored encrypted and never returned.',
    }),
    { nullable: true },
  ),
  created_at: moment,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    mail_provider_hooks: TableOf<typeof fields>;
  }
}

/** A checked body of a create. */
export type ProviderHookCreate = CreateOf<typeof fields>;

/** Hook URLs to which mail providers report delivery results: a tenant has one for each provider. */
export const providerHooks = defineResource({
  title: 'ProviderHook',
  table: 'mail_provider_hooks',
  key: pathKey('provider', () => true),
  notFound: NOT_FOUND,
  guard: requireDefaultAdmin,
  fields,
});
