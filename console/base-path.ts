/** URL of the console, found from its files at `<server>/console/assets/`: a proxy may serve it below a path. */
const consoleUrl = new URL('..', import.meta.url);

/** Path of the console, such as `/console`. */
export const CONSOLE_PATH = consoleUrl.pathname.replace(/\/$/, '');

/** URL of the server, without a slash at the end. */
export const SERVER_URL = new URL('..', consoleUrl).href.replace(/\/$/, '');

/** Public URL of the API, which may have another host than the console. */
export const API_URL = document.documentElement.dataset.api ?? SERVER_URL;
