import { body, type FeatureExamples, type NameOf } from '../../../../http/examples.ts';
import { BrowserSignIn, Confirmation, ProfileChange } from './schema.ts';

const PASSWORD = 'correct horse battery staple';
const fromOwnPage = { 'sec-fetch-site': 'same-origin' };
/** The headers of a call of a session. */
const headers = (name: NameOf) => ({
  cookie: name('session_cookie'),
  'x-csrf-token': name('session_csrf_token'),
  ...fromOwnPage,
});

/** Examples of browser sessions. */
export const browserExamples: FeatureExamples = {
  records: { session_cookie: {}, session_csrf_token: {}, browser_session: {} },
  requests: {
    'browser_sessions.create': {
      headers: fromOwnPage,
      ...body(BrowserSignIn)((name) => ({ email: name('user'), password: PASSWORD })),
    },
    'browser_sessions.get': { headers },
    'browser_sessions.confirm': { headers, ...body(Confirmation)({ password: PASSWORD }) },
    'browser_sessions.list': { headers },
    'browser_sessions.delete': { headers, params: (name) => ({ id: name('browser_session') }) },
    'browser_sessions.sign_out': { headers },
    'auth.update_profile': {
      headers,
      ...body(ProfileChange)({ locale: 'de', time_zone: 'Europe/Vienna', preferences: { theme: 'dark' } }),
    },
  },
};
