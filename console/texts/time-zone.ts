/** Time zone of the browser. */
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
let active = browserZone;

/** Sets the time zone of all times on the page: the user's, or the browser's if the user has chosen none. */
export function activateTimeZone(zone: string | null): void {
  active = zone ?? browserZone;
}

/** Returns the time zone of the page, such as `Europe/Berlin`. */
export function activeTimeZone(): string {
  return active;
}
