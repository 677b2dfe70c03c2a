import Type, { type Static } from 'typebox';

/** Maximum number of errors reported for a file. */
export const MAX_ERRORS = 1000;

/** Handling of existing addresses. */
export const ImportMode = Type.Enum(['insert', 'upsert'], {
  description: '`insert` counts an address that exists as failed; `upsert` changes its subscriber.',
});
export type ImportMode = Static<typeof ImportMode>;

/** Status of an import. */
export const ImportStatus = Type.Enum(['queued', 'running', 'completed', 'failed']);

/** Systems whose exports can be imported unchanged. */
export const ImportSource = Type.Enum(['listmonk', 'mailchimp'], {
  description: 'The system that exported the file: its columns are read as that system writes them.',
});
export type ImportSource = Static<typeof ImportSource>;

/** Reason of a suppression. */
const SuppressionReason = Type.Enum(['unsubscribe', 'bounce', 'complaint'], {
  description:
    'Only with `source`: everybody in the file becomes inactive and is suppressed for this reason.',
});
export type SuppressionReason = Static<typeof SuppressionReason>;

/** Options of an import. */
export const ImportQuery = Type.Object({
  mode: ImportMode,
  source: Type.Optional(ImportSource),
  suppress: Type.Optional(SuppressionReason),
  list_id: Type.Optional(Type.String({ description: 'A list that everybody in the file joins.' })),
});
export type ImportQuery = Static<typeof ImportQuery>;

/** Errors of rows. */
export const ImportErrors = Type.Array(
  Type.Object(
    {
      line: Type.Integer({
        description: 'Where the row begins in the file; the header of a CSV file is line 1.',
      }),
      column: Type.Optional(
        Type.String({
          description: 'The column, or member of a line of JSON, that is wrong; absent: the row as a whole.',
        }),
      ),
      message: Type.String(),
    },
    { title: 'SubscriberImportFault' },
  ),
  { description: `The first ${MAX_ERRORS}.` },
);
export type ImportErrors = Static<typeof ImportErrors>;

/** Progress and result of an import. */
export const SubscriberImport = Type.Object(
  {
    status: ImportStatus,
    total: Type.Integer({ description: 'Rows of the file, without the header.' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    failed: Type.Integer(),
    errors: ImportErrors,
  },
  { title: 'SubscriberImport' },
);
export type SubscriberImport = Static<typeof SubscriberImport>;
