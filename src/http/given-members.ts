/** The members that callers gave in bodies which were completed by stored values (`updates.ts`). */
const givenMembers = new WeakMap<object, ReadonlySet<string>>();

/** Records which members of a completed body the caller gave. */
export function markGiven(body: object, members: readonly string[]): void {
  givenMembers.set(body, new Set(members));
}

/** Returns true if the caller gave the member: false only for those that the body was completed by. */
export function isGiven(body: unknown, member: string): boolean {
  if (typeof body !== 'object' || body === null) return true;
  return givenMembers.get(body)?.has(member) ?? true;
}
