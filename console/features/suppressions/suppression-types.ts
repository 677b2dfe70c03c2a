import type { schemas } from '../../../sdk/src/index.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** The cause of a suppression. */
export type Cause = schemas.Suppression['type'];

/** The causes, in the order of menus. */
export const CAUSES: readonly Cause[] = ['unsubscribe', 'bounce', 'complaint'];

/** True if a value is a cause. */
export function isCause(value: unknown): value is Cause {
  return CAUSES.some((each) => each === value);
}

/** Returns the name of a cause. */
export function typeTitle(type: Cause): string {
  return translate(`type.${type}`);
}

/** Start of the hash that replaces the address of an erased subscriber. */
const ERASED = 'erased:';

/** True if the recipient was erased: only a hash of the address is left. */
export function isErased({ recipient }: Pick<schemas.Suppression, 'recipient'>): boolean {
  return recipient.startsWith(ERASED);
}

/** Returns the address of a suppression, or that it was erased. */
export function recipientTitle(suppression: Pick<schemas.Suppression, 'recipient'>): string {
  return isErased(suppression) ? translate('erased') : suppression.recipient;
}
