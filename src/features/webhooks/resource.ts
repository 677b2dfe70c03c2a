import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { uuidKeys } from '../../resources/records.ts';
import { defineResource, type JsonColumn, type RecordRow } from '../../resources/resource.ts';
import type { StoredHeader } from './headers.ts';
import type { Webhook } from './schema.ts';

/** A webhook as it is stored; the values of its secret headers are sealed. */
export interface WebhookRow extends RecordRow {
  id: string;
  name: string;
  form_code: string;
  url: string;
  headers: StoredHeader[];
  active: boolean;
  test_data: object;
  last_attempt_at: string | null;
  last_attempt_status: 'success' | 'failed' | null;
}

interface WebhookTable extends Omit<WebhookRow, 'headers' | 'test_data'> {
  headers: JsonColumn<StoredHeader[]>;
  test_data: JsonColumn<object>;
}

declare module '../../db/tables.ts' {
  interface Tables {
    webhooks: WebhookTable;
  }
}

/** Webhooks; each belongs to the business unit of its form. */
export const webhookResource = defineResource<WebhookRow, Webhook>({
  entityType: 'webhook',
  table: 'webhooks',
  key: 'id',
  ...uuidKeys,
  notFound: NOT_FOUND,
  view: (row) => ({
    id: row.id,
    version: row.version,
    created_at: row.created_at,
    name: row.name,
    event: { event_type: 'form.submission', form_code: row.form_code },
    target: { url: row.url, headers: row.headers.map(toPublicHeader) },
    active: row.active,
    test_data: row.test_data,
    last_attempt_at: row.last_attempt_at,
    last_attempt_status: row.last_attempt_status,
  }),
  filters: { fields: {}, operations: [] },
  search: [],
});

function toPublicHeader({ name, value, is_secret }: StoredHeader): Webhook['target']['headers'][number] {
  return is_secret ? { name, is_secret } : { name, value, is_secret };
}
