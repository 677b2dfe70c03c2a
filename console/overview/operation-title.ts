import { overviewTexts } from './texts.ts';

const { translate } = overviewTexts;
const KINDS = [
  'subscriber_import',
  'export',
  'subscribers_bulk',
  'form_submissions_bulk',
  'assets_bulk',
  'documents_bulk',
  'redirects_bulk',
  'suppressions_bulk',
] as const;

/** Returns the name of a kind of operation; a title, and a kind without a name here, is returned as it is. */
export function operationTitle(title: string): string {
  const known = KINDS.find((kind) => kind === title);
  return known === undefined ? title : translate(`kind.${known}`);
}
