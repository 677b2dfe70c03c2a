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

type BulkAction = (
  | schemas.AssetBulkAction
  | schemas.DocumentBulkAction
  | schemas.FormSubmissionBulkAction
  | schemas.RedirectBulkAction
  | schemas.SubscriberBulkAction
  | schemas.SuppressionBulkAction
)['action'];

/** Names of bulk actions. The type requires one for each action of the API. */
const ACTIONS: Readonly<Record<BulkAction, () => string>> = {
  add_lists: () => translate('action.add_lists'),
  remove_lists: () => translate('action.remove_lists'),
  set_active: () => translate('action.set_active'),
  set_fields: () => translate('action.set_fields'),
  set_subscription: () => translate('action.set_subscription'),
  erase: () => translate('action.erase'),
  delete: () => translate('action.delete'),
  redeliver: () => translate('action.redeliver'),
  move: () => translate('action.move'),
  tag: () => translate('action.tag'),
  set_status: () => translate('action.set_status'),
};
const ACTION_NAMES: ReadonlyMap<string, () => string> = new Map(Object.entries(ACTIONS));

/** Returns the name of a kind. A kind of a newer server has none: it is shown as the API calls it. */
export function kindName(kind: string): string {
  const known = OPERATION_KINDS.find((each) => each === kind);
  return known === undefined ? kind : translate(`kind.${known}`);
}

/** Returns the name of an operation, such as "Subscriber import: News". */
export function operationName({ kind, title }: Pick<Operation, 'kind' | 'title'>): string {
  const name = kindName(kind);
  return title === null ? name : translate('name', { kind: name, title: titleText(kind, title) });
}

/** Returns a title for people: titles of exports and bulk actions are codes. Unknown ones are shown as they are. */
function titleText(kind: string, title: string): string {
  if (/_bulk(?:_revert)?$/.test(kind)) return ACTION_NAMES.get(title)?.() ?? title;
  const exported = kind === 'export' ? EXPORTS.find((each) => each === title) : undefined;
  return exported === undefined ? title : translate(`export.${exported}`);
}

/** Returns how much is done, such as "1,200 of 48,000". */
export function progressText({ done, total }: Pick<Operation, 'done' | 'total'>): string {
  return total === null ? translate('progress.done', { done }) : translate('progress', { done, total });
}

/** True if an operation has not ended. */
export function isRunning({ status }: Pick<Operation, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}
