/** Returns the smallest UUIDv7 of a moment, so that rows with UUIDv7 keys can be selected by age. */
export function firstIdOf(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Returns the time in a UUIDv7, in ms precision. */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
