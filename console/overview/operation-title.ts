import { overviewTexts } from './texts.ts';

const { translate } = overviewTexts;
const KINDS: readonly string[] = ['subscriber_import', 'export'];

/** Returns the name of a kind of operation; a title, and a kind without a name here, is returned as it is. */
export function operationTitle(title: string): string {
  return isKind(title) ? translate(`kind.${title}`) : title;
}

function isKind(title: string): title is 'subscriber_import' | 'export' {
  return KINDS.includes(title);
}
