/** Subscription types in the email settings, as the screen edits and shows them. */
import type { schemas } from '../../../sdk/src/index.ts';
import type { DraftFields } from '../../drafts/draft-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;

type SubscriptionType = schemas.SubscriptionType;

/** Longest id that is made from a name. */
const MAX_ID = 60;

/** Returns the subscription types, with the version of the settings. */
export function typesOf({ subscription_types, version }: schemas.EmailSettings) {
  return { subscription_types, version };
}

/** Returns a new type. Its id is made from the name, and differs from all taken ones. */
export function newType(name: string, taken: readonly string[]): SubscriptionType {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? ['type'];
  const start = words.join('-').slice(0, MAX_ID);
  let id = start;
  for (let number = 2; taken.includes(id); number += 1) id = `${start}-${number}`;
  return { id, name, description: '', active: true };
}

/** Returns the types with one at another position. */
export function withMoved(
  types: readonly SubscriptionType[],
  type: SubscriptionType,
  to: number,
): SubscriptionType[] {
  return types.filter((each) => each !== type).toSpliced(to, 0, type);
}

/** Returns the name of a type; of one without a name, what stands in its place. */
export function nameOf({ name }: SubscriptionType): string {
  return name.trim() === '' ? translate('unnamed') : name;
}

/** Returns how drafts show the types. */
export function typeFields(types: readonly SubscriptionType[]): DraftFields {
  const label = (type: SubscriptionType, field: string) => ({ label: `${nameOf(type)} · ${field}` });
  return {
    subscription_types: { label: translate('types'), format: listNames },
    ...Object.fromEntries(
      types.flatMap((type) => {
        const path = `subscription_types.${type.id}`;
        return [
          [path, { label: nameOf(type), format: describe }],
          [`${path}.name`, label(type, translate('name'))],
          [`${path}.description`, label(type, translate('description'))],
          [`${path}.active`, label(type, translate('active'))],
        ];
      }),
    ),
  };
}

function describe(type: unknown): string {
  return type === undefined ? translate('gone') : listName(type);
}

function listNames(types: unknown): string {
  return Array.isArray(types) ? types.map(listName).join(', ') : '';
}

function listName(type: unknown): string {
  return String(Object(type).name ?? '');
}
