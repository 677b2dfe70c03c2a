import { expressionBuilder, type RawBuilder, sql } from 'kysely';
import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { Secret, SigningSecret } from '../../../outbound/webhook-signature.ts';
import type { CreateOf, ReplaceOf, RowOf, TableOf } from '../../../resources/field-types.ts';
import {
  boolean,
  constant,
  hidden,
  id,
  json,
  moment,
  owner,
  text,
  time,
  version,
} from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import type { SealedColumn } from '../../../secrets/sealed-columns.ts';
import type { FailureColumns } from '../../../work-queue/target-outcomes.ts';
import { StoredHeaders, toPublicHeaders } from './headers.ts';
import { Active, HeaderInputs, Headers, Name, TestData, Url } from './schema.ts';

/** The values of secret headers are stored encrypted and never shown. */
const shownHeaders = {
  schema: Headers,
  of: toPublicHeaders,
  sql: (column: RawBuilder<unknown>) =>
    expressionBuilder()
      .selectFrom((eb) => eb.fn<{ header: unknown }>('json_array_elements', [column]).as('header'))
      .select(
        sql`coalesce(json_agg(case when (header->>'is_secret')::boolean
            then json_build_object('name', header->'name', 'is_secret', header->'is_secret')
            else header end), '[]')`.as('shown'),
      ),
} as const;

const fields = {
  id,
  version,
  created_at: moment,
  name: text(Name, {}),
  event_type: constant('form.submission', { at: 'event.event_type' }),
  form_code: text(Type.String({ description: 'Form whose submissions are delivered.' }), {
    at: 'event.form_code',
    writes: 'once',
    filter: true,
  }),
  url: text(Url, { at: 'target.url' }),
  headers: json(StoredHeaders, {
    at: 'target.headers',
    input: HeaderInputs,
    default: [],
    shown: shownHeaders,
  }),
  secret: hidden(text(Secret, { column: 'signing_secret', input: Secret, default: null, keeps: true })),
  /** Encrypted with the webhook's id as context. */
  signing_secret: hidden(text(SigningSecret, { input: SigningSecret, default: null, keeps: true })),
  active: boolean(Active, { default: true, keeps: true }),
  test_data: json(TestData, { default: {}, keeps: true }),
  last_attempt_at: time(Type.String({ description: 'Most recent attempt of any delivery, without tests.' }), {
    nullable: true,
    writes: 'platform',
  }),
  last_attempt_status: text(Type.Enum(['success', 'failed'], { description: 'Result of that attempt.' }), {
    nullable: true,
    writes: 'platform',
  }),
  business_unit: owner,
  updated_at: hidden(moment),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    webhooks: TableOf<typeof fields> & FailureColumns;
  }
}

/** A stored webhook; its signing secret and the values of its secret headers are encrypted. */
export type WebhookRow = RowOf<typeof fields>;
/** A validated body of a create. */
export type WebhookCreate = CreateOf<typeof fields>;
/** A validated body of a replace. */
export type WebhookReplace = ReplaceOf<typeof fields>;

/** Webhooks; each belongs to the unit of its form. */
export const webhookResource = defineResource({
  title: 'Webhook',
  entityType: 'webhook',
  table: 'webhooks',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
  sorts: ['name'],
});

const sealedWebhookColumn = {
  table: 'webhooks',
  key: { id: 'uuid' },
  sealedUnder: ({ id = '' }: Readonly<Record<string, string>>) => id,
} as const;

/** Columns with encrypted values: secret headers and signing secrets. */
export const sealedWebhookColumns: readonly SealedColumn[] = [
  { ...sealedWebhookColumn, column: 'headers', type: 'json' },
  { ...sealedWebhookColumn, column: 'signing_secret', type: 'text' },
];
