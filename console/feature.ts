/** The parts that a feature adds to the console: the manifest in `features/<name>/index.ts`. */
import type { AnyRoute } from '@tanstack/react-router';
import type { SearchKindName } from '../sdk/src/generated/schemas.ts';
import type { DraftFields } from './drafts/draft-fields.ts';
import type { LocalizedText } from './texts/locales.ts';
import type { IconName } from './ui/icon-names.ts';

/** Groups of the navigation, in order. */
export const NAVIGATION_GROUPS = ['overview', 'people', 'connections', 'settings'] as const;

/** A link of the sidebar. */
export interface NavigationEntry {
  readonly group: (typeof NAVIGATION_GROUPS)[number];
  readonly title: LocalizedText;
  readonly icon: IconName;
  /** Path below the tenant: '' is its home. */
  readonly path: string;
  /** Only owners see the link. */
  readonly isForOwners?: boolean;
}

/** An entry of the command palette that opens a screen. */
export interface CommandEntry {
  readonly title: LocalizedText;
  readonly icon: IconName;
  /** Further words that find the command. */
  readonly keywords?: LocalizedText;
  /** Path below the tenant. */
  readonly path: string;
  readonly search?: Readonly<Record<string, string | boolean>>;
  /** Only owners can run the command. */
  readonly isForOwners?: boolean;
}

/** The screen of a record of one kind. */
export interface RecordScreen {
  readonly kind: SearchKindName;
  /** Returns its path below the tenant. */
  readonly pathOf: (key: string) => string;
  /** True if the parameter `history` of the screen opens the versions of the record. */
  readonly hasHistory?: boolean;
  /** Only owners can open it. */
  readonly isForOwners?: boolean;
  /** Loads the labels of its fields, for lists of changes. Absent: they are shown as the API calls them. */
  readonly loadFields?: () => Promise<DraftFields>;
}

/** A feature of the console. */
export interface Feature {
  /** Its screens, whose parents are in `routes.ts`. */
  readonly routes: readonly AnyRoute[];
  readonly navigation?: readonly NavigationEntry[];
  readonly commands?: readonly CommandEntry[];
  /** Screens to which lists of all kinds of record link. */
  readonly records?: readonly RecordScreen[];
}
