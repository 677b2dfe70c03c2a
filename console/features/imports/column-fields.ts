/** The fields that the columns of a file can become. */
import type { schemas } from '../../../sdk/src/index.ts';
import type { Option } from '../../ui/option.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const ADDITIONAL = 'additional_fields_data.';
const MAX_NAME = 64;

/** A column that is not imported. */
export const IGNORED = 'ignored';

/** A column of the file. */
export type FileColumn = schemas.SubscriberImportPreview['columns'][number];

/** Returns the choices of a column: the fields of a subscriber, and an additional field with its own name. */
export function optionsOf({ header, suggested_field: suggested }: FileColumn): Option[] {
  const standard: Option[] = [
    { id: IGNORED, title: translate('field.ignored') },
    { id: 'email', title: translate('field.email') },
    { id: 'first_name', title: translate('field.first_name') },
    { id: 'last_name', title: translate('field.last_name') },
    { id: 'active', title: translate('field.active') },
  ];
  const own = suggested?.startsWith(ADDITIONAL) ? suggested : additionalField(header);
  const named =
    own === null
      ? []
      : [{ id: own, title: translate('field.additional', { name: own.slice(ADDITIONAL.length) }) }];
  const known = [...standard, ...named];
  const isKnown = suggested === null || known.some(({ id }) => id === suggested);
  return isKnown ? known : [...known, { id: suggested, title: suggested }];
}

/** Returns the additional field with the name of a header; null if no such name can be made of it. */
function additionalField(header: string): string | null {
  const letters = header.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const name = letters.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
  return name === '' ? null : ADDITIONAL + name.slice(0, MAX_NAME);
}

/** Returns why columns cannot be imported as these fields; null if they can. */
export function findFault(fields: readonly string[]): string | null {
  if (!fields.includes('email')) return translate('fault.email');
  const chosen = fields.filter((field) => field !== IGNORED);
  return new Set(chosen).size < chosen.length ? translate('fault.twice') : null;
}

/** Returns the mapping of the API. */
export function mappingOf(
  columns: readonly FileColumn[],
  fields: readonly string[],
): Record<string, string | null> {
  return Object.fromEntries(
    columns.flatMap(({ header }, index) => {
      const field = fields[index] ?? IGNORED;
      return header === '' ? [] : [[header, field === IGNORED ? null : field] as const];
    }),
  );
}
