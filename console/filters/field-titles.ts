/** How a field is shown. */
export interface FieldTitle {
  readonly title: string;
  /** Names of its values. Values of a field without `values` in the API, such as units, become a choice by this. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Names of fields by their name in the API; `extra.<name>` names the group of all fields with that beginning. */
export type FieldTitles = Readonly<Record<string, FieldTitle>>;

/** Returns the name of a field to show: its own, or with that of its group. */
export function titleOf(titles: FieldTitles, field: string): string {
  return titles[field]?.title ?? field;
}

/** Returns the name of a value to show. */
export function valueTitleOf(titles: FieldTitles, field: string, value: string): string {
  return titles[field]?.values?.[value] ?? value;
}
