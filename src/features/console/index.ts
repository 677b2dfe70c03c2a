import type { Feature } from '../feature.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

/** The web console: its page and the built files. */
export const webConsole: Feature = {
  name: 'console',
  examples,
  tags: { Console: 'The web console, pages for browsers.' },
  routes,
  isServed: ({ console: isOn }) => isOn,
};
