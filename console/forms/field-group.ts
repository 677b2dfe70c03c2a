import { useEffect } from 'react';
import type { Issue } from './check-fields.ts';
import { isAt } from './is-at.ts';
import { issueText } from './issue-text.ts';
import type { FieldSchema, FieldSchemas } from './operation.ts';

/** Paths of the fields that are on the page. */
export type ShownFields = Set<string>;

/** The fields of a form, or of an object in it. */
export interface FieldGroup<Value extends object> {
  /** Path of the object, with a dot at its end; '' for the form. */
  readonly place: string;
  readonly fields: FieldSchemas;
  /** True if the server keeps what a request leaves out. */
  readonly isUpdate: boolean;
  readonly value: Partial<Value>;
  /** Sets members of the value as it is now, which can be newer than `value`: one event can change two fields. */
  readonly change: (update: (current: Partial<Value>) => Partial<Value>) => void;
  readonly issues: readonly Issue[];
  /** Removes the messages about a field, because its value has changed. */
  readonly forget: (path: string) => void;
  readonly shown: ShownFields;
  /** Reason for which the user may not change the fields; undefined if they may. */
  readonly disabledReason: string | undefined;
}

/** Properties of a component that edits a field. */
export interface BoundField<Value> extends FieldState {
  readonly value: Value | undefined;
  /** Sets the value; undefined leaves the field out of the request. */
  readonly onChange: (value: Value | undefined) => void;
}

/** State of a field besides its value. */
interface FieldState {
  readonly error: string | undefined;
  readonly isRequired: boolean;
  readonly disabledReason: string | undefined;
  /** The form says once, above its fields, why they are disabled. */
  readonly isReasonHidden: true;
}

/** Names of the fields of a group. */
type NameOf<Value> = keyof Value & string;

/** Binds a field to a component of the feature: `<ZoneField label="Time zone" {...useField(form, 'time_zone')} />`. */
export function useField<Value extends object, Name extends NameOf<Value>>(
  group: FieldGroup<Value>,
  name: Name,
): BoundField<Value[Name]> {
  const { set, ...state } = useFieldState(group, name);
  return { ...state, value: group.value[name], onChange: set };
}

/** Binds a field whose kind the API states. `set` takes any value, `formatText` explains the format of the value. */
export function useFieldState<Value extends object>(
  group: FieldGroup<Value>,
  name: NameOf<Value>,
  formatText?: string,
): FieldState & { readonly set: (next: unknown) => void } {
  const { place, change, issues, forget, shown, disabledReason } = group;
  const path = place + name;
  useEffect(() => {
    shown.add(path);
    return () => void shown.delete(path);
  }, [shown, path]);
  const message = issues.find((issue) => isAt(issue, path))?.message;
  return {
    set: (next) => {
      forget(path);
      change((current) => Object.assign({}, current, { [name]: next }));
    },
    error: message === undefined ? undefined : issueText(message, formatText),
    isRequired: needsValue(schemaOf(group, name), group.isUpdate),
    disabledReason,
    isReasonHidden: true,
  };
}

/** True if a field must not be empty. An update may leave a field out, and some texts may be empty. */
function needsValue(
  { kind, min = 0, isNullable, isSecret, ...schema }: FieldSchema,
  isUpdate: boolean,
): boolean {
  const isRequired = schema.isRequired === true;
  if (!isUpdate || kind !== 'text') return isRequired;
  return min > 0 && (isRequired || !(isNullable || isSecret));
}

/** Returns what the API says about a field. @throws Error if the operation has no such member. */
export function schemaOf<Value extends object>(group: FieldGroup<Value>, name: NameOf<Value>): FieldSchema {
  const schema = group.fields[name];
  if (schema === undefined) throw new Error(`The operation has no member "${group.place}${name}"`);
  return schema;
}

/** Returns the fields of an object in a form: `groupAt(form, 'brand_settings')`. */
export function groupAt<Value extends object, Name extends NameOf<Value>>(
  group: FieldGroup<Value>,
  name: Name,
): FieldGroup<Extract<Value[Name], object>> {
  const value = group.value[name];
  return {
    ...group,
    place: `${group.place}${name}.`,
    fields: schemaOf(group, name).fields ?? {},
    value: isObject(value) ? value : {},
    change: (update) =>
      group.change((current) => {
        const own = current[name];
        return Object.assign({}, current, {
          [name]: Object.assign({}, own, update(isObject(own) ? own : {})),
        });
      }),
  };
}

/**
 * Returns the fields of an object in a list of a form: `itemAt(form, 'sender_identities', 0)`.
 * @throws Error if the list has no such object.
 */
export function itemAt<Item extends object, Name extends string>(
  group: FieldGroup<{ [Key in Name]?: Item[] | undefined }>,
  name: Name,
  index: number,
): FieldGroup<Item> {
  const list: readonly Item[] = group.value[name] ?? [];
  const value = list[index];
  if (value === undefined) throw new Error(`"${group.place}${name}" has no item ${index}`);
  return {
    ...group,
    place: `${group.place}${name}[${index}].`,
    fields: schemaOf(group, name).fields ?? {},
    value,
    change: (update) =>
      group.change((current) => {
        const items: readonly Item[] = current[name] ?? [];
        const next = items.map((item, at) => (at === index ? Object.assign({}, item, update(item)) : item));
        return Object.assign({}, current, { [name]: next });
      }),
  };
}

function isObject<Value>(value: Value): value is Extract<Value, object> {
  return typeof value === 'object' && value !== null;
}
