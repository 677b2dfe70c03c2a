/** The members that callers sent in bodies which were completed with stored values (`updates.ts`). */
const sentMembers = new WeakMap<object, ReadonlySet<string>>();

/** Records which members of a completed body the caller sent. */
export function markSent(body: object, members: readonly string[]): void {
  sentMembers.set(body, new Set(members));
}

/** Returns true if the caller sent the member, false if it was completed with the stored value. */
export function wasSent(body: unknown, member: string): boolean {
  if (typeof body !== 'object' || body === null) return true;
  return sentMembers.get(body)?.has(member) ?? true;
}
