import Type, { type Static } from 'typebox';

/** Maximum number of errors reported for a file. */
export const MAX_ERRORS = 1000;

/** Handling of existing addresses. */
export const ImportMode = Type.Enum(['insert', 'upsert'], {
  description: 'For an existing address, `insert` fails the row and `upsert` updates the subscriber.',
});
/** How an import handles existing addresses. */
export type ImportMode = Static<typeof ImportMode>;

/** Status of an import. */
export const ImportStatus = Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled']);

/** Systems whose exports can be imported unchanged. */
export const ImportSource = Type.Enum(['listmonk', 'mailchimp'], {
  description: 'The system that exported the file; sets how columns are read.',
});
/** A system whose export is imported unchanged. */
export type ImportSource = Static<typeof ImportSource>;

/** Reason of a suppression. */
const SuppressionReason = Type.Enum(['unsubscribe', 'bounce', 'complaint'], {
  description: 'Only with `source`: deactivates and suppresses all rows for this reason.',
});
/** The reason for which an import suppresses addresses. */
export type SuppressionReason = Static<typeof SuppressionReason>;

/** Options of an import. */
export const ImportQuery = Type.Object({
  mode: ImportMode,
  source: Type.Optional(ImportSource),
  suppress: Type.Optional(SuppressionReason),
  list_id: Type.Optional(Type.String({ description: 'Id of a list that all rows join.' })),
  mapping: Type.Optional(
    Type.String({
      description:
        'Only for CSV without `source`: a JSON object from headers of the file to fields, `{"Vorname":"first_name","Ort":"additional_fields_data.city","Nr":null}`; null ignores the column.',
    }),
  ),
});
/** Options of an import. */
export type ImportQuery = Static<typeof ImportQuery>;

/** Errors of rows. */
export const ImportErrors = Type.Array(
  Type.Object(
    {
      line: Type.Integer({
        description: 'First line of the row; a CSV header is line 1.',
      }),
      column: Type.Optional(
        Type.String({
          description: 'Invalid column or JSON field; absent if the whole row is invalid.',
        }),
      ),
      message: Type.String(),
    },
    { title: 'SubscriberImportError' },
  ),
  { description: `At most ${MAX_ERRORS}.` },
);
/** Errors of the rows of an import. */
export type ImportErrors = Static<typeof ImportErrors>;

/** Progress and result of an import. */
export const SubscriberImport = Type.Object(
  {
    status: ImportStatus,
    total: Type.Integer({ description: 'Number of rows, without the header.' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    failed: Type.Integer(),
    errors: ImportErrors,
  },
  { title: 'SubscriberImport' },
);
/** An import with its progress. */
export type SubscriberImport = Static<typeof SubscriberImport>;

/** The beginning of a file, and how its columns can be imported. */
export const ImportPreview = Type.Object(
  {
    format: Type.Enum(['csv', 'workbook'], {
      description: '`workbook` is a file of Excel or Numbers, which must be exported as CSV.',
    }),
    encoding: Type.Union([Type.String(), Type.Null()], {
      description: '`utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, or the declared charset.',
    }),
    delimiter: Type.Union([Type.String(), Type.Null()]),
    source: Type.Union([ImportSource, Type.Null()], {
      description: 'The `source` with which the file should be imported, instead of a mapping.',
    }),
    columns: Type.Array(
      Type.Object(
        {
          header: Type.String(),
          samples: Type.Array(Type.String(), { description: 'The first cells with content; at most 3.' }),
          suggested_field: Type.Union([Type.String(), Type.Null()], {
            description: 'A value for `mapping`; null suggests to ignore the column.',
          }),
        },
        { title: 'SubscriberImportColumn' },
      ),
    ),
    problems: Type.Array(
      Type.Object(
        {
          line: Type.Optional(Type.Integer()),
          column: Type.Optional(Type.String({ description: 'Header of the column.' })),
          message: Type.String(),
        },
        { title: 'SubscriberImportProblem' },
      ),
      { description: 'At most 20.' },
    ),
  },
  { title: 'SubscriberImportPreview' },
);
/** A preview of a file. */
export type ImportPreview = Static<typeof ImportPreview>;
