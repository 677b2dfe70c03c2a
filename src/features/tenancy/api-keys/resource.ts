import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { nullable } from '../../../http/schemas.ts';
import type { TableOf } from '../../../resources/field-types.ts';
import { bytes, id, moment, text, time } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';

const fields = {
  id,
  name: text(Type.String(), {}),
  prefix: text(Type.String({ description: 'First characters of the key.' }), {}),
  membership_id: id,
  digest: bytes,
  created_at: moment,
  last_used_at: time(nullable(Type.String(), { description: 'To the minute.' }), {}),
  revoked_at: time(nullable(Type.String()), {}),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    api_keys: TableOf<typeof fields>;
  }
}

/** API keys (docs/specification/tenants.md#api-keys). Only a digest of each key is stored. */
export const apiKeyResource = defineResource({
  table: 'api_keys',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
  sorts: ['name'],
});
