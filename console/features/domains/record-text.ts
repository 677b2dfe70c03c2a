import type { PublishedRecord } from './records.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Returns the records as a text for the person who manages the DNS of the domain. */
export function printRecords(domain: string, records: readonly PublishedRecord[]): string {
  const blocks = records.map(({ kind, type, name, value }) =>
    [
      `${translate(`kind.${kind}`)}: ${translate(`purpose.${kind}`)}`,
      `${translate('type')}: ${type}`,
      `${translate('name')}: ${name}`,
      `${translate('value')}: ${value}`,
    ].join('\n'),
  );
  return `${[translate('records.letter', { domain }), ...blocks].join('\n\n')}\n`;
}
