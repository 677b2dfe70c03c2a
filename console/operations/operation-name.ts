import type { schemas } from '../../sdk/src/index.ts';
import { operationTexts } from './texts.ts';

const { translate } = operationTexts;

/** An operation in lists. */
export type Operation = schemas.OperationListItem;

/** Kinds that have a name. */
export const OPERATION_KINDS = [
  'subscriber_import',
  'subscriber_import_revert',
  'export',
  'subscribers_bulk',
  'subscribers_bulk_revert',
  'form_submissions_bulk',
  'assets_bulk',
  'documents_bulk',
  'documents_bulk_revert',
  'redirects_bulk',
  'redirects_bulk_revert',
  'suppressions_bulk',
] as const;
const EXPORTS = ['subscribers', 'form_submissions', 'campaigns', 'marketing_email_details'] as const;

/** Returns the name of a kind. A kind of a newer server has none: it is shown as the API calls it. */
export function kindName(kind: string): string {
  const known = OPERATION_KINDS.find((each) => each === kind);
  return known === undefined ? kind : translate(`kind.${known}`);
}

/** Returns the name of an operation, such as "Subscriber import: News". */
export function operationName({ kind, title }: Pick<Operation, 'kind' | 'title'>): string {
  const name = kindName(kind);
  if (title === null) return name;
  const exported = kind === 'export' ? EXPORTS.find((each) => each === title) : undefined;
  return translate('name', {
    kind: name,
    title: exported === undefined ? title : translate(`export.${exported}`),
  });
}

/** Returns how much is done, such as "1,200 of 48,000". */
export function progressText({ done, total }: Pick<Operation, 'done' | 'total'>): string {
  return total === null ? translate('progress.done', { done }) : translate('progress', { done, total });
}

/** True if an operation has not ended. */
export function isRunning({ status }: Pick<Operation, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}
