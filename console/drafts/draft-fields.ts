/** How the parts of a value are shown to people. */
import { formatNumber } from '../texts/formats.ts';
import { isEqual, isMembers } from './json.ts';
import type { Path } from './merge.ts';
import { draftTexts } from './texts.ts';

/** A part of a value. */
export interface DraftField {
  /** The label of its field on the screen. */
  readonly label: string;
  /** Returns the value in words, such as the title of an option. */
  readonly format?: (value: unknown) => string;
}

/**
 * The parts by their path, such as `brand_settings.primary_color`. Parts without an entry are named by the next above.
 */
export type DraftFields = Readonly<Record<string, DraftField>>;

/** A part as people see it. */
export interface ShownField {
  readonly label: string;
  readonly format: (value: unknown) => string;
  /** True if the screen has words of its own for the value, so that it is not shown as JSON. */
  readonly isWorded: boolean;
}

/** Returns how to show a part. */
export function fieldAt(fields: DraftFields, path: Path): ShownField {
  return findField(fields, path) ?? { label: path.join(' · '), format: formatValue, isWorded: false };
}

/** Returns how to show a part; null if the screen does not show it, such as the version. */
export function findField(fields: DraftFields, path: Path): ShownField | null {
  for (let length = path.length; length > 0; length -= 1) {
    const field = fields[path.slice(0, length).join('.')];
    if (field === undefined) continue;
    const rest = path.slice(length);
    // A format is for the whole of its field.
    const format = rest.length === 0 ? field.format : undefined;
    return {
      label: [field.label, ...rest].join(' · '),
      format: format ?? formatValue,
      isWorded: format !== undefined,
    };
  }
  return null;
}

/** Returns a JSON value in words. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return draftTexts.translate('empty');
  if (typeof value === 'boolean') return draftTexts.translate(value ? 'yes' : 'no');
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return value;
  if (isMembers(value) && isEqual(value, { is_secret: true })) return draftTexts.translate('secret');
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return JSON.stringify(value, null, 2);
}
