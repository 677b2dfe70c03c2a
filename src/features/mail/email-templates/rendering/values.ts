/** Reads and formats values of template data. */

/** Returns the own property `key` of an object or array; prototypes are ignored. */
export function ownValue(object: unknown, key: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return undefined;
  const value: unknown = Reflect.get(object, key);
  return value;
}

/** Formats a value for a message: empty for null, list items joined by commas, objects as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
