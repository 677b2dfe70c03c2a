/** Starts the example website. Run `node examples/website/server.ts` with the variables of README.md. */
import { createSite } from './site.ts';

const { TESSERA_URL, TESSERA_API_KEY, TESSERA_PROJECT, SITE_DOMAIN, PORT = '8080' } = process.env;
if (!TESSERA_URL || !TESSERA_API_KEY || !TESSERA_PROJECT || !SITE_DOMAIN)
  throw new Error('Set TESSERA_URL, TESSERA_API_KEY, TESSERA_PROJECT and SITE_DOMAIN.');

const options = {
  url: TESSERA_URL,
  apiKey: TESSERA_API_KEY,
  project: TESSERA_PROJECT,
  domain: SITE_DOMAIN,
};
createSite(options).listen(Number(PORT), () => console.log(`The website runs at http://localhost:${PORT}`));
