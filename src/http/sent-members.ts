/** The members that callers sent in bodies which were completed with stored values (`updates.ts`). */
const givenMembers = new WeakMap<object, ReadonlySet<string>>();

/** Records which members of a completed body the caller sent. */
export function markGiven(body: object, members: readonly string[]): void {
  givenMembers.set(body, new Set(members));
}

/** Returns true if the caller sent the member, false if it was completed with the stored value. */
export function isGiven(body: unknown, member: string): boolean {
  if (typeof body !== 'object' || body === null) return true;
  return givenMembers.get(body)?.has(member) ?? true;
}
