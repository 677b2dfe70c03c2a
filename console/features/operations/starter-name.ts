import type { Operation } from '../../operations/operation-name.ts';
import { texts } from './texts.ts';

/** Returns the name of the member who started an operation. */
export function starterName({ started_by: { name } }: Pick<Operation, 'started_by'>): string {
  return name ?? texts.translate('starter.left');
}
