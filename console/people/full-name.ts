import type { schemas } from '../../sdk/src/index.ts';

/** Returns first and last name. */
export function fullName({ first_name: first, last_name: last }: schemas.Subscriber): string {
  return last ? `${first} ${last}` : first;
}
