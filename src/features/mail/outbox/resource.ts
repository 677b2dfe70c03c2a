import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { bytes, id, text, time } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { summary } from './schema.ts';

/** Captured messages. `to` is a normalized address. */
export const messages = defineResource({
  table: 'email_outbox',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields: {
    id,
    to: text(summary.to, { column: 'recipient', filter: true }),
    from: text(summary.from, { column: 'header_from' }),
    subject: text(summary.subject, {}),
    created_at: time(summary.created_at, {}),
    raw: bytes,
  },
});
