/** The reference as Swagger UI draws it: of the whole service, or of the entities of whoever is signed in. */
import { toOpenApi30 } from './openapi-30.ts';
import type { Session } from './session.ts';
import { showCalls } from './shown-calls.ts';

/** What is used of Swagger UI (`swagger-ui-bundle.js`, a script of the page of its own). */
interface SwaggerUi {
  readonly specActions: {
    updateUrl(url: string): void;
    updateSpec(document: string): void;
    download(url: string): void;
  };
  readonly authActions: { logout(schemes: readonly string[]): void };
  readonly layoutActions: { updateFilter(filter: string | true): void };
  preauthorizeApiKey(scheme: string, value: string): void;
}

interface SwaggerResponse {
  readonly status?: number;
  readonly url?: string;
  readonly text?: string;
}

interface SwaggerRequest {
  readonly headers: Record<string, string>;
}

declare const SwaggerUIBundle: (options: {
  readonly url: string;
  readonly domNode: HTMLElement;
  readonly deepLinking: boolean;
  readonly docExpansion: 'none';
  readonly filter: boolean;
  readonly onComplete: () => void;
  readonly requestInterceptor: (request: SwaggerRequest) => Promise<SwaggerRequest>;
  readonly responseInterceptor: (response: SwaggerResponse) => Promise<SwaggerResponse>;
}) => SwaggerUi;

/** What the page shows of the API. */
export interface DrawnReference {
  /** Draws the reference of the service. */
  showService(): void;
  /** Draws another OpenAPI document. */
  showDocument(document: string): void;
  /** Has calls that are tried out carry the access token, or no longer. */
  setSignedIn(isSignedIn: boolean): void;
}

const serviceUrl = 'openapi.json';
/** As the documents name it. */
const scheme = 'AccessToken';
/** Stands for the token where Swagger UI keeps credentials: which one is good is known when a call is made. */
const placeholder = 'of-this-page';

/** Draws the reference of the service into `place`; calls `onDrawn` each time a document is drawn. */
export function drawReference(place: HTMLElement, session: Session, onDrawn: () => void): DrawnReference {
  const calls = showCalls(place);
  let isSignedIn = false;
  const authorize = () => {
    if (isSignedIn) ui.preauthorizeApiKey(scheme, placeholder);
    else ui.authActions.logout([scheme]);
  };
  const ui = SwaggerUIBundle({
    url: serviceUrl,
    domNode: place,
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    // What is authorized belongs to a document that has been read.
    onComplete: () => {
      if (isSignedIn) authorize();
      onDrawn();
    },
    requestInterceptor: async (request) => {
      if (request.headers.Authorization !== `Bearer ${placeholder}`) return request;
      const token = await session.freshToken();
      if (token === null) delete request.headers.Authorization;
      else request.headers.Authorization = `Bearer ${token}`;
      return request;
    },
    responseInterceptor: async (response) => {
      if (response.status === 401) await session.review();
      const isDocument = response.status === 200 && response.url === new URL(serviceUrl, location.href).href;
      if (!isDocument) return response;
      calls.setDocument(response.text ?? '');
      return { ...response, text: toOpenApi30(response.text ?? '') };
    },
  });
  const begin = (url: string) => {
    ui.specActions.updateUrl(url);
    // What was looked for, and the place that the address names, were those of another document.
    ui.layoutActions.updateFilter(true);
    history.replaceState(null, '', location.pathname + location.search);
  };
  return {
    showService() {
      begin(serviceUrl);
      ui.specActions.download(serviceUrl);
    },
    showDocument(document) {
      begin('');
      calls.setDocument(document);
      ui.specActions.updateSpec(toOpenApi30(document));
    },
    setSignedIn(isNow) {
      isSignedIn = isNow;
      authorize();
    },
  };
}
