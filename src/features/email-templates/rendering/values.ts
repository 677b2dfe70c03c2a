/** How templates read and write values of their data. */

/** The value an object or array has of its own under `key`; prototypes do not count. */
export function ownValue(object: unknown, key: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return undefined;
  const value: unknown = Reflect.get(object, key);
  return value;
}

/** A value as it is written into a message: nothing for null, the items of a list with commas, objects as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
