import { type Answer, type Client, createClient } from './client.ts';
import { PASSWORD } from './test-app.ts';

/** Headers that a browser sends with the calls of a page of the console. */
export const FROM_OWN_PAGE = { 'sec-fetch-site': 'same-origin' } as const;

/** A browser in which a user has signed in. */
export interface BrowserUser {
  readonly cookie: string;
  readonly csrfToken: string;
  /** The response to the sign-in. */
  readonly answer: Answer;
  /** Calls of the console's pages. They name no tenant. */
  readonly page: Client;
}

/** Signs in a user of a test in a new browser. */
export async function signInBrowser(
  { url }: Pick<Client, 'url'>,
  email: string,
  more: object = {},
): Promise<BrowserUser> {
  const client = createClient(url, FROM_OWN_PAGE);
  return toBrowserUser(url, await client.post('/auth/session', { email, password: PASSWORD, ...more }));
}

/** Returns the browser that got the response to a sign-in. */
export function toBrowserUser(url: string, answer: Answer): BrowserUser {
  const cookie = cookieIn(answer);
  const csrfToken = String(answer.body.csrf_token);
  const page = createClient(url, { ...FROM_OWN_PAGE, cookie, 'x-csrf-token': csrfToken });
  return { cookie, csrfToken, answer, page };
}

/** Returns the cookie that a response sets, in the form of requests. */
export function cookieIn({ headers }: Answer): string {
  return headers.get('set-cookie')?.replace(/;.*$/s, '') ?? '';
}
