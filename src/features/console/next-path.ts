/** The address of the console that a user asked for before the sign-in, as the parameter `next` of the sign-in page. */

/** Pages for users without a session. */
const ACCOUNT_PAGES = /^\/console\/(?:sign-in|forgot-password|reset|invitation)(?:[/?]|$)/;

/** Returns the address if it is one of the console, else that of its first screen. */
export function readNext(next: string | null): string {
  if (next === null || !URL.canParse(next, 'http://console')) return '/console';
  const { origin, pathname, search } = new URL(next, 'http://console');
  const isInside =
    origin === 'http://console' && /^\/console(?:\/|$)/.test(pathname) && !pathname.includes('//');
  return isInside && !ACCOUNT_PAGES.test(pathname) ? pathname + search : '/console';
}
