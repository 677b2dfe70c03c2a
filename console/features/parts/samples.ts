import type { Option } from '../../ui/option.ts';

/** A sentence of more than one line. */
export const LONG_TEXT =
  'Quarterly newsletter for customers in Germany, Austria and Switzerland who opened at least one of the last five emails';

/** A word that is wider than a phone. */
export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Id of one of {@link ROLES}. */
export type RoleId = 'viewer' | 'editor' | 'admin' | 'owner';

/** Options with descriptions. */
export const ROLES: readonly Option<RoleId>[] = [
  { id: 'viewer', title: 'Viewer', description: 'Reads everything.', icon: 'eye' },
  { id: 'editor', title: 'Editor', description: 'Creates and changes content.', icon: 'pencil' },
  { id: 'admin', title: 'Admin', description: 'Also sends, publishes and deletes.', icon: 'shield' },
  { id: 'owner', title: 'Owner', description: 'Also manages members.', icon: 'key-round', isDisabled: true },
];
