import type { IconName } from './icon-names.ts';

/** A choice of a {@link Select}, {@link ComboBox} or {@link RadioGroup}. */
export interface Option<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  /** A second line in grey. */
  readonly description?: string;
  readonly icon?: IconName;
  readonly isDisabled?: boolean;
}
