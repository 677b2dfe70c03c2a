/** The typed client of Tessera. See README.md. */
export { Tessera } from './client.ts';
export { TesseraError, type TesseraIssue } from './errors.ts';
export type { FilterCondition, Filters } from './filters.ts';
export type * from './generated/resources.ts';
export type * as schemas from './generated/schemas.ts';
export type {
  BrowserSession,
  CallOptions,
  QueryOptions,
  TesseraOptions,
  Token,
  UploadOptions,
} from './options.ts';
export type { EntityType, EntityTypes, RecordPage, RecordQuery, RecordsOf, RecordView } from './records.ts';
export type { ReplyEvent, StreamEvent } from './streams.ts';
export {
  type ReceivedWebhook,
  type SubmissionWebhook,
  verifyRecordWebhook,
  verifyWebhook,
  WebhookVerificationError,
} from './webhooks.ts';
