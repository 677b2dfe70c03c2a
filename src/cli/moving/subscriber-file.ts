/** Import of subscribers from CSV, by the import of the API. */
import { setTimeout } from 'node:timers/promises';
import Type from 'typebox';
import Value from 'typebox/value';
import type { Target } from './target.ts';

const POLL_MS = 250;

const Started = Type.Object({ import_id: Type.String() });
const Result = Type.Object({
  status: Type.String(),
  created: Type.Integer(),
  updated: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Array(
    Type.Object({ line: Type.Integer(), column: Type.Optional(Type.String()), message: Type.String() }),
  ),
});
const Created = Type.Object({ id: Type.String() });

/** Result of an import. */
export interface SubscriberFileResult {
  readonly imported: number;
  readonly failed: number;
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

/** Imports a CSV file and waits for the end. `query` names the source and its options. */
export async function importSubscriberFile(
  target: Target,
  query: Readonly<Record<string, string>>,
  csv: Blob,
): Promise<SubscriberFileResult> {
  const path = '/api/subscribers/import';
  const parameters = new URLSearchParams({ mode: 'upsert', ...query });
  const { import_id: id } = Value.Parse(Started, await target.upload(`${path}?${parameters}`, csv));
  for (;;) {
    const answer = await target.send('GET', `${path}/${id}`);
    const { status, created, updated, failed, errors } = Value.Parse(Result, answer);
    if (status === 'failed')
      throw new Error(
        `The import of subscribers failed: ${errors.at(-1)?.message ?? 'see the log of the server'}`,
      );
    if (status === 'completed') return { imported: created + updated, failed, errors };
    await setTimeout(POLL_MS);
  }
}

/** Creates a record by a POST. Returns its id. */
export async function createRecord(target: Target, path: string, body: unknown): Promise<string> {
  return Value.Parse(Created, await target.create(path, body)).id;
}
